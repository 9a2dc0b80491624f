"""Page of one document."""

from __future__ import annotations

from fastapi import APIRouter

from lexgear.serve.api.models import Case
from lexgear.serve.api.serialization import case_of
from lexgear.serve.page.context import CurrentContext, HtmlPage
from lexgear.serve.privacy.masked_route import MaskedRoute

router = APIRouter(include_in_schema=False, route_class=MaskedRoute)


@router.get("/cases/{case_id:path}", response_model=None)
def case(case_id: str, context: CurrentContext) -> HtmlPage[Case]:
    """Show a judgment or a statutory article."""
    document = context.served_index.document(case_id)
    return HtmlPage(context, "case.html", case_of(document, context.served_index), lambda case: {"case": case})
