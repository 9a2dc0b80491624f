"""Page of two cases side by side."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.concurrency import run_in_threadpool

from lexgear.serve.api.errors import ApiError
from lexgear.serve.api.models import Comparison
from lexgear.serve.api.serialization import case_of
from lexgear.serve.page.context import CurrentContext, HtmlPage, PageContext
from lexgear.serve.page.form import SearchForm, read_form, read_search_form, value_of
from lexgear.serve.page.models import SideBySide
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.page.views.comparison import comparison_view
from lexgear.serve.privacy.masked_route import MaskedRoute
from lexgear.serve.served_index import ServedIndex
from lexgear.serve.tasks import Compare

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)], route_class=MaskedRoute)


@router.post("/compare", response_model=None)
async def compare(request: Request, context: CurrentContext) -> HtmlPage[SideBySide]:
    """Compare the text of the form, or another case, with a case."""
    form = await request.form()
    case, other = value_of(form, "case"), value_of(form, "with")
    search_form = read_form(form) if case else read_search_form(form)
    if not other:
        raise ApiError(404)
    text = "" if case else search_form.text
    context.service.check_texts(request, text)
    return await _compared(context, search_form, text, case, other)


@router.get("/compare", response_model=None)
async def compare_cases(
    context: CurrentContext, case: str = "", other: Annotated[str, Query(alias="with")] = ""
) -> HtmlPage[SideBySide]:
    """Compare two cases of the index. Without both, redirect to the start page: facts are never part of an address."""
    if not (case and other):
        raise ApiError(303, headers={"Location": "/"})
    return await _compared(context, SearchForm(), "", case, other)


async def _compared(
    context: PageContext, search_form: SearchForm, text: str, case: str, other: str
) -> HtmlPage[SideBySide]:
    comparison: Comparison = await context.service.worker.submit(Compare(text, case, other))
    model = await run_in_threadpool(_side_by_side, context.served_index, comparison, case, other)

    def view(masked: SideBySide) -> dict[str, Any]:
        shown = comparison_view(context, text, masked)
        return {"search_form": search_form, "case": case, "other": other, "view": shown, "repost": "again"}

    return HtmlPage(context, "compare.html", model, view)


def _side_by_side(served_index: ServedIndex, comparison: Comparison, case: str, other: str) -> SideBySide:
    left = case_of(served_index.document(case), served_index) if case else None
    return SideBySide(comparison=comparison, left=left, right=case_of(served_index.document(other), served_index))
