"""JSON writer. Texts are written unchanged; null means that the search did not provide a value."""

from __future__ import annotations

from lexgear.files import dumps
from lexgear.report.model import Report, WrittenReport
from lexgear.wording.translations import texts


def to_json(report: Report) -> str:
    """Return the report as JSON, with the meaning of null in its language."""
    written = WrittenReport(**dict(report), null_means=texts("report", report.language)("absent"))
    return dumps(written.model_dump(mode="json")) + "\n"
