"""Page of one document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool

from lexgear.serve.api.models import Comparison, LawStep
from lexgear.serve.api.serialization import case_of
from lexgear.serve.comparing.keyword_places import wanted_terms
from lexgear.serve.page.context import CurrentContext, HtmlPage, PageContext
from lexgear.serve.page.form import read_search_form
from lexgear.serve.page.models import ReadCase
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.page.views.case import case_view
from lexgear.serve.privacy.masked_route import MaskedRoute
from lexgear.serve.tasks import Compare

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)], route_class=MaskedRoute)


@router.get("/cases/{case_id:path}", response_model=None)
def case(case_id: str, context: CurrentContext) -> HtmlPage[ReadCase]:
    """Show a judgment or a statutory article."""
    return _page(context, case_id, None)


@router.post("/cases/{case_id:path}", response_model=None)
async def case_for_text(case_id: str, request: Request, context: CurrentContext) -> HtmlPage[ReadCase]:
    """Show a document with what it has in common with the text and the keywords of the form."""
    form = read_search_form(await request.form())
    context.service.check_texts(request, form.text)
    comparison: Comparison = await context.service.worker.submit(Compare(form.text, "", case_id))
    return await run_in_threadpool(_page, context, case_id, comparison, wanted_terms(form.keywords))


def _page(
    context: PageContext, case_id: str, comparison: Comparison | None, terms: Sequence[str] = ()
) -> HtmlPage[ReadCase]:
    served_index = context.served_index
    document = served_index.document(case_id)
    before, after = (_step(context, name) for name in served_index.neighbours(document.node))
    read = ReadCase(case=case_of(document, served_index), comparison=comparison, before=before, after=after)

    def view(masked: ReadCase) -> dict[str, Any]:
        return {"case": masked.case, "view": case_view(context, masked, terms)}

    return HtmlPage(context, "case.html", read, view)


def _step(context: PageContext, document_id: str) -> LawStep | None:
    """Return a neighbouring article by the id of its document."""
    if not document_id:
        return None
    node = context.node(context.served_index.document(document_id).node)
    return LawStep(id=document_id, kind=node.kind, name=context.format.place(node))
