"""Two cases side by side as the page shows them: sentences that match are numbered and linked both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lexgear.corpus.records import Document
from lexgear.privacy.masking import NO_MASKING
from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.highlights import Mark, Run, runs
from lexgear.serve.page.masking import CaseMasker
from lexgear.serve.page.views.judgment import COLOURS

LEFT, RIGHT = "left", "right"


@dataclass(frozen=True)
class SideView:
    """One side."""

    name: str
    title: str
    """Empty where it is a text."""
    case: models.CaseBrief | None
    sections: Sequence[tuple[str, Sequence[Run]]]
    penalty: str


@dataclass(frozen=True)
class Pair:
    """Two sentences that are alike."""

    number: int
    score: float
    words: Sequence[str]


@dataclass(frozen=True)
class Row:
    """What both have and what one has; None where nobody can say."""

    name: str
    shared: Sequence[str] | None
    left: Sequence[str] | None
    right: Sequence[str] | None


@dataclass(frozen=True)
class ComparisonView:
    """All that is shown of a comparison."""

    left: SideView
    right: SideView
    pairs: Sequence[Pair]
    rows: Sequence[Row]
    legend: Sequence[tuple[str, str]]
    judged: bool


def comparison_view(context: PageContext, text: str, case: str, comparison: models.Comparison) -> ComparisonView:
    """A text, or else a case, beside a case."""
    other = comparison.right.case
    assert other is not None
    right, left = context.served_index.document(other.id), context.served_index.document(case) if case else None
    maskers = (context.maskers.case(left) if left else CaseMasker(NO_MASKING), context.maskers.case(right))
    looks = _looks(comparison)
    matches = sorted(comparison.matches, key=lambda one: (one.left.section, one.left.start))
    views = (
        _side(context, LEFT, text, left, comparison.left, (maskers[0], matches, looks)),
        _side(context, RIGHT, "", right, comparison.right, (maskers[1], matches, looks)),
    )
    return ComparisonView(
        *views,
        pairs=[
            Pair(number, match.score, maskers[0].telling(maskers[1].telling(match.words)))
            for number, match in enumerate(matches, start=1)
        ],
        rows=list(_rows(comparison, maskers)),
        legend=[(look, name) for name, look in looks.items()],
        judged=comparison.left.judged,
    )


def _looks(comparison: models.Comparison) -> dict[str, str]:
    """Colours of the charges of both sides."""
    names = dict.fromkeys((*(comparison.left.charges or ()), *(comparison.right.charges or ())))
    return {name: f"c{place}" for place, name in enumerate(list(names)[:COLOURS])}


def _side(
    context: PageContext,
    name: str,
    text: str,
    document: Document | None,
    side: models.Side,
    how: tuple[CaseMasker, Sequence[models.Match], Mapping[str, str]],
) -> SideView:
    masker, matches, looks = how
    sections = {key: value for key, value in document.sections.items() if value} if document else {"text": text}
    shown = []
    for section, whole in sections.items():
        rationale = [part for part in side.rationale if part.section == section]
        sentences = [*_paired(context, name, section, matches), *_speaking(context, rationale, looks, "sentence")]
        words = _speaking(context, [part for part in rationale if part.kind != "sentence"], looks, "word")
        shown.append((section, runs(masker.masked(whole), sentences, words)))
    return SideView(
        name=name,
        title=masker.text(document.title) or document.id if document else "",
        case=side.case,
        sections=shown,
        penalty=context.format.penalty(side.case.penalty) if side.case and side.case.penalty else "",
    )


def _paired(context: PageContext, name: str, section: str, matches: Sequence[models.Match]) -> Iterator[Mark]:
    """The sentences of one side that are like one of the other."""
    other = RIGHT if name == LEFT else LEFT
    for number, match in enumerate(matches, start=1):
        place = match.left if name == LEFT else match.right
        if place.section == section:
            why = context.t("compare.why", number=number, score=context.format.score(match.score))
            yield Mark(
                place.start, place.end, "alike", why, f"{name}-{number}", f"{other}-{number}", context.t.number(number)
            )


def _speaking(
    context: PageContext, parts: Sequence[models.PlacedPart], looks: Mapping[str, str], kind: str
) -> Iterator[Mark]:
    """What f_R picked for a charge."""
    for part in parts:
        is_sentence = part.kind == "sentence"
        if part.charge in looks and (kind == "sentence") == is_sentence and (part.score > 0 or not is_sentence):
            score = context.format.score(part.score)
            why = (
                context.t("why.scored", charge=part.charge, score=score)
                if is_sentence
                else context.t(f"why.{part.kind}", word=part.text, charge=part.charge)
            )
            yield Mark(part.start, part.end, f"{kind} {looks[part.charge]}", why)


def _rows(comparison: models.Comparison, maskers: tuple[CaseMasker, CaseMasker]) -> Iterator[Row]:
    """Charges, articles and words, where either side has any."""
    for name, overlap in (("charges", comparison.charges), ("articles", comparison.articles)):
        if overlap.shared or overlap.left_only or overlap.right_only:
            yield Row(name, overlap.shared, overlap.left_only, overlap.right_only)
        elif overlap.shared is None and comparison.right.charges:
            yield Row(name, None, None, None)
    words = comparison.words
    left, right = maskers
    yield Row(
        "words",
        left.telling(right.telling(words.shared or ())),
        left.telling(words.left_only or ()),
        right.telling(words.right_only or ()),
    )
