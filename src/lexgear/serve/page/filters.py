"""View of the filters: facets to choose from, and the filters that are set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexgear.index.filters import TEXT, parse_filter
from lexgear.index.keywords import keyword_filters
from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.form import SearchForm

FACETS = {
    "authority": "authority",
    "charge": "charge",
    "factor": "factor",
    "band": "band",
    "level": "level",
    "region": "region",
    "year": "date",
    "article": "article",
}
"""Form field → facet of the API, in the order of the page."""
SHOWN = 8
"""Values of a facet that are shown at once; the others are folded."""


@dataclass(frozen=True)
class Option:
    """Value of a facet."""

    value: str
    label: str
    cases: int
    chosen: bool


@dataclass(frozen=True)
class FacetView:
    """Facet with its values: those that are chosen first, then the most frequent or in their own order."""

    field: str
    first: Sequence[Option]
    rest: Sequence[Option]

    @property
    def chosen(self) -> int:
        """Number of values that are chosen."""
        return sum(one.chosen for one in (*self.first, *self.rest))


@dataclass(frozen=True)
class Chip:
    """Filter that is set. `drop` is the value of the button that removes it."""

    field: str
    drop: str
    name: str
    value: str


@dataclass(frozen=True)
class FiltersView:
    """View of all filters."""

    facets: Sequence[FacetView]
    years: tuple[str, str] | None
    """First and last year."""
    chips: Sequence[Chip]
    unlisted: Sequence[tuple[str, str]]
    """Names and values of filters that no facet shows."""

    @property
    def any(self) -> bool:
        """True if any filter is available."""
        return bool(self.facets or self.chips)


def filters_view(
    context: PageContext, search_form: SearchForm, counted: Mapping[str, Sequence[models.Facet]]
) -> FiltersView:
    """Return the view of the filters; `counted` are the facets of the hits."""
    facets = [_facet(context, field, search_form, counted.get(name, ())) for field, name in FACETS.items()]
    shown = [one for one in facets if one.first]
    listed = {one.field for one in shown} | ({"from", "to"} if any(one.field == "year" for one in shown) else set())
    return FiltersView(
        facets=shown,
        years=context.years,
        chips=_chips(context, search_form),
        unlisted=[
            (name, value) for name, values in search_form.filters.items() for value in values if name not in listed
        ],
    )


def _facet(context: PageContext, field: str, search_form: SearchForm, counted: Sequence[models.Facet]) -> FacetView:
    chosen = _normal(field, search_form.filters.get(field, ()))
    counts = {one.value: one.cases for one in counted}
    counts |= {value: 0 for value in chosen if value not in counts}
    options = [Option(value, _label(context, field, value), cases, value in chosen) for value, cases in counts.items()]
    listed = [one for place, one in enumerate(options) if place < SHOWN or one.chosen]
    return FacetView(field, listed, [one for one in options if one not in listed])


def _normal(field: str, values: Sequence[str]) -> tuple[str, ...]:
    """Return the values as the index writes them: 264 is 刑法264."""
    if field != "article":
        return tuple(values)
    return tuple(value for one in values for value in parse_filter(f"article={one}").values)


def _label(context: PageContext, field: str, value: str) -> str:
    if field == "band":
        return context.format.phrases.band(value)
    return context.format.named(field, value)


def _chips(context: PageContext, search_form: SearchForm) -> list[Chip]:
    chips = []
    if search_form.node:
        chips.append(Chip("node", "node", context.t("filter.node"), context.place(search_form.node)))
    for field, values in search_form.filters.items():
        name = context.t(f"filter.{field}")
        chips += [Chip(field, f"{field}={value}", name, _label(context, field, value)) for value in values]
    if search_form.own_courts and search_form.court:
        chips.append(Chip("own_courts", "own_courts", context.t("filter.own_courts"), search_form.court))
    for written in keyword_filters(search_form.keywords):
        name = context.t("filter.with" if written.startswith(f"{TEXT}=") else "filter.without")
        chips.append(Chip("keywords", f"keywords={written}", name, written.partition("=")[2]))
    return chips
