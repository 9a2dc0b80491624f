"""Pages of the law, from its root."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from lexgear.serve.api.models import LawPlace
from lexgear.serve.api.routes import law as api
from lexgear.serve.api.serialization import brief_of
from lexgear.serve.page.context import CurrentContext, HtmlPage
from lexgear.serve.page.models import CollectionPage
from lexgear.serve.page.views.law_places import place_views
from lexgear.serve.page.views.overview import FIELDS, address, overview, selected
from lexgear.serve.page.views.statute import statute_views
from lexgear.serve.privacy.masked_route import MaskedRoute

router = APIRouter(include_in_schema=False, route_class=MaskedRoute)
PAGE_SIZE = 20
"""Documents on a page."""


@router.get("/law", response_model=None)
def law(
    request: Request, context: CurrentContext, offset: Annotated[int, Query(ge=0, le=2**31)] = 0
) -> HtmlPage[CollectionPage]:
    """Show pictures of the collection and, if one of their values is chosen, its cases; below them the law."""
    served_index = context.served_index
    chosen = {name: value for name in FIELDS if (value := request.query_params.get(name, "").strip())}
    cases = selected(served_index, chosen) if context.has_cases else []
    listed = cases[offset : offset + PAGE_SIZE] if chosen else []
    documents = [brief_of(served_index.document(one.id), served_index) for one in listed]

    def view(page: CollectionPage) -> dict[str, Any]:
        roots, only = page.root.roots, None
        if len(roots) == 1:
            place = api.law_place(roots[0].id, context.service, k=0, offset=0)
            while len(filled := [one for one in place.below if one.cases]) == 1 and filled[0].children:
                place = api.law_place(filled[0].id, context.service, k=0, offset=0)
            only, roots = context.node(place.path[0].id), place.below
        pages = {
            "previous": address(chosen, offset=str(max(offset - PAGE_SIZE, 0))) if offset else "",
            "next": address(chosen, offset=str(offset + PAGE_SIZE)) if offset + PAGE_SIZE < len(cases) else "",
        }
        shown = overview(context, chosen, cases) if context.has_cases else None
        values = {"root": page.root, "only": only, "below": place_views(context, roots), "offset": offset}
        return {**values, "documents": page.documents, "overview": shown, "pages": pages}

    return HtmlPage(context, "law.html", CollectionPage(root=api.law(context.service), documents=documents), view)


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
            "statutes": statute_views(context, context.node(place.id)),
            "previous": max(offset - PAGE_SIZE, 0) if offset else None,
        }

    place = api.law_place(context.node(node_id).id, context.service, k=PAGE_SIZE, offset=offset)
    return HtmlPage(context, "place.html", place, view)
