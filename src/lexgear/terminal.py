"""Terminal output: progress, hits, judgments and tables."""

from __future__ import annotations

import sys
import time
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
    from lexgear.evaluation.calibration import Interval, JudgmentQuality
    from lexgear.judgment.records import Judgment
    from lexgear.law.tree import LawTree
    from lexgear.rankers.explanation import Explanation, Step


PLAIN_WIDTH = 120
"""Columns if the output is not a terminal."""
MAX_CHARGES = 5
"""Charges of a judgment that are printed."""
MAX_SENTENCE = 54
"""Characters of a sentence that are printed; Chinese characters are two columns wide."""
LINE_INTERVAL = 30.0
"""Seconds between progress lines if there is no terminal."""
CALIBRATION = (
    "in brackets: 95% bootstrap interval over the queries; calibration error: ten equal bins of (query, charge)\n"
    "pairs, for the charges listed and those missed; Brier: sum of squares over the charges of a query"
)


def console(*, to_stderr: bool = False) -> Console:
    """Return a console on standard output, or on standard error for everything but results."""
    from rich.console import Console

    stream = sys.stderr if to_stderr else sys.stdout
    return Console(file=stream, highlight=False, width=None if stream.isatty() else PLAIN_WIDTH)


@contextmanager
def progress_bar(description: str) -> Iterator[Progress]:
    """Yield a progress callback that draws a bar on standard error; without a terminal it prints lines."""
    if not sys.stderr.isatty():
        yield progress_lines(description)
        return
    from rich import progress as rich

    columns = (
        *(rich.TextColumn("{task.description}"), rich.BarColumn(), rich.MofNCompleteColumn()),
        *(rich.TimeElapsedColumn(), rich.TimeRemainingColumn()),
    )
    with rich.Progress(*columns, console=console(to_stderr=True)) as bar:
        task = bar.add_task(description, total=None)

        def move(done: int, total: int | None, note: str = "") -> None:
            bar.update(task, completed=done, total=total, description=f"{description} {note}".strip())

        yield move


def progress_lines(description: str, clock: Callable[[], float] = time.monotonic) -> Progress:
    """Return a progress callback for logs: it prints at most one line per half minute, and none for short work."""
    last = clock()

    def move(done: int, total: int | None, note: str = "") -> None:
        nonlocal last
        if (now := clock()) - last < LINE_INTERVAL:
            return
        last = now
        of_total = f" of {total:,}" if total else ""
        print(f"{description}: {done:,}{of_total}{f', {note}' if note else ''}", file=sys.stderr, flush=True)

    return move


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural.

    >>> counted(1, "document"), counted(1200, "document"), counted(0, "query")
    ('1 document', '1,200 documents', '0 queries')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"


def percent(part: int, whole: int) -> str:
    """Return a share with one decimal; only all is 100.0%, only nothing is 0.0%.

    >>> percent(7264, 7265), percent(7265, 7265), percent(1, 7265)
    ('99.9%', '100.0%', '0.1%')
    """
    share = part / whole if part in {0, whole} else min(max(part / whole, 0.001), 0.999)
    return f"{share:.1%}"


def hits_text(hits: Sequence[Hit], gloss: Callable[[Hit], str] = lambda hit: "") -> Text:
    """Return hits as text: title, place in the law, court, date and sentence, then the explanation."""
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
        details = (decided, hit.in_force, gloss(hit), *_factor_lines(hit), *_explanation_lines(hit))
        lines.extend(Text(f"     {part}", "dim") for part in details if part)
    return Text("\n").join(lines)


def _places(hit: Hit) -> Iterator[str]:
    """Yield each path as one line, with the probability of every step that is not certain."""
    from lexgear.api import step_name

    known = {} if hit.explanation is None else {step.place: step for path in hit.explanation.paths for step in path}
    for path in hit.paths:
        steps = [step_name(node) + _percent_of(known.get(node.id)) for node in path]
        # Rankers that generate whole IDs have the document as the last step.
        if own := known.get(hit.document.id):
            steps.append(f"[{hit.document.id}]{_percent_of(own)}")
        yield " › ".join(steps)


def _percent_of(step: Step | None) -> str:
    return "" if step is None or step.probability > 0.995 else f" {step.probability:.0%}"


def _factor_lines(hit: Hit) -> Iterator[str]:
    """Yield the legal factors in which the query and the case agree or differ."""
    from lexgear.wording.factor_texts import FactorTexts

    if factors := hit.factors:
        yield "; ".join(FactorTexts("en").reasons(factors))


def _explanation_lines(hit: Hit) -> Iterator[str]:
    """Yield the parts of the score, and the part of the query that indicates the charge."""
    why = hit.explanation
    if why is None or not why.paths:
        return
    words = f" ({' '.join(word for word, _ in why.shared)})" if why.shared else ""
    past_questions = f", past questions {why.past_questions:+.2f}" if why.past_questions else ""
    terms = f", legal terms {why.legal_terms:+.2f} ({_term_list(why)})" if why.terms and why.legal_terms else ""
    yield f"charge {why.charge:+.2f}, content {why.content:+.2f}, words {why.words:+.2f}{words}{terms}{past_questions}"
    if why.rationale:
        yield f"{why.rationale[0].charge}: {_one_line(why.rationale[0].text)}"


def _term_list(why: Explanation) -> str:
    """Return the legal terms of a hit, each with the expression of the query that it stands for."""
    return "; ".join(f"{one.term} for {one.expression!r}" for one in why.terms)


