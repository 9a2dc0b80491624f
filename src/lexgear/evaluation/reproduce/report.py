"""Reports: tables as Markdown, CSV and JSON, and a figure."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from lexgear.atomic import atomic_file
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_text
from lexgear.training.curves import can_draw

Cell: TypeAlias = str | float | int | None
"""None if there is no value."""
Draw: TypeAlias = Callable[[Path], None]
"""Draws a figure into a file."""
EMPTY = "–"


@dataclass(frozen=True)
class Table:
    """One table; cells keep every digit, and only `markdown` rounds them."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()
    """Lines below the table."""
    for_machines: bool = False
    """True if a page for readers leaves the table out."""

    def markdown(self) -> str:
        """Return the table with numbers rounded to four digits, followed by its notes as a list."""
        lines = [list(self.columns), ["---", *("---:" for _ in self.columns[1:])]]
        lines += [[format_cell(cell) for cell in row] for row in self.rows]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        below = "".join(f"- {note}\n" for note in self.notes)
        return f"## {self.title}\n\n{table}\n" + (f"\n{below}" if below else "")

    def csv(self) -> str:
        """Return the table as CSV with every digit; cells without a value are empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return text.getvalue()


@dataclass(frozen=True)
class Report:
    """The tables of a recipe in reading order, and its figure."""

    name: str
    title: str
    tables: Sequence[Table]
    draw: Draw | None = None
    about: dict[str, str] = field(default_factory=dict)
    """Data set, command, date and software versions."""

    def section(self) -> str:
        """Return the tables for readers, with the command that made them, as a section of a page."""
        tables = [table.markdown().replace("## ", "### ", 1) for table in self.tables if not table.for_machines]
        return "\n".join([f"Made by {self.about.get('command', '')} ({self.about.get('date', '')}).\n", *tables])

    def markdown(self) -> str:
        """Return the whole report as one page."""
        about = "".join(f"- {name}: {value}\n" for name, value in self.about.items())
        return "\n".join([f"# {self.title}\n", about, *(table.markdown() for table in self.tables)])

    def write(self, directory: Path) -> list[Path]:
        """Write `NAME.md`, `NAME.json`, one CSV file per table, and `NAME.png` if matplotlib is installed."""
        texts = {f"{self.name}.md": self.markdown(), f"{self.name}.json": self._json()}
        for number, table in enumerate(self.tables, start=1):
            texts[f"{self.name}{f'-{number}' if number > 1 else ''}.csv"] = table.csv()
        written = []
        for name, text in texts.items():
            with atomic_file(directory / name) as file:
                file.write(text)
            written.append(directory / name)
        if self.draw is not None and can_draw():
            self.draw(directory / f"{self.name}.png")
            written.append(directory / f"{self.name}.png")
        return written

    def _json(self) -> str:
        tables = [
            {"title": one.title, "columns": one.columns, "rows": one.rows, "notes": one.notes} for one in self.tables
        ]
        whole = {"name": self.name, "title": self.title, "about": self.about, "tables": tables}
        return json.dumps(whole, ensure_ascii=False, indent=1)


def replace_section(page: Path, name: str, text: str) -> None:
    """Replace the text between the lines `<!-- NAME -->` and `<!-- end of NAME -->` of a page."""
    before, start, rest = read_text(page).partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- end of {name} -->")
    if not end:
        raise InputError(
            f"no section for {name}",
            code=ErrorCode.FILE_MALFORMED,
            file=page,
            remedy=f"add the lines <!-- {name} --> and <!-- end of {name} --> where it belongs",
            name=name,
        )
    with atomic_file(page) as file:
        file.write(f"{before}{start}\n{text}\n{end}{after}")


def format_cell(cell: Cell) -> str:
    """Return a cell as a reader sees it.

    >>> [format_cell(cell) for cell in (0.123456, 1390, None, "a|b")]
    ['.1235', '1,390', '–', 'a\\\\|b']
    """
    if cell is None:
        return EMPTY
    if isinstance(cell, str):
        return cell.replace("|", "\\|")
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:.4f}".replace("0.", ".", 1) if abs(cell) < 1 else f"{cell:,.2f}"
