"""CSV writer: the list of results. No cell is ever read as a formula."""

from __future__ import annotations

import csv
import io
import re
import unicodedata

from lexgear.report.blocks import printable
from lexgear.report.model import Report, Result
from lexgear.report.phrases import Phrases
from lexgear.wording.translations import texts

_COLUMNS = ("rank", "score", "id", "title", "tier", "court", "number", "date", "charges", "penalty", "use", "remark")
_FORMULA = frozenset("=+-@|%\N{MINUS SIGN}")
"""Signs that begin a formula, also in their wide, small and raised forms."""
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn", "Zl", "Zp", "Zs"})
"""Categories of signs that a spreadsheet may drop before it looks for a formula: spaces, soft hyphens, marks."""
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Letters by category that show nothing."""
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def to_csv(report: Report) -> str:
    """Return one row per result or picked case, best first, with a byte-order mark for spreadsheets."""
    words, uses = texts("report", report.language), {case.id: case for case in report.cases}
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([words(f"column.{name}") for name in _COLUMNS])
    found = {one.id for one in report.results}
    for one in (*report.results, *(case for case in report.cases if case.id not in found)):
        case = uses.get(one.id)
        chosen = (words(f"use.{case.use}"), case.remark or "") if case else ("", "")
        writer.writerow([escape_cell(cell) for cell in (*_cells(one, Phrases(words)), *chosen)])
    return f"\N{ZERO WIDTH NO-BREAK SPACE}{file.getvalue()}"


def escape_cell(cell: str) -> str:
    """Return a cell on one line, with an apostrophe before anything that a spreadsheet could read as a formula.

    >>> escape_cell("=1+2"), escape_cell("-3.5")
    ("'=1+2", '-3.5')
    """
    line = " ".join(printable(cell).split())
    return f"'{line}" if _may_be_formula(cell) and not _NUMBER.fullmatch(line) else line


def _may_be_formula(cell: str) -> bool:
    if cell.startswith(("\t", "\r")):
        return True
    seen = (sign for sign in cell if unicodedata.category(sign) not in _UNSEEN and sign not in _FILLERS)
    return unicodedata.normalize("NFKC", next(seen, ""))[:1] in _FORMULA


def _cells(one: Result, phrases: Phrases) -> tuple[str, ...]:
    return (
        phrases.given(str(one.rank) if one.rank else None),
        phrases.given(None if one.score is None else f"{one.score:.5f}"),
        one.id,
        phrases.given(one.title),
        phrases.texts(f"tier.{one.tier}"),
        phrases.given(one.court),
        phrases.given(one.number),
        phrases.given(one.date),
        phrases.given(phrases.listed(one.charges)),
        phrases.penalty(one.penalty),
    )
