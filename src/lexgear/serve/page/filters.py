"""View of the filters: the values to choose from, and the filters that are set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexgear.serve.page.context import PageContext
from lexgear.serve.page.form import SearchForm

MAX_OPTIONS = 300
"""Values offered per filter; others can be typed."""
CHOICES = ("charge", "factor", "level", "region", "penalty")
"""Filters with a list of values."""


@dataclass(frozen=True)
class Choice:
    """Filter with a list of values."""

    field: str
    options: Sequence[tuple[str, str]]
    """Value and label with the number of cases."""
    value: str


@dataclass(frozen=True)
class Chip:
    """Filter that is set."""

    field: str
    name: str
    value: str


@dataclass(frozen=True)
class FiltersView:
    """View of all filters."""

    choices: Sequence[Choice]
    articles: Sequence[str]
    years: tuple[str, str] | None
    """First and last year."""
    has_months: bool
    chips: Sequence[Chip]

    @property
    def any(self) -> bool:
        """True if any filter is available."""
        return bool(self.choices or self.articles or self.years)


def filters_view(context: PageContext, search_form: SearchForm) -> FiltersView:
    """Return the view of the filters."""
    facets = context.served_index.placement.facets
    return FiltersView(
        choices=[
            Choice(name, _options(context, name), search_form.filters.get(name, "")) for name in CHOICES if facets[name]
        ],
        articles=list(facets["article"])[:MAX_OPTIONS],
        years=context.years,
        has_months=bool(facets["penalty"]),
        chips=_chips(context, search_form),
    )


def _options(context: PageContext, name: str) -> list[tuple[str, str]]:
    counts = list(context.served_index.placement.facets[name].items())[:MAX_OPTIONS]
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
