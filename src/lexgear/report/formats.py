"""File formats of reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lexgear.errors import ErrorCode, InputError
from lexgear.report.model import Report
from lexgear.report.writers.csv import to_csv
from lexgear.report.writers.docx import to_docx
from lexgear.report.writers.html import to_html
from lexgear.report.writers.json import to_json
from lexgear.report.writers.markdown import to_markdown


@dataclass(frozen=True, slots=True)
class Format:
    """File format: writer, media type and suffix."""

    write: Callable[[Report], str | bytes]
    media_type: str
    suffix: str

    def bytes_of(self, report: Report) -> bytes:
        """Return the report as the content of a file."""
        written = self.write(report)
        return written if isinstance(written, bytes) else written.encode("utf-8")


_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
FORMATS = {
    "docx": Format(to_docx, _WORD, ".docx"),
    "html": Format(to_html, "text/html; charset=utf-8", ".html"),
    "markdown": Format(to_markdown, "text/markdown; charset=utf-8", ".md"),
    "json": Format(to_json, "application/json", ".json"),
    "csv": Format(to_csv, "text/csv; charset=utf-8", ".csv"),
}
"""By name; `csv` has the list of results only."""


def format_named(name: str | None, file_name: str = "") -> Format:
    """Return the format of a name or, if the name is None, of a file name."""
    if name is not None and name in FORMATS:
        return FORMATS[name]
    for one in FORMATS.values():
        if name is None and file_name.lower().endswith(one.suffix):
            return one
    problem = f"no report format {name!r}" if name else f"the name {file_name!r} does not determine the report format"
    raise InputError(
        problem, code=ErrorCode.UNKNOWN_NAME, remedy=f"formats: {', '.join(FORMATS)}", name=name or file_name
    )
