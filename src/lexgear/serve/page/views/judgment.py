"""View of the judgment: charges with bars, the path down the law as a tree, and the highlighted text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lexgear.judgment.grades import Grade
from lexgear.judgment.notes import NoteCode
from lexgear.law.tree import LawTree
from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.highlights import Mark, Run, runs

FEWEST = 3
"""Charges in the main list if none is at least possible."""
COLOURS = 6
"""Number of charge colours; further charges have none."""
LIKELY = 0.1
"""Share from which a place of the law is shown; less likely ones are folded."""
NOTES_ON_TIME = (NoteCode.NOT_IN_FORCE, NoteCode.BEFORE_THE_CODE, NoteCode.LAW_CHANGED)
"""Notes on the law in force, which do not make a judgment uncertain."""
CLEAR = 0.4
"""Share of the likeliest place, in a law without charges, below which the answer is called uncertain."""


@dataclass(frozen=True)
class ChargeView:
    """Predicted charge."""

    predicted: models.Charge
    look: str
    grade: str
    """Word for its probability; empty if it was not in force."""
    above: str
    """Place of the law above it, mostly an article; empty if there is none."""
    remarks: Sequence[str]
    """Its name at the time of the act, and whether it was in force then."""


@dataclass(frozen=True)
class DisputeView:
    """Two possible charges that are easily confused."""

    title: str
    text: str
    """Sentence on what distinguishes them."""
    reasons: Sequence[str]
    """Words of the facts that speak for either."""


@dataclass(frozen=True)
class Branch:
    """Place of the law in the tree."""

    id: str
    kind: str
    name: str
    share: float
    number: float | None
    """Probability of a charge, as everywhere; share of a place in a law without charges; None for other places."""
    is_open: bool
    look: str
    cases: int
    below: list[Branch] = field(default_factory=list)

    @property
    def likely(self) -> list[Branch]:
        """Likely places below."""
        return likely(self.below)

    @property
    def rest(self) -> list[Branch]:
        """Less likely places below."""
        return [one for one in self.below if one not in self.likely]


def likely(branches: Sequence[Branch]) -> list[Branch]:
    """Return the likely branches."""
    return [one for one in branches if one.share >= LIKELY]


@dataclass(frozen=True)
class JudgmentView:
    """View of a judgment."""

    unsure: str
    """Warning that the judgment is uncertain; empty if it is not."""
    in_force: str
    """Date of the act and note on the law in force then; empty if the law did not change."""
    charges: Sequence[ChargeView]
    others: Sequence[ChargeView]
    disputes: Sequence[DisputeView]
    tree: Sequence[Branch]
    """Top-level branches."""
    legend: Sequence[tuple[str, str]]
    """CSS class and charge of every colour in use."""
    text: Sequence[Run]
    reasons: Sequence[tuple[str, str, str]]
    """The highlights as a list: CSS class, text, reason."""
    judged: bool

    @property
    def likely(self) -> list[Branch]:
        """Likely top-level branches."""
        return likely(self.tree)

    @property
    def rest(self) -> list[Branch]:
        """Less likely top-level branches."""
        return [one for one in self.tree if one not in self.likely]


def judgment_view(
    context: PageContext, text: str, judgment: models.Judgment | None, rationale: models.Rationale
) -> JudgmentView:
    """Return the view of a judgment; if the index cannot judge, of the rationale alone."""
    predicted, named, looks = judgment.charges if judgment else [], _named(judgment), looks_of(judgment)
    charges = [_charge(context, one, looks) for one in predicted if one.probability > 0 or one.share > 0]
    sentences, words = (
        list(_sentences(context, named, rationale, looks)),
        list(_words(context, named, rationale, looks)),
    )
    marked = runs(text, sentences, words)
    shown = [mark for run in marked for mark in (run.mark, *(piece.mark for piece in run.pieces)) if mark]
    used = {mark.look.split()[-1] for mark in shown}
    return JudgmentView(
        unsure=_unsure(context, judgment),
        in_force=_in_force(context, judgment),
        charges=[one for one in charges if one.predicted in named],
        others=[one for one in charges if one.predicted not in named],
        disputes=[_dispute(context, one) for one in judgment.disputes] if judgment else [],
        tree=_tree(context, judgment, looks) if judgment else [],
        legend=[(look, name) for name, look in looks.items() if look in used],
        text=marked,
        reasons=[(mark.look, text[mark.start : mark.end], mark.why) for mark in dict.fromkeys(shown)],
        judged=judgment is not None,
    )


def looks_of(judgment: models.Judgment | None) -> dict[str, str]:
    """Return the CSS class (colour) of each charge in the main list."""
    return {one.name: f"c{place}" for place, one in enumerate(_named(judgment)[:COLOURS])}


def _named(judgment: models.Judgment | None) -> list[models.Charge]:
    """Return the charges of the main list."""
    predicted = judgment.charges if judgment else []
    return [one for one in predicted if one.grade is not Grade.UNLIKELY] or predicted[:FEWEST]


def _charge(context: PageContext, charge: models.Charge, looks: Mapping[str, str]) -> ChargeView:
    above = charge.path[-2] if len(charge.path) > 1 else ""
    return ChargeView(
        charge,
        looks.get(charge.name, "none"),
        context.t(f"grade.{charge.grade}") if charge.grade else "",
        above,
        _remarks(context, charge),
    )


def _remarks(context: PageContext, charge: models.Charge) -> list[str]:
    """Return the names of a charge at the time of the act and today, if they are others, and its remarks."""
    remarks = [context.t("judgment.name_then", name=charge.name_then)] if charge.name_then else []
    if charge.name_now and charge.name_now != charge.name_then:
        remarks.append(context.t("judgment.name_now", name=charge.name_now))
    if charge.remark:
        given = charge.remark.parameters.items()
        values = {name: context.format.day(value) if name == "date" else value for name, value in given}
        remarks.append(context.t(f"remark.{charge.remark.code}", **values))
    if charge.threshold:
        remarks.append(threshold_text(context, charge.threshold))
    return remarks


def _dispute(context: PageContext, dispute: models.Dispute) -> DisputeView:
    separator = context.t("separator")
    reasons = [
        context.t("dispute.speaks_for", charge=charge, words=separator.join(part.text for part in parts))
        for charge, parts in dispute.reasons.items()
        if parts
    ]
    title = context.t("dispute.title", first=dispute.charges[0], second=dispute.charges[1])
    return DisputeView(title, dispute.texts[context.preferences.language], reasons or [context.t("dispute.nothing")])


def threshold_text(context: PageContext, remark: models.ThresholdRemark) -> str:
    """Return the remark on a threshold as a sentence."""
    source = remark.source if remark.verified else context.t("threshold.unverified", source=remark.source)
    values = {"stated": remark.stated, "threshold": remark.threshold, "means": remark.means, "source": source}
    return context.t(f"threshold.{remark.code}", **values)


def _unsure(context: PageContext, judgment: models.Judgment | None) -> str:
    """Return a warning if there is a note or the probability is spread."""
    if judgment is None:
        return ""
    if judgment.walk and not judgment.charges:  # a law without charges
        best = max(step.share for step in judgment.walk)
        return context.t("judgment.spread") if best < CLEAR else ""
    if not judgment.note or judgment.note.code in NOTES_ON_TIME:
        return ""
    matter = context.t(f"matter.{judgment.note.matter}") if judgment.note.matter else ""
    code = judgment.note.code
    if code == NoteCode.TOO_SHORT and not context.has_cases:
        return context.t("note.too_short_articles")
    return context.t(f"note.{code}", matter=matter)


def _in_force(context: PageContext, judgment: models.Judgment | None) -> str:
    """Return the note on the law in force with the date of the act; empty if the law did not change."""
    if judgment is None or judgment.act_date is None or not judgment.note or judgment.note.code not in NOTES_ON_TIME:
        return ""
    told = context.t("judgment.act_date", date=context.format.day(judgment.act_date.date))
    return f"{told} {context.t(f'note.{judgment.note.code}')}"


def _sentences(
    context: PageContext, named: Sequence[models.Charge], rationale: models.Rationale, looks: Mapping[str, str]
) -> Iterator[Mark]:
    """Yield the sentences that support a charge of the main list; without charges, those that f_R scores."""
    scores = {(part.start, part.end): part.score for part in rationale.sentences}
    supporting = [(part, charge) for charge in named for part in charge.rationale if charge.name in looks]
    for part, charge in sorted(supporting, key=lambda one: -one[0].score):
        why = context.t("why.sentence", charge=charge.name, score=context.format.score(part.score))
        if scored := scores.get((part.start, part.end)):
            why += context.t("why.also", score=context.format.score(scored))
        yield Mark(part.start, part.end, f"sentence {looks[charge.name]}", why)
    if not named:
        for part in rationale.sentences:
            if part.score > 0 and part.charge:
                why = context.t("why.scored", charge=part.charge, score=context.format.score(part.score))
                yield Mark(part.start, part.end, f"sentence {looks.get(part.charge, 'none')}", why)


def _words(
    context: PageContext, named: Sequence[models.Charge], rationale: models.Rationale, looks: Mapping[str, str]
) -> Iterator[Mark]:
    """Yield the expressions of the charges in the main list, longest first; without charges, the words of f_R."""
    expressions = sorted((part for one in named for part in one.expressions), key=lambda part: part.start - part.end)
    for part in expressions if named else rationale.words:
        if part.charge:
            why = context.t(f"why.{part.kind}", word=part.text, charge=part.charge)
            yield Mark(part.start, part.end, f"word {looks.get(part.charge, 'none')}", why)


def _tree(context: PageContext, judgment: models.Judgment, looks: Mapping[str, str]) -> list[Branch]:
    """Return the tree of the walk. In `judgment.walk` parents come before children."""
    law: LawTree = context.served_index.index.law
    numbers = {one.path[-1]: one.probability for one in judgment.charges}
    drawn: dict[str, Branch] = {}
    top: list[Branch] = []
    for step in judgment.walk:
        node = law[step.place]
        branch = Branch(
            id=node.id,
            kind=node.kind,
            name=context.format.place(node),
            share=numbers.get(node.id, step.share),
            number=numbers.get(node.id) if numbers else step.share,
            is_open=step.share >= LIKELY,
            look=looks.get(node.number, "none") if node.kind == "charge" else "",
            cases=context.served_index.placement.count(node.id),
        )
        drawn[node.id] = branch
        (drawn[node.parent].below if node.parent in drawn else top).append(branch)
    return top
