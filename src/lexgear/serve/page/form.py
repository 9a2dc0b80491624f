"""What a form of the page asks: facts, filters, a place of the law, how many hits, and which cases are picked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.datastructures import FormData, UploadFile

from lexgear.errors import ErrorCode
from lexgear.serve.api.errors import ApiError, FieldError
from lexgear.serve.api.models import SearchRequest
from lexgear.serve.settings import Limits
from lexgear.serve.uploads.kangxi_radicals import without_radicals

STEP = 10
"""Hits that come with the first answer and with each wish for more."""
MOST_PICKED = 50
FILTERS = {
    "charge": "charge=",
    "article": "article=",
    "level": "level=",
    "region": "region=",
    "from": "date>=",
    "to": "date<=",
    "penalty": "penalty=",
    "least": "months>=",
    "most": "months<=",
}
"""Field of the form → the filter it makes, as the API knows it."""
_BREAKS = re.compile("\r\n?")


@dataclass(frozen=True)
class SearchForm:
    """One search as the page keeps it from one click to the next."""

    text: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    """By field."""
    node: str = ""
    shown: int = STEP
    picks: tuple[str, ...] = ()

    @property
    def given(self) -> list[str]:
        """The filters as the API takes them."""
        return [f"{FILTERS[name]}{value}" for name, value in self.filters.items()]

    def search(self, limits: Limits) -> SearchRequest:
        """The search as the API is asked it."""
        k = min(self.shown, limits.k)
        return SearchRequest(
            text=self.text, k=k, offset=0, filters=self.given, node=self.node or None, include_text=False
        )

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Everything as fields of a form."""
        fields = [("text", self.text), *self.filters.items(), ("node", self.node), ("shown", str(self.shown))]
        return [(name, value) for name, value in fields if value] + [("pick", one) for one in self.picks]


def read_form(form: FormData) -> SearchForm:
    """What a form asks. `at` goes to a place of the law, `drop` takes a filter off, `more` asks for more hits."""
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
    return SearchForm(cleaned(value_of(form, "text")), filters, node, shown, tuple(picks)[:MOST_PICKED])


def read_search_form(form: FormData) -> SearchForm:
    """What a form asks; without facts there is nothing to ask."""
    search_form = read_form(form)
    if not search_form.text.strip():
        raise ApiError(422, where=[FieldError("text", ErrorCode.TEXT_EMPTY, "there is no text")])
    return search_form


def value_of(form: FormData, name: str) -> str:
    """The last value of a field; files are none."""
    values = [value for value in form.getlist(name) if not isinstance(value, UploadFile)]
    return values[-1] if values else ""


def cleaned(text: str) -> str:
    """A text as it was typed: browsers send line ends as two signs, pages cannot hold NUL, PDFs give radicals away."""
    return without_radicals(_BREAKS.sub("\n", text).replace("\0", "\N{REPLACEMENT CHARACTER}"))


def _number(written: str) -> int:
    return max(STEP, int(written)) if written.isascii() and written.isdecimal() and len(written) < 5 else STEP
