"""The list of results as a file."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from lexgear.serve.api.errors import ApiError
from lexgear.serve.api.requests import ReportRequest
from lexgear.serve.page.context import CurrentContext
from lexgear.serve.page.form import read_search_form, value_of
from lexgear.serve.page.same_origin import require_same_origin
from lexgear.serve.privacy.masked_route import MaskedRoute, exempt_from_masking
from lexgear.serve.reporting import ReportFile, make_report

router = APIRouter(include_in_schema=False, dependencies=[Depends(require_same_origin)], route_class=MaskedRoute)
FORMATS = frozenset({"csv", "docx"})


@router.post("/export", response_model=None)
async def export(request: Request, context: CurrentContext) -> ReportFile:
    """Return the results that are shown, in order of relevance, as a spreadsheet or a document."""
    form = await request.form()
    search_form = read_search_form(form)
    if (written := value_of(form, "format")) not in FORMATS:
        raise ApiError(404)
    context.service.check_texts(request, search_form.text)
    body = ReportRequest.model_validate(
        {
            "text": search_form.text,
            "k": min(search_form.shown, context.service.settings.k),
            "filters": search_form.api_filters,
            "node": search_form.node or None,
            "court": search_form.court,
            "language": context.preferences.language,
            "format": written,
            "masked": not context.preferences.unmasked,
        }
    )
    return await make_report(context.service, body, as_attachment=True)


@router.get("/export")
@exempt_from_masking("redirect")
async def redirect_home() -> Response:
    """Redirect to the start page: facts are never part of an address."""
    return RedirectResponse("/", 303)
