"""The collection by the law, from its root."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from lexgear.serve.api.routes import law as api
from lexgear.serve.page.context import CurrentContext
from lexgear.serve.page.views.collection import listed, places

router = APIRouter(include_in_schema=False)
STEP = 20
"""Documents on a page."""


@router.get("/law")
def law(context: CurrentContext) -> Response:
    """The codes; where there is but one, its parts."""
    root = api.law(context.service)
    if len(root.roots) == 1:
        place = api.law_place(root.roots[0].id, context.service, k=0, offset=0)
        return context.page("law.html", root=root, only=context.node(place.id), below=places(context, place.below))
    return context.page("law.html", root=root, only=None, below=places(context, root.roots))


@router.get("/law/{node_id:path}")
def law_place(node_id: str, context: CurrentContext, offset: Annotated[int, Query(ge=0, le=2**31)] = 0) -> Response:
    """A place of the law: what stands above, its text, what is below, and its documents."""
    place = api.law_place(context.node(node_id).id, context.service, k=STEP, offset=offset)
    return context.page(
        "place.html",
        given=place,
        path=[context.node(step.id) for step in place.path],
        below=places(context, place.below),
        documents=listed(context, place.documents),
        previous=max(offset - STEP, 0) if offset else None,
    )
