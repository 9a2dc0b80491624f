"""View of the hits, grouped by charge: matching sentences, differences, and the parts of the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexgear.law.tree import LawNode
from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.highlights import Mark, Run, runs
from lexgear.serve.page.views.judgment import looks_of

MAX_QUOTES = 3
"""Pairs of sentences per hit; the comparison shows all."""
MAX_WORDS = 12
"""Words per list of common or different words."""
MAX_ARTICLE = 900
"""Characters of a statutory article that are shown."""
PARTS = ("charge", "content", "words", "past_questions")


@dataclass(frozen=True)
class ScorePart:
    """One part of a score as a bar, which extends from zero to either side."""

    name: str
    value: float
    start: float
    """In percent of the width."""
    width: float


@dataclass(frozen=True)
class Precedent:
    """View of a hit."""

    hit: models.Hit
    title: str
    others: Sequence[str]
    """Other groups that it belongs to."""
    parts: Sequence[ScorePart]
    zero: float
    """Position of zero on the bars, in percent."""
    quotes: Sequence[tuple[str, str, Sequence[str]]]
    """Sentence of the query, sentence of the case, words in both."""
    comparison: models.Comparison
    reasons: Sequence[str]
    """Legal factors in which the query and the case agree or differ."""
    shared: Sequence[str]
    only_asked: Sequence[str]
    only_here: Sequence[str]
    picked: bool
    place: Sequence[LawNode]
    """Path of a statutory article."""
    text: Sequence[Run]
    """Beginning of a statutory article, with matching sentences marked."""


@dataclass(frozen=True)
class Group:
    """Precedents of a charge, or articles of a part of the law."""

    name: str
    look: str
    node: str
    """Place in the law; empty if there is none."""
    precedents: Sequence[Precedent]


def group_hits(
    context: PageContext,
    hits: Sequence[models.Hit],
    comparisons: Sequence[models.Comparison],
    judgment: models.Judgment | None,
    picks: Sequence[str],
) -> list[Group]:
    """Group the hits: the group of the best hit comes first, and the best hit comes first in its group."""
    shares = {charge.name: charge.share for charge in judgment.charges} if judgment else {}
    looks = looks_of(judgment)
    groups: dict[tuple[str, str], list[Precedent]] = {}
    for hit, comparison in zip(hits, comparisons, strict=True):
        first, *others = _groups(context, hit, shares) or [("", "")]
        made = _precedent(context, hit, comparison, [name for name, _ in others], picked=hit.id in picks)
        groups.setdefault(first, []).append(made)
    return [Group(name, looks.get(name, "none"), node, held) for (name, node), held in groups.items()]


def _groups(context: PageContext, hit: models.Hit, shares: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return name and place of the groups of a hit, by descending share of the judgment."""
    if hit.charges:
        ranked = sorted(hit.charges, key=lambda name: -shares.get(name, 0.0))
        places = context.served_index.placement.charges
        return [(name, places.get(name, ("",))[0]) for name in ranked]
    above = [path[-2].id for path in hit.paths if len(path) > 1]
    return [(context.place(node), node) for node in above[:1]]


def _precedent(
    context: PageContext, hit: models.Hit, comparison: models.Comparison, others: list[str], *, picked: bool
) -> Precedent:
    parts, zero = _parts(hit.explanation)
    law, words = context.served_index.index.law, comparison.words
    return Precedent(
        hit=hit,
        title=hit.title or "",
        others=others,
        parts=parts,
        zero=zero,
        quotes=[(one.left.text, one.right.text, one.words[:MAX_WORDS]) for one in comparison.matches[:MAX_QUOTES]],
        comparison=comparison,
        reasons=context.format.factors.reasons(comparison.factors) if comparison.factors else (),
        shared=(words.shared or [])[:MAX_WORDS],
        only_asked=(words.left_only or [])[:MAX_WORDS],
        only_here=(words.right_only or [])[:MAX_WORDS],
        picked=picked,
        place=law.path(law[hit.node]) if hit.node and hit.node in law else (),
        text=_article(context, hit.sections, comparison.matches) if hit.node and hit.sections else (),
    )


def _article(context: PageContext, sections: Mapping[str, str], matches: Sequence[models.Match]) -> list[Run]:
    """Return the beginning of a statutory article, which is short enough to be read as a whole."""
    section, whole = next(iter(sections.items()))
    shown = whole if len(whole) <= MAX_ARTICLE else f"{whole[:MAX_ARTICLE]}…"
    marks = [
        Mark(match.right.start, match.right.end, "alike", context.t("hit.like", text=match.left.text))
        for match in matches
        if match.right.section == section
    ]
    return runs(shown, marks)


def _parts(explanation: models.Explanation | None) -> tuple[list[ScorePart], float]:
    """Return the bars on a common scale, and the position of zero on it."""
    if explanation is None:
        return [], 0.0
    values = {name: float(getattr(explanation, name)) for name in PARTS}
    low, high = min(0.0, *values.values()), max(0.0, *values.values())
    scale = 100 / ((high - low) or 1.0)
    zero = -low * scale
    return [
        ScorePart(name, value, zero + min(value, 0.0) * scale, abs(value) * scale)
        for name, value in values.items()
        if name != "past_questions" or value
    ], zero
