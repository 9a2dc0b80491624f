"""What a recipe leaves behind: tables as Markdown, CSV and JSON, and a picture where there is one to draw."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from lexgear.atomic import atomic_file
from lexgear.errors import InputError
from lexgear.files import read_text
from lexgear.training.curves import can_draw

Cell: TypeAlias = str | float | int | None
"""None where there is nothing to say."""
Draw: TypeAlias = Callable[[Path], None]
NOTHING = "–"


@dataclass(frozen=True)
class Grid:
    """One table: its cells as they were measured; how many digits are shown is for the reader's eye."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()
    """What stands below it."""
    digits: bool = False
    """Whether it is there for machines alone: a longer page leaves it out."""

    def markdown(self) -> str:
        """With numbers to four digits, its notes as a list below."""
        lines = [list(self.columns), ["---", *("---:" for _ in self.columns[1:])]]
        lines += [[shown(cell) for cell in row] for row in self.rows]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        below = "".join(f"- {note}\n" for note in self.notes)
        return f"## {self.title}\n\n{table}\n" + (f"\n{below}" if below else "")

    def csv(self) -> str:
        """With every digit; empty where there is nothing."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return text.getvalue()


@dataclass(frozen=True)
class Report:
    """The tables of a recipe, in the order they are read, and its picture."""

    name: str
    title: str
    tables: Sequence[Grid]
    draw: Draw | None = None
    about: dict[str, str] = field(default_factory=dict)
    """Data set, command, date, versions: whatever a referee asks for."""

    def page(self) -> str:
        """What a longer page says of it: the tables, and the command that made them."""
        return "\n".join(
            [f"Made by {self.about.get('command', '')} ({self.about.get('date', '')}).\n", *self._tables()]
        )

    def _tables(self) -> list[str]:
        return [table.markdown().replace("## ", "### ", 1) for table in self.tables if not table.digits]

    def markdown(self) -> str:
        """All of it as one page."""
        about = "".join(f"- {name}: {value}\n" for name, value in self.about.items())
        return "\n".join([f"# {self.title}\n", about, *(table.markdown() for table in self.tables)])

    def write(self, directory: Path) -> list[Path]:
        """Writes `NAME.md`, `NAME.json`, a CSV a table, and `NAME.png` where matplotlib is installed."""
        tables = [vars(table) | {"notes": list(table.notes)} for table in self.tables]
        whole = {"name": self.name, "title": self.title, "about": self.about, "tables": tables}
        texts = {
            f"{self.name}.md": self.markdown(),
            f"{self.name}.json": json.dumps(whole, ensure_ascii=False, indent=1),
        }
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


def put_into(page: Path, name: str, text: str) -> None:
    """Puts a text between the marks `<!-- NAME -->` and `<!-- end of NAME -->` of a page; what was there goes."""
    before, mark, rest = read_text(page).partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- end of {name} -->")
    if not end:
        problem = f"no place for {name}: it stands between <!-- {name} --> and <!-- end of {name} -->"
        raise InputError(problem, file=page, remedy="write these two lines where it belongs")
    with atomic_file(page) as file:
        file.write(f"{before}{mark}\n{text}\n{end}{after}")


def shown(cell: Cell) -> str:
    """A cell as a reader sees it.

    >>> [shown(cell) for cell in (0.123456, 1390, None, "a|b")]
    ['.1235', '1,390', '–', 'a\\\\|b']
    """
    if cell is None:
        return NOTHING
    if isinstance(cell, str):
        return cell.replace("|", "\\|")
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:.4f}".replace("0.", ".", 1) if abs(cell) < 1 else f"{cell:,.2f}"
