"""Pages of the law, from its root."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from lexgear.serve.api.models import LawPlace
from lexgear.serve.api.routes import law as api
from lexgear.serve.page.context import CurrentContext, HtmlPage
from lexgear.serve.page.views.law_places import place_views
from lexgear.serve.privacy.masked_route import MaskedRoute, exempt_from_masking

router = APIRouter(include_in_schema=False, route_class=MaskedRoute)
PAGE_SIZE = 20
"""Documents on a page."""


@router.get("/law")
@exempt_from_masking("places of the law and counts only")
def law(context: CurrentContext) -> Response:
    """Show the codes, or the parts of the code if there is only one."""
    root = api.law(context.service)
    if len(root.roots) == 1:
        place = api.law_place(root.roots[0].id, context.service, k=0, offset=0)
        only, below = context.node(place.id), place_views(context, place.below)
        return context.page("law.html", root=root, only=only, below=below)
    return context.page("law.html", root=root, only=None, below=place_views(context, root.roots))


@router.get("/law/{node_id:path}", response_model=None)
def law_place(
    node_id: str, context: CurrentContext, offset: Annotated[int, Query(ge=0, le=2**31)] = 0
) -> HtmlPage[LawPlace]:
    """Show a place of the law: its path, its text, the places below it and its documents."""

    def view(place: LawPlace) -> dict[str, Any]:
        return {
            "given": place,
            "path": [context.node(step.id) for step in place.path],
            "below": place_views(context, place.below),
            "previous": max(offset - PAGE_SIZE, 0) if offset else None,
        }

    place = api.law_place(context.node(node_id).id, context.service, k=PAGE_SIZE, offset=offset)
    return HtmlPage(context, "place.html", place, view)
