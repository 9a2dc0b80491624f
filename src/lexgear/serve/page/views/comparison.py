"""View of two cases side by side: similar sentences are numbered and linked both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.highlights import Mark, Run, runs
from lexgear.serve.page.models import SideBySide
from lexgear.serve.page.views.judgment import COLOURS
from lexgear.wording.factor_texts import FactorTexts

LEFT, RIGHT = "left", "right"


@dataclass(frozen=True)
class SideView:
    """View of one side."""

    name: str
    title: str
    """Empty for a text."""
    case: models.CaseBrief | None
    sections: Sequence[tuple[str, Sequence[Run]]]
    penalty: str


@dataclass(frozen=True)
class PairView:
    """Pair of similar sentences."""

    number: int
    score: float
    words: Sequence[str]


@dataclass(frozen=True)
class RowView:
    """Row of the table of common and different features; None if one side is unknown."""

    name: str
    shared: Sequence[str] | None
    left: Sequence[str] | None
    right: Sequence[str] | None


@dataclass(frozen=True)
class ComparisonView:
    """View of a comparison."""

    left: SideView
    right: SideView
    pairs: Sequence[PairView]
    rows: Sequence[RowView]
    legend: Sequence[tuple[str, str]]
    judged: bool


def comparison_view(context: PageContext, text: str, model: SideBySide) -> ComparisonView:
    """Return the view of a comparison; `text` is the left side if it is not a case."""
    comparison, looks = model.comparison, _looks(model.comparison)
    matches = sorted(comparison.matches, key=lambda one: (one.left.section, one.left.start))
    maker = _SideMaker(context, matches, looks)
    return ComparisonView(
        left=maker.side(LEFT, text, model.left, comparison.left),
        right=maker.side(RIGHT, "", model.right, comparison.right),
        pairs=[PairView(number, match.score, match.words) for number, match in enumerate(matches, start=1)],
        rows=list(_rows(comparison, context.format.factors)),
        legend=[(look, name) for name, look in looks.items()],
        judged=comparison.left.judged,
    )


def _looks(comparison: models.Comparison) -> dict[str, str]:
    """Return the CSS class (colour) of every charge of both sides."""
    names = dict.fromkeys((*(comparison.left.charges or ()), *(comparison.right.charges or ())))
    return {name: f"c{place}" for place, name in enumerate(list(names)[:COLOURS])}


@dataclass(frozen=True)
class _SideMaker:
    """Makes the views of both sides."""

    context: PageContext
    matches: Sequence[models.Match]
    looks: Mapping[str, str]

    def side(self, name: str, text: str, case: models.Case | None, side: models.Side) -> SideView:
        sections = {key: value for key, value in case.sections.items() if value} if case else {"text": text}
        shown = []
        for section, whole in sections.items():
            parts = [part for part in side.rationale if part.section == section]
            sentences = [*self._paired(name, section), *self._rationale(parts, "sentence")]
            words = self._rationale([part for part in parts if part.kind != "sentence"], "word")
            shown.append((section, runs(whole, sentences, words)))
        return SideView(
            name=name,
            title=case.title or case.id if case else "",
            case=side.case,
            sections=shown,
            penalty=self.context.format.penalty(side.case.penalty) if side.case and side.case.penalty else "",
        )

    def _paired(self, name: str, section: str) -> Iterator[Mark]:
        """Yield marks for the sentences of one side that are similar to one of the other."""
        context, other = self.context, RIGHT if name == LEFT else LEFT
        for number, match in enumerate(self.matches, start=1):
            place = match.left if name == LEFT else match.right
            if place.section == section:
                why = context.t("compare.why", number=number, score=context.format.score(match.score))
                anchors = (f"{name}-{number}", f"{other}-{number}")
                yield Mark(place.start, place.end, "alike", why, *anchors, context.t.number(number))

    def _rationale(self, parts: Sequence[models.PlacedPart], kind: str) -> Iterator[Mark]:
        """Yield marks for the parts that support a charge."""
        t = self.context.t
        for part in parts:
            is_sentence = part.kind == "sentence"
            if (
                part.charge in self.looks
                and (kind == "sentence") == is_sentence
                and (part.score > 0 or not is_sentence)
            ):
                score = self.context.format.score(part.score)
                why = (
                    t("why.scored", charge=part.charge, score=score)
                    if is_sentence
                    else t(f"why.{part.kind}", word=part.text, charge=part.charge)
                )
                yield Mark(part.start, part.end, f"{kind} {self.looks[part.charge]}", why)


def _rows(comparison: models.Comparison, factors: FactorTexts) -> Iterator[RowView]:
    """Yield the rows of charges, articles and legal factors, if either side has any, and of words."""
    for name, overlap in (("charges", comparison.charges), ("articles", comparison.articles)):
        if overlap.shared or overlap.left_only or overlap.right_only:
            yield RowView(name, overlap.shared, overlap.left_only, overlap.right_only)
        elif overlap.shared is None and comparison.right.charges:
            yield RowView(name, None, None, None)
    if comparison.factors:
        yield RowView("factors", *factors.sides(comparison.factors))
    words = comparison.words
    yield RowView("words", words.shared or (), words.left_only or (), words.right_only or ())
