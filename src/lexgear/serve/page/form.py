"""Search form of the page: facts, filters, place of the law, number of hits and picked cases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.datastructures import FormData, UploadFile

from lexgear.errors import ErrorCode
from lexgear.index.sorting import Sort
from lexgear.serve.api.errors import ApiError, FieldError
from lexgear.serve.api.requests import SearchRequest
from lexgear.serve.settings import Limits
from lexgear.serve.uploads.kangxi_radicals import replace_radicals

STEP = 10
"""Hits of the first answer, and hits that "more" adds."""
MAX_PICKS = 50
FILTERS = {
    "charge": "charge=",
    "article": "article=",
    "factor": "factor=",
    "level": "level=",
    "region": "region=",
    "from": "date>=",
    "to": "date<=",
    "penalty": "penalty=",
    "least": "months>=",
    "most": "months<=",
}
"""Form field → beginning of the filter, in the syntax of the API."""
_LINE_ENDS = re.compile("\r\n?")


@dataclass(frozen=True)
class SearchForm:
    """State of a search, which the page carries from one request to the next."""

    text: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    """Form field → value."""
    node: str = ""
    shown: int = STEP
    picks: tuple[str, ...] = ()

    @property
    def api_filters(self) -> list[str]:
        """The filters in the syntax of the API."""
        return [f"{FILTERS[name]}{value}" for name, value in self.filters.items()]

    def request(self, limits: Limits, *, include_text: bool = False) -> SearchRequest:
        """Return the search as a request to the API."""
        return SearchRequest(
            text=self.text,
            k=min(self.shown, limits.k),
            offset=0,
            filters=self.api_filters,
            node=self.node or None,
            keywords="",
            sort=Sort.RELEVANCE,
            include_facets=False,
            include_text=include_text,
        )

    @property
    def hidden_fields(self) -> list[tuple[str, str]]:
        """Names and values of the hidden form fields that keep the state."""
        fields = [("text", self.text), *self.filters.items(), ("node", self.node), ("shown", str(self.shown))]
        return [(name, value) for name, value in fields if value] + [("pick", one) for one in self.picks]


def read_form(form: FormData) -> SearchForm:
    """Read a form. `at` selects a place of the law, `drop` removes a filter, `more` asks for more hits."""
    filters = {name: value for name in FILTERS if (value := value_of(form, name).strip())}
    node, shown = value_of(form, "node"), _number(value_of(form, "shown"))
    dropped = value_of(form, "drop")
    if "at" in form:
        node, shown = value_of(form, "at"), STEP
    if dropped:
        filters.pop(dropped, None)
        node = "" if dropped in {"node", "all"} else node
        filters = {} if dropped == "all" else filters
        shown = STEP
    if "more" in form:
        shown += STEP
    picks = dict.fromkeys(one for one in form.getlist("pick") if isinstance(one, str))
    return SearchForm(clean_text(value_of(form, "text")), filters, node, shown, tuple(picks)[:MAX_PICKS])


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


def _number(written: str) -> int:
    return max(STEP, int(written)) if written.isascii() and written.isdecimal() and len(written) < 5 else STEP
