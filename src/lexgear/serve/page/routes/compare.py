"""A text beside a case."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from lexgear.serve.api.errors import ApiError
from lexgear.serve.api.models import Comparison
from lexgear.serve.page.context import CurrentContext
from lexgear.serve.page.form import read_form, read_search_form, value_of
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.page.views.comparison import comparison_view
from lexgear.serve.tasks import Compare

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)])


@router.post("/compare")
async def compare(request: Request, context: CurrentContext) -> Response:
    """Two columns; a case can stand in place of the text."""
    form = await request.form()
    case, other = value_of(form, "case"), value_of(form, "with")
    search_form = read_form(form) if case else read_search_form(form)
    if not other:
        raise ApiError(404)
    text = "" if case else search_form.text
    context.service.text(request, text)
    compared: Comparison = await context.service.worker.submit(Compare(text, case, other))
    view = await run_in_threadpool(comparison_view, context, text, case, compared)
    return await context.answer(
        "compare.html", search_form=search_form, case=case, other=other, view=view, repost="again"
    )


@router.get("/compare")
async def begin() -> Response:
    """Facts are in no address."""
    return RedirectResponse("/", 303)