def judgment_view(judgment: Judgment, law: LawTree) -> Group:
    """Return a judgment as text: charges with their evidence, articles, and the walk down the law as a tree."""
    from rich.console import Group
    from rich.text import Text

    lines = [Text(judgment.note.text, "yellow")] if judgment.note else []
    for charge in judgment.charges[:MAX_CHARGES]:
        mark = ("applies   ", "bold green") if charge.applies else ("          ", "")
        grade = f"  {charge.grade.text}" if charge.grade else ""
        lines.append(Text.assemble(mark, (charge.name, "bold"), f"  probability {charge.probability:.3f}{grade}"))
        if charge.name_then:
            lines.append(Text(f"          then {charge.name_then}"))
        if charge.name_now not in ("", charge.name_then):
            lines.append(Text(f"          today {charge.name_now}"))
        if charge.remark:
            lines.append(Text(f"          {charge.remark.to_row()['text']}", "yellow"))
        if charge.threshold:
            lines.append(Text(f"          {charge.threshold.to_row()['text']}", "yellow"))
        if charge.expressions:
            lines.append(Text(f"          {' · '.join(part.text for part in charge.expressions)}", "cyan"))
        lines.extend(Text(f"          {_one_line(part.text)}", "dim") for part in charge.rationale)
    for dispute in judgment.disputes:
        lines.append(Text(f"disputed  {' / '.join(dispute.charges)}", "bold"))
        lines.append(Text(f"          {dispute.text('en')}"))
        lines.extend(
            Text(f"          for {name}: {' · '.join(part.text for part in parts)}", "cyan")
            for name, parts in zip(dispute.charges, dispute.reasons, strict=True)
            if parts
        )
    if judgment.act_date:
        lines.append(Text(f"act       {judgment.act_date.to_row()['date']}"))
    if judgment.articles:
        lines.append(Text(f"articles  {', '.join(judgment.articles)}"))
    return Group(*lines, *([walk_tree(judgment, law)] if judgment.walk else []))


def walk_tree(judgment: Judgment, law: LawTree) -> Tree:
    """Return the walk to the charges shown, or to the most probable places of a law without charges, as a tree.

    Charges have their probability, the one number that is shown of them everywhere. Without charges, the places have
    their shares, and those that lead elsewhere are summed up as `others`.
    """
    from rich.text import Text
    from rich.tree import Tree

    from lexgear.api import step_name
    from lexgear.judgment.judge import LIKELY

    shares = dict(judgment.walk)
    top = Tree(Text(law.roots[0].title or law.roots[0].number if len(law.roots) == 1 else "law", "bold"))
    shown = {place for charge in judgment.charges[:MAX_CHARGES] for place in charge.path} or _most_probable_places(
        judgment, law
    )
    numbers = {charge.path[-1]: charge.probability for charge in judgment.charges}
    drawn: dict[str | None, Tree] = {}
    rest = dict(shares)
    for place, share in judgment.walk:  # parents come first
        if place in shown:
            node = law[place]
            style = "bold" if node.kind == "charge" else ""
            number = numbers.get(place) if numbers else share
            label = Text.assemble((step_name(node), style), ("" if number is None else f"  {number:.1%}", "cyan"))
            drawn[place] = drawn.get(node.parent, top).add(label)
            rest[str(node.parent)] = rest.get(str(node.parent), 1.0) - share
    for at, branch in drawn.items():
        if not numbers and law[str(at)].children and rest[str(at)] >= LIKELY:
            branch.add(Text(f"others  {rest[str(at)]:.1%}", "dim"))
    return top


def _most_probable_places(judgment: Judgment, law: LawTree) -> set[str]:
    """Return the most probable places without a probable place below them, and the nodes above these."""
    above = {law[place].parent for place, _ in judgment.walk}
    ends = sorted((share, place) for place, share in judgment.walk if place not in above)[-MAX_CHARGES:]
    return {step.id for _, place in ends for step in law.path(law[place])}


def judgment_quality_table(qualities: Mapping[str, JudgmentQuality]) -> Table:
    """Return accuracy and calibration of judgments as a table."""
    from rich.table import Table

    table = Table(caption=CALIBRATION, caption_justify="left")
    columns = ("coverage@1", "coverage@3", "first correct", "calibration error", "Brier")
    for name in ("queries", "number", *columns):
        table.add_column(name, justify="left" if name == "queries" else "right")
    for name, one in qualities.items():
        values = (one.coverage_at_1, one.coverage_at_3, one.first_correct, one.calibration_error, one.brier)
        cells = (f"{value.value:.3f}\n[{value.low:.3f}, {value.high:.3f}]".replace("[", "\\[") for value in values)
        table.add_row(name, str(one.queries), *cells)
    return table


def reliability_table(title: str, pairs: Sequence[tuple[float, bool]], error: Interval) -> Table:
    """Return predicted probabilities beside the share of charges that apply, in bins of equal size."""
    from rich.table import Table
    from rich.text import Text

    from lexgear.evaluation.calibration import reliability

    errors = f"calibration error {error.value:.3f} [{error.low:.3f}, {error.high:.3f}]"
    table = Table(title=Text(f"{title}: {errors}"), title_justify="left")
    for name in ("pairs", "mean probability", "share that applies"):
        table.add_column(name, justify="right")
    for one in reliability(pairs):
        table.add_row(str(one.pairs), f"{one.probability:.3f}", f"{one.correct:.3f}")
    return table


def _one_line(text: str) -> str:
    """Return the beginning of a text on one line, without control characters, which terminals would obey."""
    plain = "".join(one if one.isprintable() else " " for one in text.strip())
    return plain if len(plain) <= MAX_SENTENCE else f"{plain[: MAX_SENTENCE - 1]}…"
