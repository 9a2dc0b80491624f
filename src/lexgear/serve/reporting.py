"""Similar-case reports of the service: the request, the search, and the file that is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from fastapi import Response

from lexgear.api import Hit
from lexgear.judgment.records import Judgment
from lexgear.report.build import Searched, assemble_report
from lexgear.report.formats import Format, format_named
from lexgear.report.layout import report_title
from lexgear.report.model import Entries, Pending, Pick, Report, Use
from lexgear.report.writers.html import content_security_policy
from lexgear.serve.api.errors import ApiError, FieldError
from lexgear.serve.api.requests import ReportRequest
from lexgear.serve.privacy.masked_route import RenderedAnswer
from lexgear.serve.served_index import ServedIndex
from lexgear.serve.service import Service
from lexgear.serve.settings import ServeSettings
from lexgear.serve.tasks import Judge, Search
from lexgear.serve.validation import check_search, check_text


@dataclass(frozen=True)
class ReportFile(RenderedAnswer[Report]):
    """Report that is written in its format once its names are masked."""

    model: Report
    format: Format
    as_attachment: bool = False
    """Download an HTML report instead of showing it; other formats are always downloaded."""

    @property
    def filename(self) -> str:
        """File name: title and time of the report."""
        return f"{report_title(self.model)} {self.model.search.at:%Y-%m-%d %H%M}{self.format.suffix}"

    def render(self, model: Report) -> Response:
        """Write the report. HTML gets a content security policy of its own, which allows its style sheet only."""
        is_html = self.format.media_type.startswith("text/html")
        disposition = "inline" if is_html and not self.as_attachment else "attachment"
        headers = {"Content-Disposition": f"{disposition}; filename*=UTF-8''{quote(self.filename)}"}
        if is_html:
            headers["Content-Security-Policy"] = content_security_policy(model)
        return Response(self.format.bytes_of(model), media_type=self.format.media_type, headers=headers)


async def make_report(service: Service, request: ReportRequest, *, as_attachment: bool = False) -> ReportFile:
    """Return the requested report. Raises InputError if the index lacks a case or the law a place."""
    check_report(request, service.settings)
    served_index, at = service.served_index, datetime.now().astimezone()
    for case in request.cases:
        await asyncio.to_thread(served_index.document, case.id)
    filters, node = tuple(request.filters), request.node or ""
    hits = await service.worker.submit(Search(request.text, request.k, filters, node))
    charges: list[str] = []
    if request.cases and served_index.judges:
        judgment: Judgment = await service.worker.submit(Judge(request.text))
        charges = [charge.name for charge in judgment.charges if charge.applies]
    report = await asyncio.to_thread(_assemble, served_index, request, hits, charges, at)
    return ReportFile(report, format_named(None, f".{request.format}"), as_attachment)


def check_report(request: ReportRequest, settings: ServeSettings) -> None:
    """Raise ApiError if a request exceeds the limits of the service, or asks for names it does not show."""
    check_text(request.text, settings.text_characters)
    for name in ("by", "organisation", "title", "number", "court"):
        check_text(getattr(request, name), settings.text_characters, name)
    for place, dispute in enumerate(request.disputes):
        check_text(dispute, settings.text_characters, f"disputes.{place}")
    for place, case in enumerate(request.cases):
        check_text(case.remark, settings.text_characters, f"cases.{place}.remark")
    check_search(settings, k=request.k, filters=request.filters)
    if not (request.masked or settings.unmask):
        problem = "this service does not show names of private persons"
        raise ApiError(422, where=[FieldError("body.masked", "names_hidden", problem)])


def _assemble(
    served_index: ServedIndex, request: ReportRequest, hits: Sequence[Hit], charges: Sequence[str], at: datetime
) -> Report:
    entries = _entries(request, at, served_index)
    searched = Searched(hits, served_index.count(entries.filters, entries.node), charges)
    return assemble_report(served_index.index, entries, searched, served_index.key_points)


def _entries(request: ReportRequest, at: datetime, served_index: ServedIndex) -> Entries:
    pending = Pending(title=request.title, number=request.number, court=request.court, disputes=tuple(request.disputes))
    picks = (Pick(id=case.id, use=Use(case.use or Use.OPEN), remark=case.remark) for case in request.cases)
    return Entries(
        text=request.text,
        at=at,
        by=request.by,
        organisation=request.organisation,
        k=request.k,
        filters=tuple(request.filters),
        node=request.node or "",
        pending=pending,
        cases=tuple(picks),
        language=request.language or ("fr" if served_index.language == "fr" else "zh"),
        masked=request.masked,
    )
