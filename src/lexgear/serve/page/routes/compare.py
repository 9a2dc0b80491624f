"""A text beside a case."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from lexgear.serve.api.errors import Fault
from lexgear.serve.api.models import Comparison
from lexgear.serve.page.context import AtDesk
from lexgear.serve.page.form import asked_of, question_of, value_of
from lexgear.serve.page.same_origin import only_from_here
from lexgear.serve.page.views.comparison import comparison_view
from lexgear.serve.tasks import Compare

router = APIRouter(include_in_schema=False, dependencies=[Depends(only_from_here)])


@router.post("/compare")
async def compare(request: Request, desk: AtDesk) -> Response:
    """Two columns; a case can stand in place of the text."""
    form = await request.form()
    case, other = value_of(form, "case"), value_of(form, "with")
    question = question_of(form) if case else asked_of(form)
    if not other:
        raise Fault(404)
    text = "" if case else question.text
    desk.service.text(request, text)
    compared: Comparison = await desk.service.engine.ask(Compare(text, case, other))
    view = await run_in_threadpool(comparison_view, desk, text, case, compared)
    return await desk.answer("compare.html", question=question, case=case, other=other, view=view, repost="again")


@router.get("/compare")
async def begin() -> Response:
    """Facts are in no address."""
    return RedirectResponse("/", 303)
