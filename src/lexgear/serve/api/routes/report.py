"""Endpoint for the similar-case report (类案检索报告)."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from lexgear.report.formats import FORMATS
from lexgear.report.model import WrittenReport
from lexgear.serve.api.errors import ASKING, documented
from lexgear.serve.api.requests import ReportRequest
from lexgear.serve.privacy.masked_route import MaskedRoute
from lexgear.serve.reporting import ReportFile, make_report
from lexgear.serve.service import API, CurrentService

router = APIRouter(prefix=API, tags=["report"], route_class=MaskedRoute)
FILE = {"schema": {"type": "string", "format": "binary"}}
REPORT: dict[str, Any] = {
    "model": WrittenReport,
    "description": "The report in the requested format.",
    "content": {one.media_type.partition(";")[0]: FILE for name, one in FORMATS.items() if name != "json"},
}


@router.post(
    "/report",
    response_model=None,
    response_class=Response,
    responses={**documented(*ASKING, 404, 410), 200: REPORT},
    operation_id="report",
)
async def report(body: ReportRequest, request: Request, service: CurrentService) -> ReportFile:
    """Write the similar-case report on a search: the search, the results by authority, quotations of picked cases."""
    service.check_texts(request, body.text)
    return await make_report(service, body)
