"""Places of the law with bars for their numbers of documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexgear.law.tree import LawNode
from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext


@dataclass(frozen=True)
class PlaceView:
    """Place of the law in a list."""

    node: LawNode
    cases: int
    share: float
    """Number of documents relative to the largest place in the list."""
    has_more: bool
    """True if there are places below it."""


def place_views(context: PageContext, places: Sequence[models.LawNodeBrief]) -> list[PlaceView]:
    """Return the views of sibling places."""
    largest = max((one.cases for one in places), default=0) or 1
    return [PlaceView(context.node(one.id), one.cases, one.cases / largest, bool(one.children)) for one in places]
