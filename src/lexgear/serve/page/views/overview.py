"""Overview of the collection: cases per chapter, charge, year, court, level and region, each a link that narrows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from lexgear.index.catalogue import DocumentColumns
from lexgear.serve.page.context import PageContext
from lexgear.serve.served_index import ServedIndex

FIELDS = ("date", "node", "level", "charge", "court", "region")
"""Fields of the address that narrow the overview, in the order of its pictures."""
MAX_BARS = 12
"""Bars per picture, the largest ones; years are all shown."""
MAX_FOLDED = 300
"""Number of other values up to which they are listed, folded."""


@dataclass(frozen=True)
class Bar:
    """Value with its number of cases."""

    value: str
    label: str
    cases: int
    share: float
    """Number of cases relative to the largest bar."""
    address: str
    """Overview narrowed to the value, or widened again if it is chosen already."""
    is_chosen: bool


@dataclass(frozen=True)
class Chart:
    """Picture of the values of one field."""

    field: str
    bars: Sequence[Bar]
    folded: Sequence[Bar]
    """Smaller values."""
    more: int
    """Number of values that are not shown, or only folded."""


@dataclass(frozen=True)
class Overview:
    """Selection of cases and its pictures."""

    cases: int
    charts: Sequence[Chart]
    chips: Sequence[tuple[str, str, str]]
    """Field, value in words, and the address without it."""


def selected(served_index: ServedIndex, chosen: Mapping[str, str]) -> list[DocumentColumns]:
    """Return the cases that pass all choices, in the order of the index."""
    below = served_index.placement.below
    inside = set(below.get(served_index.node(chosen["node"]).id, ())) if "node" in chosen else None
    filters = [f"{name}={value}" for name, value in chosen.items() if name != "node"]
    passing = served_index.index.stored.catalogue.select(filters) if filters else None
    return [
        one
        for one in served_index.columns
        if (inside is None or one.id in inside) and (passing is None or one.id in passing)
    ]


def overview(context: PageContext, chosen: Mapping[str, str], cases: Sequence[DocumentColumns]) -> Overview:
    """Return the pictures of a selection."""
    charts = (_chart(context, field, chosen, cases) for field in FIELDS)
    chips = [(name, _label(context, name, value), address({**chosen, name: ""})) for name, value in chosen.items()]
    return Overview(len(cases), [one for one in charts if len(one.bars) > 1 or one.field in chosen], chips)


def address(chosen: Mapping[str, str], **more: str) -> str:
    """Return the address of the overview narrowed by these choices; empty ones are left out."""
    query = urlencode({name: value for name, value in {**chosen, **more}.items() if value})
    return f"/law?{query}" if query else "/law"


def _chart(context: PageContext, field: str, chosen: Mapping[str, str], cases: Iterable[DocumentColumns]) -> Chart:
    counted = Counter(value for one in cases for value in _values(context, field, one))
    ordered = sorted(counted.items()) if field == "date" else counted.most_common()
    shown = ordered if field == "date" else ordered[:MAX_BARS]
    largest = max(counted.values(), default=1)
    folded = ordered[len(shown) :] if len(ordered) - len(shown) <= MAX_FOLDED else []
    bars = [
        Bar(
            value=value,
            label=_label(context, field, value),
            cases=count,
            share=count / largest,
            address=address({**chosen, field: "" if chosen.get(field) == value else value}),
            is_chosen=chosen.get(field) == value,
        )
        for value, count in (*shown, *folded)
    ]
    return Chart(field, bars[: len(shown)], bars[len(shown) :], len(ordered) - len(shown))


def _values(context: PageContext, field: str, case: DocumentColumns) -> set[str]:
    if field == "node":
        return {chapter for charge in case.charges for chapter in _chapters(context, charge)}
    if field == "charge":
        return set(case.charges)
    value: str = getattr(case, field) or ""
    return {value[:4] if field == "date" else value} - {""}


def _chapters(context: PageContext, charge: str) -> Iterable[str]:
    """Yield the chapters that a charge stands in."""
    law = context.served_index.index.law
    for place in context.served_index.placement.charges.get(charge, ()):
        yield from (step.id for step in law.path(law[place]) if step.kind == "chapter")


def _label(context: PageContext, field: str, value: str) -> str:
    return context.place(value) if field == "node" else context.format.named(field, value)
