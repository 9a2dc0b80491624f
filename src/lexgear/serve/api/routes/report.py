"""The similar-case report (类案检索报告)."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from lexgear.report.formats import FORMATS
from lexgear.report.model import WrittenReport
from lexgear.serve.api.errors import ASKING, documented
from lexgear.serve.api.report_request import ReportRequest
from lexgear.serve.reporting import make_report
from lexgear.serve.service import API, CurrentService

router = APIRouter(prefix=API, tags=["report"])
FILE = {"schema": {"type": "string", "format": "binary"}}
WRITTEN: dict[str, Any] = {
    "model": WrittenReport,
    "description": "The report, in the format that was asked for.",
    "content": {one.media_type.partition(";")[0]: FILE for name, one in FORMATS.items() if name != "json"},
}


@router.post(
    "/report",
    response_class=Response,
    responses={**documented(*ASKING, 404), 200: WRITTEN},
    operation_id="report",
)
async def report(asked: ReportRequest, request: Request, service: CurrentService) -> Response:
    """The similar-case report on a search: how it was searched, what was found by authority, cases you pick quoted."""
    service.text(request, asked.text)
    made = await make_report(service, asked)
    return Response(made.data, media_type=made.media_type, headers=made.headers)
