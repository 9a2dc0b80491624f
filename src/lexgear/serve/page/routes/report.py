"""The similar-case report: a form for the picked cases, then the file."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from lexgear.serve.page.context import CurrentContext
from lexgear.serve.page.form import read_search_form, value_of
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.page.views.report_form import FORMATS, USES, moved_to, report_form, report_request
from lexgear.serve.reporting import make_report

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)])


@router.post("/report")
async def report(request: Request, context: CurrentContext) -> Response:
    """The form; with `make` the file, to be kept."""
    sent = await request.form()
    search_form = read_search_form(sent)
    form = await run_in_threadpool(report_form, context, sent, search_form)
    if "make" not in sent:
        moved = moved_to(value_of(sent, "move"), len(form.cases))
        return await context.answer(
            "report.html", search_form=search_form, form=form, uses=USES, formats=FORMATS, moved=moved,
            repost="report",
        )  # fmt: skip
    context.service.text(request, search_form.text)
    made = await make_report(context.service, report_request(context, form))
    headers = {**made.headers, "Content-Disposition": f"attachment; filename*=UTF-8''{quote(made.filename)}"}
    return Response(made.data, media_type=made.media_type, headers=headers)


@router.get("/report")
async def begin() -> Response:
    """Facts are in no address."""
    return RedirectResponse("/", 303)
