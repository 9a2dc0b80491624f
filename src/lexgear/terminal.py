"""What a person sees in the terminal: progress bars, and the hits of a search."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lexgear.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.table import Table
    from rich.text import Text
    from rich.tree import Tree

    from lexgear.api import Hit
    from lexgear.evaluation.calibration import Trust
    from lexgear.judgment.judge import Judgment
    from lexgear.law.tree import LawTree
    from lexgear.rankers.explanation import Step


PLAIN_WIDTH = 120
"""Columns where the output is not a terminal."""
SHOWN = 5
"""Charges of a judgment on the screen."""
LONGEST = 54
"""Characters of a sentence on the screen; Chinese ones are two columns wide."""
CALIBRATION = (
    "in brackets: 95% bootstrap interval over the queries; calibration error over ten bins of as many (query, charge)\n"
    "pairs, of the charges listed and those missed; Brier: sum of squares over the charges of a query"
)


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

        def move(done: int, total: int | None, note: str = "") -> None:
            bar.update(task, completed=done, total=total, description=f"{description} {note}".strip())

        yield move


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural: `1 document`, `1,200 documents`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def percent(part: int, whole: int) -> str:
    """A share with one decimal; 100.0% means all of it, 0.0% nothing.

    >>> percent(7264, 7265), percent(7265, 7265), percent(1, 7265)
    ('99.9%', '100.0%', '0.1%')
    """
    share = part / whole if part in {0, whole} else min(max(part / whole, 0.001), 0.999)
    return f"{share:.1%}"


def hits_text(hits: Sequence[Hit], gloss: Callable[[Hit], str] = lambda hit: "") -> Text:
    """Hits with what a lawyer looks for first: title, place in the law, court, date and sentence; then why."""
    from rich.text import Text

    lines = []
    for hit in hits:
        document = hit.document
        decided = " · ".join(part for part in (document.court, document.date, hit.sentence) if part)
        lines.append(
            Text.assemble(f"{hit.rank:>3}  ", (f"{hit.score:8.3f}", "dim"), "  ", (document.title or "–", "bold"))
        )
        lines[-1].append(f"  [{document.id}]", "dim")
        lines.extend(Text(f"     {place}", "cyan") for place in _places(hit))
        lines.extend(Text(f"     {part}", "dim") for part in (decided, gloss(hit), *_why(hit)) if part)
    return Text("\n").join(lines)


def _places(hit: Hit) -> Iterator[str]:
    """Each path in a line, with the probability of every step that was not certain."""
    from lexgear.api import step_name

    known = {} if hit.explanation is None else {step.place: step for path in hit.explanation.paths for step in path}
    for path in hit.paths:
        steps = [step_name(node) + _percent_of(known.get(node.id)) for node in path]
        # Where the ID is generated whole, its last step is the document.
        if own := known.get(hit.document.id):
            steps.append(f"[{hit.document.id}]{_percent_of(own)}")
        yield " › ".join(steps)


def _percent_of(step: Step | None) -> str:
    return "" if step is None or step.probability > 0.995 else f" {step.probability:.0%}"


def _why(hit: Hit) -> Iterator[str]:
    """What gave the score, and what of the query speaks for the charges."""
    why = hit.explanation
    if why is None or not why.paths:
        return
    words = f" ({' '.join(word for word, _ in why.shared)})" if why.shared else ""
    asked = f", asked before {why.asked:+.2f}" if why.asked else ""
    yield f"charge {why.charge:+.2f}, content {why.content:+.2f}, words {why.words:+.2f}{words}{asked}"
    if why.rationale:
        yield f"{why.rationale[0].charge}: {_short(why.rationale[0].text)}"


def opinion_view(opinion: Judgment, law: LawTree) -> Group:
    """A judgment: the charges with what speaks for each, the articles, and the walk down the law as a tree."""
    from rich.console import Group
    from rich.text import Text

    lines = [Text(opinion.note.text, "yellow")] if opinion.note else []
    for charge in opinion.charges[:SHOWN]:
        mark = ("applies   ", "bold green") if charge.applies else ("          ", "")
        lines.append(Text.assemble(mark, (charge.name, "bold"), f"  probability {charge.probability:.3f}"))
        lines[-1].append(f"  share {charge.share:.3f}", "dim")
        if charge.applies or charge is opinion.charges[0]:
            lines.extend(Text(f"          {_short(part.text)}", "dim") for part in charge.rationale)
    if opinion.articles:
        lines.append(Text(f"articles  {', '.join(opinion.articles)}"))
    return Group(*lines, *([walk_tree(opinion, law)] if opinion.walk else []))


def walk_tree(opinion: Judgment, law: LawTree) -> Tree:
    """The walk to the charges shown, or to the likeliest places of a law without any; the rest as `others`."""
    from rich.text import Text
    from rich.tree import Tree

    from lexgear.api import step_name
    from lexgear.judgment.judge import LIKELY

    shares = dict(opinion.walk)
    top = Tree(Text(law.roots[0].title or law.roots[0].number if len(law.roots) == 1 else "law", "bold"))
    ways = {place for charge in opinion.charges[:SHOWN] for place in charge.path} or _likeliest(opinion, law)
    drawn: dict[str | None, Tree] = {}
    rest = dict(shares)
    for place, share in opinion.walk:  # parents come first
        if place in ways:
            node = law[place]
            style = "bold" if node.kind == "charge" else ""
            label = Text.assemble((step_name(node), style), (f"  {share:.1%}", "cyan"))
            drawn[place] = drawn.get(node.parent, top).add(label)
            rest[str(node.parent)] = rest.get(str(node.parent), 1.0) - share
    for at, branch in drawn.items():
        if law[str(at)].children and rest[str(at)] >= LIKELY:
            branch.add(Text(f"others  {rest[str(at)]:.1%}", "dim"))
    return top


def _likeliest(opinion: Judgment, law: LawTree) -> set[str]:
    """The likeliest places that nothing likely stands under, and the ways there."""
    above = {law[place].parent for place, _ in opinion.walk}
    ends = sorted((share, place) for place, share in opinion.walk if place not in above)[-SHOWN:]
    return {step.id for _, place in ends for step in law.path(law[place])}


def trust_table(trusts: Mapping[str, Trust]) -> Table:
    """What judgments are worth on queries whose charges are known."""
    from rich.table import Table

    table = Table(caption=CALIBRATION, caption_justify="left")
    columns = ("coverage@1", "coverage@3", "first right", "calibration error", "Brier")
    for name in ("queries", "number", *columns):
        table.add_column(name, justify="left" if name == "queries" else "right")
    for name, one in trusts.items():
        values = (one.coverage_at_1, one.coverage_at_3, one.first_right, one.calibration_error, one.brier)
        cells = (f"{value.value:.3f}\n[{value.low:.3f}, {value.high:.3f}]".replace("[", "\\[") for value in values)
        table.add_row(name, str(one.queries), *cells)
    return table


def _short(text: str) -> str:
    """One line of a text that anybody may have written: terminals obey control characters, so none is shown."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text.strip())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"
