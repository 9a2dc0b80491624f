"""The judgment as the page shows it: charges with their bars, the walk as a tree, and the text with its highlights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lexgear.law.tree import LawTree
from lexgear.privacy.masking import Masked
from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.highlights import Mark, Run, runs

SURE = 0.75
"""Probability below which the page says that it is not certain."""
WORTH_NAMING = 0.02
"""Probability of a charge below which it stands among the others."""
FEWEST, MOST = 3, 5
"""Charges that stand apart from the others."""
WORTH_MARKING = 0.1
"""Probability of a charge below which its sentences are not highlighted, unless it is the first."""
COLOURS = 6
"""Of charges; those that come after have none of their own."""
LIKELY = 0.05
"""Share from which a branch is open; what has less stands folded beside the likely ones, if there are any."""
CLEAR = 0.4
"""Share below which the likeliest part of a law without charges is not clear."""


@dataclass(frozen=True)
class Charge:
    """A charge that the facts may lead to."""

    given: models.Charge
    look: str
    article: str
    """The place it hangs under."""


@dataclass(frozen=True)
class Branch:
    """A place of the law that the walk reaches, and those below."""

    id: str
    kind: str
    name: str
    share: float
    is_open: bool
    look: str
    cases: int
    below: list[Branch] = field(default_factory=list)

    @property
    def likely(self) -> list[Branch]:
        """Those below that are likely; where none is, all."""
        return likely(self.below)

    @property
    def rest(self) -> list[Branch]:
        """The others below."""
        return [one for one in self.below if one not in self.likely]


def likely(branches: Sequence[Branch]) -> list[Branch]:
    """Those that are likely; where none is, all."""
    return [one for one in branches if one.share >= LIKELY] or list(branches)


@dataclass(frozen=True)
class JudgmentView:
    """All that is shown of a judgment."""

    unsure: str
    """A plain word where it is unsure; empty where it is not."""
    charges: Sequence[Charge]
    others: Sequence[Charge]
    articles: Sequence[str]
    tree: Sequence[Branch]
    """From its roots."""
    legend: Sequence[tuple[str, str]]
    """Look → charge, of what is highlighted."""
    text: Sequence[Run]
    reasons: Sequence[tuple[str, str, str]]
    """Look, part of the text, why: the highlights as a list."""
    judged: bool

    @property
    def likely(self) -> list[Branch]:
        """The likely roots of the tree."""
        return likely(self.tree)

    @property
    def rest(self) -> list[Branch]:
        """The others."""
        return [one for one in self.tree if one not in self.likely]


def judgment_view(
    context: PageContext, text: str, judgment: models.Judgment | None, rationale: models.Rationale
) -> JudgmentView:
    """What a judgment, or where the index cannot judge what f_R says, looks like."""
    given, named, looks = judgment.charges if judgment else [], _named(judgment), looks_of(judgment)
    charges = [_charge(context, one, looks) for one in given if one.probability > 0 or one.share > 0]
    sentences, words = list(_sentences(context, named, rationale, looks)), list(_words(context, rationale, looks))
    marked = runs(Masked(text), sentences, words)
    shown = [mark for run in marked for mark in (run.mark, *(piece.mark for piece in run.pieces)) if mark]
    used = {mark.look.split()[-1] for mark in shown}
    return JudgmentView(
        unsure=_unsure(context, judgment),
        charges=[one for one in charges if one.given in named],
        others=[one for one in charges if one.given not in named],
        articles=_articles(context, given),
        tree=_tree(context, judgment, looks) if judgment else [],
        legend=[(look, name) for name, look in looks.items() if look in used],
        text=marked,
        reasons=[(mark.look, text[mark.start : mark.end], mark.why) for mark in dict.fromkeys(shown)],
        judged=judgment is not None,
    )


def looks_of(judgment: models.Judgment | None) -> dict[str, str]:
    """The colour of each charge that is named, the same wherever it stands."""
    return {one.name: f"c{place}" for place, one in enumerate(_named(judgment)[:COLOURS])}


def _named(judgment: models.Judgment | None) -> list[models.Charge]:
    """The charges that are not among the others."""
    given = judgment.charges[:MOST] if judgment else []
    return [one for place, one in enumerate(given) if one.probability >= WORTH_NAMING or place < FEWEST]


def _charge(context: PageContext, charge: models.Charge, looks: Mapping[str, str]) -> Charge:
    above = charge.path[-2] if len(charge.path) > 1 else ""
    return Charge(charge, looks.get(charge.name, "none"), context.place(above) if above else "")


def _unsure(context: PageContext, judgment: models.Judgment | None) -> str:
    """A plain word where the note or a low probability says that there is doubt."""
    if judgment is None:
        return ""
    if judgment.walk and not judgment.charges:  # a law without charges
        best = max(step.share for step in judgment.walk)
        return context.t("judgment.spread") if best < CLEAR else ""
    if judgment.note:
        return context.t(f"note.{judgment.note.code}")
    best = judgment.charges[0].probability if judgment.charges else 0.0
    return context.t("judgment.not_certain", percent=context.format.percent(best)) if best < SURE else ""


def _articles(context: PageContext, charges: Sequence[models.Charge]) -> list[str]:
    """The articles of the charges that apply."""
    law = context.served_index.index.law
    steps = [law[step] for charge in charges if charge.applies for step in charge.path]
    return list(dict.fromkeys(step.id for step in steps if step.kind == "article"))


def _sentences(
    context: PageContext, named: Sequence[models.Charge], rationale: models.Rationale, looks: Mapping[str, str]
) -> Iterator[Mark]:
    """Sentences that speak for a charge named; where none does, those that f_R scores."""
    scores = {(part.start, part.end): part.score for part in rationale.sentences}
    worth = [one for one in named if one.probability >= WORTH_MARKING or one is named[0]]
    speaking = [(part, charge) for charge in worth for part in charge.rationale if charge.name in looks]
    for part, charge in sorted(speaking, key=lambda one: -one[0].score):
        why = context.t("why.sentence", charge=charge.name, score=context.format.score(part.score))
        if scored := scores.get((part.start, part.end)):
            why += context.t("why.also", score=context.format.score(scored))
        yield Mark(part.start, part.end, f"sentence {looks[charge.name]}", why)
    if not speaking:
        for part in rationale.sentences:
            if part.score > 0 and part.charge:
                why = context.t("why.scored", charge=part.charge, score=context.format.score(part.score))
                yield Mark(part.start, part.end, f"sentence {looks.get(part.charge, 'none')}", why)


def _words(context: PageContext, rationale: models.Rationale, looks: Mapping[str, str]) -> Iterator[Mark]:
    """Words of names and definitions, those of the charges named first."""
    for part in sorted(rationale.words, key=lambda one: one.charge not in looks):
        if part.charge:
            why = context.t(f"why.{part.kind}", word=part.text, charge=part.charge)
            yield Mark(part.start, part.end, f"word {looks.get(part.charge, 'none')}", why)


def _tree(context: PageContext, judgment: models.Judgment, looks: Mapping[str, str]) -> list[Branch]:
    """The walk, from its roots; parents come before children in it."""
    law: LawTree = context.served_index.index.law
    drawn: dict[str, Branch] = {}
    top: list[Branch] = []
    for step in judgment.walk:
        node = law[step.place]
        branch = Branch(
            id=node.id,
            kind=node.kind,
            name=context.format.place(node),
            share=step.share,
            is_open=step.share >= LIKELY,
            look=looks.get(node.number, "none") if node.kind == "charge" else "",
            cases=context.served_index.placement.count(node.id),
        )
        drawn[node.id] = branch
        (drawn[node.parent].below if node.parent in drawn else top).append(branch)
    return top
