"""The formats a report is written in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lexgear.errors import InputError
from lexgear.report.model import Report
from lexgear.report.writers.csv import to_csv
from lexgear.report.writers.docx import to_docx
from lexgear.report.writers.html import to_html
from lexgear.report.writers.json import to_json
from lexgear.report.writers.markdown import to_markdown


@dataclass(frozen=True, slots=True)
class Format:
    """How a report is written, what it then is, and how its files are named."""

    write: Callable[[Report], str | bytes]
    media_type: str
    suffix: str

    def bytes_of(self, report: Report) -> bytes:
        """The report as the file holds it."""
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
"""By name; `csv` is the list of results alone."""


def format_named(name: str | None, file_name: str = "") -> Format:
    """The format of that name or, without one, of a file so named."""
    if name is not None and name in FORMATS:
        return FORMATS[name]
    for one in FORMATS.values():
        if name is None and file_name.lower().endswith(one.suffix):
            return one
    problem = f"no format {name!r} for reports" if name else f"{file_name!r} does not say in which format"
    raise InputError(problem, remedy=f"--format {', '.join(FORMATS)}")
