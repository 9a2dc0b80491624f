"""Filters as the page offers them: what the index has values for, and those that are set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexgear.serve.page.context import Desk
from lexgear.serve.page.form import Question

MOST_OFFERED = 300
"""Values of a filter; others can be typed."""
CHOICES = ("charge", "level", "region", "penalty")
"""Filters with a list to choose from."""


@dataclass(frozen=True)
class Choice:
    """A filter with the values it can have."""

    field: str
    options: Sequence[tuple[str, str]]
    """Value, and how it is shown with the number of its cases."""
    value: str


@dataclass(frozen=True)
class Chip:
    """A filter that is set."""

    field: str
    name: str
    value: str


@dataclass(frozen=True)
class FiltersView:
    """All filters."""

    choices: Sequence[Choice]
    articles: Sequence[str]
    years: tuple[str, str] | None
    """The first and the last."""
    has_months: bool
    chips: Sequence[Chip]

    @property
    def any(self) -> bool:
        """Whether there is anything to filter by."""
        return bool(self.choices or self.articles or self.years)


def filters_view(desk: Desk, question: Question) -> FiltersView:
    """What can be filtered by, and what is."""
    facets = desk.library.placement.facets
    return FiltersView(
        choices=[
            Choice(name, _options(desk, name), question.filters.get(name, "")) for name in CHOICES if facets[name]
        ],
        articles=list(facets["article"])[:MOST_OFFERED],
        years=desk.years,
        has_months=bool(facets["penalty"]),
        chips=_chips(desk, question),
    )


def _options(desk: Desk, name: str) -> list[tuple[str, str]]:
    counts = list(desk.library.placement.facets[name].items())[:MOST_OFFERED]
    return [(value, desk.t("filter.option", value=desk.say.named(name, value), cases=cases)) for value, cases in counts]


def _chips(desk: Desk, question: Question) -> list[Chip]:
    chips = []
    if question.node:
        chips.append(Chip("node", desk.t("filter.node"), desk.place(question.node)))
    for name, value in question.filters.items():
        shown = desk.say.term(int(value)) if name in {"least", "most"} and value.isdecimal() and value != "0" else value
        label = f"filter.set_{name}" if name in {"least", "most"} else f"filter.{name}"
        chips.append(Chip(name, desk.t(label), desk.say.named(name, shown)))
    return chips
