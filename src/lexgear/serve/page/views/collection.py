"""The collection at a glance: places of the law with how many documents hang there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lexgear.law.tree import LawNode
from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext


@dataclass(frozen=True)
class PlaceView:
    """A place below, with its bar."""

    node: LawNode
    cases: int
    share: float
    """Of the most that a place beside it has."""
    has_more: bool
    """Whether something is below it."""


@dataclass(frozen=True)
class ListedCase:
    """A document in a list."""

    brief: models.CaseBrief
    title: str


def places(context: PageContext, below: Sequence[models.LawNodeBrief]) -> list[PlaceView]:
    """Places side by side."""
    most = max((one.cases for one in below), default=0) or 1
    return [PlaceView(context.node(one.id), one.cases, one.cases / most, bool(one.children)) for one in below]


def listed(context: PageContext, documents: Sequence[models.CaseBrief]) -> list[ListedCase]:
    """Documents with their titles masked."""
    found = []
    for brief in documents:
        document = context.served_index.document(brief.id)
        found.append(ListedCase(brief, context.maskers.case(document).text(document.title)))
    return found
