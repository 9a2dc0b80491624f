"""A similar-case report on a search: asked for as by the command, made beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from lexgear.api import Hit
from lexgear.report.build import Searched, build_report
from lexgear.report.formats import Format, format_named
from lexgear.report.model import Entries, Language, Pending, Pick, Use
from lexgear.report.writers.html import content_security_policy
from lexgear.serve.api.errors import ApiError, FieldError
from lexgear.serve.api.report_request import ReportRequest
from lexgear.serve.served_index import ServedIndex
from lexgear.serve.service import Service
from lexgear.serve.settings import ServeSettings
from lexgear.serve.tasks import Search
from lexgear.serve.validation import check_search, check_text
from lexgear.wording.translations import texts


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report as it is sent."""

    data: bytes
    media_type: str
    filename: str
    language: Language

    @property
    def headers(self) -> dict[str, str]:
        """A page is shown, in its own style alone; all else is kept under its name."""
        is_page = self.media_type.startswith("text/html")
        named = f"{'inline' if is_page else 'attachment'}; filename*=UTF-8''{quote(self.filename)}"
        policy = {"Content-Security-Policy": content_security_policy(self.language)} if is_page else {}
        return {"Content-Disposition": named, **policy}


async def make_report(service: Service, request: ReportRequest) -> ReportFile:
    """The report that is asked for; a case or a place that the index does not have is 404."""
    check_report(request, service.settings)
    served_index, at = service.served_index, datetime.now().astimezone()
    for case in request.cases:
        await asyncio.to_thread(served_index.document, case.id)
    filters, node = tuple(request.filters), request.node or ""
    found = await service.worker.submit(Search(request.text, request.k, filters, node))
    return await asyncio.to_thread(_written, served_index, request, found, at)


def check_report(request: ReportRequest, settings: ServeSettings) -> None:
    """Refuses what goes beyond the limits of the service."""
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


def _written(served_index: ServedIndex, request: ReportRequest, found: Sequence[Hit], at: datetime) -> ReportFile:
    entries = _entries(request, at, served_index)
    searched = Searched(found, served_index.within(entries.filters, entries.node))
    report = build_report(served_index.index, entries, searched, served_index.key_points)
    written: Format = format_named(None, f".{request.format}")
    title = texts("report", entries.language)("title")
    name = f"{title} {at:%Y-%m-%d %H%M}{written.suffix}"
    return ReportFile(written.bytes_of(report), written.media_type, name, entries.language)


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
