"""Page of the similar-case report: a form for the picked cases, then the file."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from lexgear.serve.api.serialization import brief_of
from lexgear.serve.page.context import CurrentContext, HtmlPage
from lexgear.serve.page.form import read_search_form, value_of
from lexgear.serve.page.models import PickedCases
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.page.views.report_form import FORMATS, focused_button, report_form, report_request
from lexgear.serve.privacy.masked_route import MaskedRoute, exempt_from_masking
from lexgear.serve.reporting import ReportFile, make_report
from lexgear.serve.served_index import ServedIndex

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)], route_class=MaskedRoute)


@router.post("/report", response_model=None)
async def report(request: Request, context: CurrentContext) -> HtmlPage[PickedCases] | ReportFile:
    """Show the form; if the button `make` was pressed, return the report as a download."""
    sent = await request.form()
    search_form = read_search_form(sent)
    picked = await run_in_threadpool(_picked, context.served_index, search_form.picks)
    if "make" in sent:
        context.service.check_texts(request, search_form.text)
        body = report_request(context, report_form(context, sent, search_form, picked.cases))
        return await make_report(context.service, body, as_attachment=True)

    def view(masked: PickedCases) -> dict[str, Any]:
        form = report_form(context, sent, search_form, masked.cases)
        focus = focused_button(value_of(sent, "move"), len(form.cases))
        values = {"search_form": search_form, "form": form, "formats": FORMATS}
        return {**values, "focus": focus, "repost": "report"}

    return HtmlPage(context, "report.html", picked, view)


@router.get("/report")
@exempt_from_masking("redirect")
async def redirect_home() -> Response:
    """Redirect to the start page: facts are never part of an address."""
    return RedirectResponse("/", 303)


def _picked(served_index: ServedIndex, ids: tuple[str, ...]) -> PickedCases:
    return PickedCases(cases=[brief_of(served_index.document(name), served_index) for name in ids])
