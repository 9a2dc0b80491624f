"""The similar-case report: a form for the picked cases, then the file."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from lexgear.serve.page.context import AtDesk
from lexgear.serve.page.form import asked_of, value_of
from lexgear.serve.page.same_origin import only_from_here
from lexgear.serve.page.views.report_form import FORMATS, USES, moved_to, report_form, report_request
from lexgear.serve.report_tasks import made_report

router = APIRouter(include_in_schema=False, dependencies=[Depends(only_from_here)])


@router.post("/report")
async def report(request: Request, desk: AtDesk) -> Response:
    """The form; with `make` the file, to be kept."""
    sent = await request.form()
    question = asked_of(sent)
    form = await run_in_threadpool(report_form, desk, sent, question)
    if "make" not in sent:
        moved = moved_to(value_of(sent, "move"), len(form.cases))
        return await desk.answer(
            "report.html", question=question, form=form, uses=USES, formats=FORMATS, moved=moved,
            repost="report",
        )  # fmt: skip
    desk.service.text(request, question.text)
    made = await made_report(desk.service, report_request(desk, form))
    headers = {**made.headers, "Content-Disposition": f"attachment; filename*=UTF-8''{quote(made.filename)}"}
    return Response(made.data, media_type=made.media_type, headers=headers)


@router.get("/report")
async def begin() -> Response:
    """Facts are in no address."""
    return RedirectResponse("/", 303)
