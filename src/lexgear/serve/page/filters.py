"""Filters as the page offers them: what the index has values for, and those that are set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexgear.serve.page.context import PageContext
from lexgear.serve.page.form import SearchForm

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


def filters_view(context: PageContext, search_form: SearchForm) -> FiltersView:
    """What can be filtered by, and what is."""
    facets = context.served_index.placement.facets
    return FiltersView(
        choices=[
            Choice(name, _options(context, name), search_form.filters.get(name, "")) for name in CHOICES if facets[name]
        ],
        articles=list(facets["article"])[:MOST_OFFERED],
        years=context.years,
        has_months=bool(facets["penalty"]),
        chips=_chips(context, search_form),
    )


def _options(context: PageContext, name: str) -> list[tuple[str, str]]:
    counts = list(context.served_index.placement.facets[name].items())[:MOST_OFFERED]
    return [
        (value, context.t("filter.option", value=context.format.named(name, value), cases=cases))
        for value, cases in counts
    ]


def _chips(context: PageContext, search_form: SearchForm) -> list[Chip]:
    chips = []
    if search_form.node:
        chips.append(Chip("node", context.t("filter.node"), context.place(search_form.node)))
    for name, value in search_form.filters.items():
        shown = (
            context.format.term(int(value))
            if name in {"least", "most"} and value.isdecimal() and value != "0"
            else value
        )
        label = f"filter.set_{name}" if name in {"least", "most"} else f"filter.{name}"
        chips.append(Chip(name, context.t(label), context.format.named(name, shown)))
    return chips
