"""CSV writer: the list of results. No cell is ever read as a formula.

Columns and decimals are separated as spreadsheets in the language of the report expect them.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata

from lexgear.report.blocks import printable
from lexgear.report.model import Report, Result, SimilarCase
from lexgear.report.phrases import Phrases
from lexgear.wording.translations import texts

_COLUMNS = ("rank", "score", "id", "title", "tier", "court", "number", "date", "charges", "penalty", "use", "remark")
_ARTICLE_COLUMNS = ("rank", "score", "id", "title", "places", "in_force", "remark")
_SIGNS = {"fr": (";", ",")}
"""Separator of columns and decimal sign, if they are not a comma and a point."""
_FORMULA = frozenset("=+-@|%\N{MINUS SIGN}")
"""Signs that begin a formula, also in their wide, small and raised forms."""
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn", "Zl", "Zp", "Zs"})
"""Categories of signs that a spreadsheet may drop before it looks for a formula: spaces, soft hyphens, marks."""
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Letters by category that show nothing."""
_NUMBER = re.compile(r"-?[0-9]+([.,][0-9]+)?")


def to_csv(report: Report) -> str:
    """Return one row per result or picked case, best first, with a byte-order mark for spreadsheets."""
    phrases, picked = Phrases(texts("report", report.language)), {case.id: case for case in report.cases}
    columns = _ARTICLE_COLUMNS if report.only_articles else _COLUMNS
    separator, decimal = _SIGNS.get(report.language, (",", "."))
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    own = "title_articles" if report.only_articles else "title"
    writer.writerow([phrases.texts(f"column.{own if name == 'title' else name}") for name in columns])
    found = {one.id for one in report.results}
    for one in (*report.results, *(case for case in report.cases if case.id not in found)):
        cells = _cells(one, picked.get(one.id), phrases) | {"score": _score(one, phrases, decimal)}
        writer.writerow([escape_cell(cells[name]) for name in columns])
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


def _cells(one: Result, case: SimilarCase | None, phrases: Phrases) -> dict[str, str]:
    return {
        "rank": phrases.given(str(one.rank) if one.rank else None),
        "id": one.id,
        "title": phrases.given(one.title),
        "tier": phrases.texts(f"tier.{one.tier}"),
        "court": phrases.given(one.court),
        "number": phrases.given(one.number),
        "date": phrases.given(one.date),
        "charges": phrases.given(phrases.listed(one.charges)),
        "penalty": phrases.penalty(one.penalty),
        "places": phrases.given(phrases.listed(one.places)),
        "in_force": phrases.in_force(one.in_force_from, one.in_force_until),
        "use": phrases.texts(f"use.{case.use}") if case else "",
        "remark": case.remark or "" if case else "",
    }


def _score(one: Result, phrases: Phrases, decimal: str) -> str:
    return phrases.given(None if one.score is None else f"{one.score:.5f}".replace(".", decimal))
