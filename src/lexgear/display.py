"""What a person sees in the terminal: progress bars, and the hits of a search."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lexgear.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from lexgear.api import Found
    from lexgear.law.tree import LawTree
    from lexgear.rankers.judging import Opinion


PLAIN_WIDTH = 120
"""Columns where the output is not a terminal."""


def console(*, to_stderr: bool = False) -> Console:
    """A console on standard output, or on standard error for what is not a result."""
    from rich.console import Console

    stream = sys.stderr if to_stderr else sys.stdout
    return Console(file=stream, highlight=False, width=None if stream.isatty() else PLAIN_WIDTH)


@contextmanager
def progress_bar(description: str) -> Iterator[Progress]:
    """A bar on standard error, with the time left, moved by calls of (done, total); none where nobody looks."""
    from rich import progress as rich

    columns = (
        *(rich.TextColumn("{task.description}"), rich.BarColumn(), rich.MofNCompleteColumn()),
        *(rich.TimeElapsedColumn(), rich.TimeRemainingColumn()),
    )
    with rich.Progress(*columns, console=console(to_stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(description, total=None)

        def move(done: int, total: int | None) -> None:
            bar.update(task, completed=done, total=total)

        yield move


def percent(part: int, whole: int) -> str:
    """A share with one decimal; 100.0% means all of it, 0.0% nothing.

    >>> percent(7264, 7265), percent(7265, 7265), percent(1, 7265)
    ('99.9%', '100.0%', '0.1%')
    """
    share = part / whole if part in {0, whole} else min(max(part / whole, 0.001), 0.999)
    return f"{share:.1%}"


def hits_text(hits: Sequence[Found], gloss: Callable[[Found], str] = lambda hit: "") -> Text:
    """Hits with what a lawyer looks for first: title, place in the law, court, date and sentence."""
    from rich.text import Text

    lines = []
    for hit in hits:
        document = hit.document
        decided = " · ".join(part for part in (document.court, document.date, hit.sentence) if part)
        lines.append(
            Text.assemble(f"{hit.rank:>3}  ", (f"{hit.score:8.3f}", "dim"), "  ", (document.title or "–", "bold"))
        )
        lines[-1].append(f"  [{document.id}]", "dim")
        lines.extend(Text(f"     {place}", "cyan") for place in hit.places)
        lines.extend(Text(f"     {part}", "dim") for part in (decided, gloss(hit)) if part)
    return Text("\n").join(lines)


def opinion_text(opinion: Opinion, law: LawTree) -> Text:
    """A judgment as a list of charges, each with its walk down the law, and what speaks for them."""
    from rich.text import Text

    lines = [Text(opinion.note, "yellow")] if opinion.note else []
    for charge in opinion.charges[:5]:
        walk = " › ".join(
            law[step].title or law[step].number for step in charge.path[1:] if law[step].kind != "article"
        )
        mark = ("applies   ", "bold green") if charge.applies else ("          ", "")
        lines.append(Text.assemble(mark, (charge.name, "bold"), f"  probability {charge.probability:.3f}"))
        lines[-1].append(f"  share {charge.share:.3f}", "dim")
        lines.append(Text(f"          {walk}", "cyan"))
    if opinion.articles:
        lines.append(Text(f"articles  {', '.join(opinion.articles)}"))
    for part in sorted(opinion.rationale["sentences"], key=lambda row: -float(row["score"]))[:3]:
        lines.append(Text(f"rationale {part['text'].strip()}", "dim"))
    return Text("\n").join(lines)
