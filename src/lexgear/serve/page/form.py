"""Search form of the page: facts, what the results must contain, their order, and picked cases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from starlette.datastructures import FormData, UploadFile

from lexgear.errors import ErrorCode
from lexgear.index.filters import OR
from lexgear.index.keywords import keyword_filters, written_keywords
from lexgear.index.sorting import Sort
from lexgear.serve.api.errors import ApiError, FieldError
from lexgear.serve.page.dates import read_date
from lexgear.serve.uploads.kangxi_radicals import replace_radicals

STEP = 10
"""Hits of the first answer, and hits that "more" adds."""
MAX_PICKS = 50
FILTERS = {
    "authority": "authority=",
    "charge": "charge=",
    "article": "article=",
    "factor": "factor=",
    "level": "level=",
    "region": "region=",
    "year": "date=",
    "band": "band=",
    "from": "date>=",
    "to": "date<=",
}
"""Form field → beginning of the filter, in the syntax of the API."""
SINGLE = frozenset({"from", "to"})
"""Filters with one value, a date; of the others any may hold."""
_LINE_ENDS = re.compile("\r\n?")


@dataclass(frozen=True)
class SearchForm:
    """State of a search, which the page carries from one request to the next."""

    text: str = ""
    keywords: str = ""
    act_date: str = ""
    """Date of the act, for the judgment and the law in force; empty to read it from the text."""
    court: str = ""
    """Court of the pending case."""
    own_courts: bool = False
    """True if only cases of this court and of those above it are wanted."""
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Form field → values."""
    node: str = ""
    sort: Sort = Sort.RELEVANCE
    grouped: bool = False
    """True if the precedents are grouped by charge."""
    shown: int = STEP
    picks: tuple[str, ...] = ()

    @property
    def api_filters(self) -> list[str]:
        """The filters in the syntax of the API."""
        written = [f"{FILTERS[name]}{OR.join(values)}" for name, values in self.filters.items()]
        if self.own_courts and self.court:
            written.append(f"court_above={self.court}")
        return [*written, *keyword_filters(self.keywords)]

    @property
    def details(self) -> list[tuple[str, str]]:
        """Names and values of the fields beside the text of the search."""
        own = "1" if self.own_courts else ""
        fields = [("keywords", self.keywords), ("act_date", self.act_date), ("court", self.court), ("own_courts", own)]
        return [(name, value) for name, value in fields if value]

    @property
    def narrowing(self) -> list[tuple[str, str]]:
        """Names and values of the fields that narrow and order the results."""
        fields = [(name, value) for name, values in self.filters.items() for value in values]
        fields += [("node", self.node), ("sort", "" if self.sort == Sort.RELEVANCE else str(self.sort))]
        return [(name, value) for name, value in [*fields, ("grouped", "1" if self.grouped else "")] if value]

    @property
    def hidden_fields(self) -> list[tuple[str, str]]:
        """Names and values of the hidden form fields that keep the state."""
        fields = [("text", self.text), *self.details, *self.narrowing, ("shown", str(self.shown))]
        return [(name, value) for name, value in fields if value] + [("pick", one) for one in self.picks]


def read_form(form: FormData) -> SearchForm:
    """Read a form. `at` selects a place of the law, `drop` removes a filter, `more` asks for more hits.

    `asked` is the text that the filters were chosen for: with another text they do not apply.
    """
    text = clean_text(value_of(form, "text"))
    sort = value_of(form, "sort")
    act_date = read_date(value_of(form, "act_date"))
    picks = dict.fromkeys(one for one in form.getlist("pick") if isinstance(one, str))
    read = SearchForm(
        text=text,
        keywords=clean_text(value_of(form, "keywords")).strip(),
        act_date=act_date if len(act_date) == len("2019-03-12") else "",
        court=clean_text(value_of(form, "court")).strip(),
        own_courts=bool(value_of(form, "own_courts")),
        filters={name: values for name in FILTERS if (values := _values(form, name))},
        node=value_of(form, "node"),
        sort=Sort(sort) if sort in set(Sort) else Sort.RELEVANCE,
        grouped=bool(value_of(form, "grouped")),
        shown=_number(value_of(form, "shown")) + (STEP if "more" in form else 0),
        picks=tuple(picks)[:MAX_PICKS],
    )
    if "asked" in form and clean_text(value_of(form, "asked")) != text:
        read = replace(read, filters={}, node="", shown=STEP)
    if "at" in form:
        read = replace(read, node=value_of(form, "at"), shown=STEP)
    return _without(read, value_of(form, "drop"))


def _without(form: SearchForm, dropped: str) -> SearchForm:
    """Return the form without a filter (`charge=盗窃罪`, `keywords=自首`, `node`, `own_courts`) or without all."""
    if not dropped:
        return form
    if dropped == "all":
        return replace(form, filters={}, node="", keywords="", own_courts=False, shown=STEP)
    name, _, value = dropped.partition("=")
    filters = {
        field: kept
        for field, values in form.filters.items()
        if (kept := tuple(one for one in values if (field, one) != (name, value)))
    }
    keywords = form.keywords
    if name == "keywords":
        keywords = written_keywords([one for one in keyword_filters(keywords) if one != value])
    node = "" if name == "node" else form.node
    own_courts = form.own_courts and name != "own_courts"
    return replace(form, filters=filters, keywords=keywords, node=node, own_courts=own_courts, shown=STEP)


def read_search_form(form: FormData) -> SearchForm:
    """Read a form, and raise ApiError if it has no text."""
    search_form = read_form(form)
    if not search_form.text.strip():
        raise ApiError(422, where=[FieldError("text", ErrorCode.TEXT_EMPTY, "there is no text")])
    return search_form


def value_of(form: FormData, name: str) -> str:
    """Return the last value of a text field, or an empty string."""
    values = [value for value in form.getlist(name) if not isinstance(value, UploadFile)]
    return values[-1] if values else ""


def clean_text(text: str) -> str:
    """Normalise line ends, replace NUL (which HTML cannot hold) and radicals (which PDFs leave behind)."""
    return replace_radicals(_LINE_ENDS.sub("\n", text).replace("\0", "\N{REPLACEMENT CHARACTER}"))


def _values(form: FormData, name: str) -> tuple[str, ...]:
    given = [value.strip() for value in form.getlist(name) if isinstance(value, str) and value.strip()]
    if name in SINGLE:
        return tuple(read_date(value) or value for value in given[-1:])
    return tuple(dict.fromkeys(given))


def _number(written: str) -> int:
    return max(STEP, int(written)) if written.isascii() and written.isdecimal() and len(written) < 5 else STEP
