"""A report as JSON: every field by name, texts as they are; null is what the search did not provide."""

from __future__ import annotations

from lexgear.files import dumps
from lexgear.report.model import Report, WrittenReport
from lexgear.wording.translations import texts


def to_json(report: Report) -> str:
    """The report, with what null means in its own language."""
    written = WrittenReport(**dict(report), null_means=texts("report", report.language)("absent"))
    return dumps(written.model_dump(mode="json")) + "\n"
