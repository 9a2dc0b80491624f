"""What a person sees in the terminal: progress bars, and the hits of a search."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from lexgear.api import Found


def console(*, to_stderr: bool = False) -> Console:
    """A console on standard output, or on standard error for what is not a result."""
    from rich.console import Console

    return Console(stderr=to_stderr, highlight=False, soft_wrap=not sys.stdout.isatty())


@contextmanager
def progress_bar(description: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, with the time left, moved by calls of (done, total)."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(to_stderr=True)) as progress:
        task = progress.add_task(description, total=None)

        def move(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        yield move


def hits_table(hits: Sequence[Found], title: str = "", gloss: Callable[[Found], str] | None = None) -> Table:
    """Hits with what a lawyer looks for first: charge and where it stands in the law, court, date, sentence."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title) if title else None, title_justify="left", show_lines=gloss is not None)
    table.add_column("#", justify="right")
    table.add_column("score", justify="right")
    table.add_column("document")
    table.add_column("where it hangs in the law")
    table.add_column("decided")
    for hit in hits:
        document = hit.document
        name = f"{document.id}  {document.title}" + (f"\n{gloss(hit)}" if gloss else "")
        decided = "\n".join(part for part in (document.court, document.date, hit.sentence) if part)
        table.add_row(
            str(hit.rank),
            f"{hit.score:.3f}",
            Text(name),
            Text("\n".join(hit.places) or "–"),
            Text(decided or "–"),
        )
    return table
