"""The precedents as the page shows them, by charge: what matched in each, what differs, what gave its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexgear.corpus.records import Document
from lexgear.law.tree import LawNode
from lexgear.serve.api import models
from lexgear.serve.page.context import PageContext
from lexgear.serve.page.highlights import Mark, Run, runs
from lexgear.serve.page.masking import CaseMasker
from lexgear.serve.page.views.judgment import looks_of

QUOTED = 3
"""Pairs of sentences shown with a hit; the comparison has all."""
NAMED = 12
"""Words named as shared, and as one side's own."""
LONGEST = 900
"""Characters of a statutory article that are shown."""
PARTS = ("charge", "content", "words", "asked")


@dataclass(frozen=True)
class ScorePart:
    """What one reason gave to a score: a bar that begins at zero, to either side."""

    name: str
    value: float
    start: float
    """Of 100."""
    width: float


@dataclass(frozen=True)
class Precedent:
    """A hit."""

    hit: models.Hit
    title: str
    others: Sequence[str]
    """Groups it could stand in too."""
    parts: Sequence[ScorePart]
    zero: float
    """Where on the bars nothing is."""
    quotes: Sequence[tuple[str, str, Sequence[str]]]
    """Sentence of the query, sentence of the case, words that both have."""
    comparison: models.Comparison
    shared: Sequence[str]
    only_asked: Sequence[str]
    only_here: Sequence[str]
    picked: bool
    place: Sequence[LawNode]
    """Of a statutory article: the way there."""
    text: Sequence[Run]
    """The beginning of a statutory article, what matched in it marked."""


@dataclass(frozen=True)
class Group:
    """Precedents of a charge, or articles of a part of the law."""

    name: str
    look: str
    node: str
    """Its place in the law; empty where it has none."""
    precedents: Sequence[Precedent]


def grouped(
    context: PageContext,
    hits: Sequence[models.Hit],
    comparisons: Sequence[models.Comparison],
    judgment: models.Judgment | None,
    picks: Sequence[str],
) -> list[Group]:
    """The hits by group, the group of the best hit first; in a group best first."""
    shares = {charge.name: charge.share for charge in judgment.charges} if judgment else {}
    looks = looks_of(judgment)
    groups: dict[tuple[str, str], list[Precedent]] = {}
    for hit, comparison in zip(hits, comparisons, strict=True):
        document = context.served_index.document(hit.id)
        named = _groups(context, hit, shares)
        others = [name for name, _ in named[1:]]
        made = _precedent(context, hit, comparison, document, others=others, picked=hit.id in picks)
        groups.setdefault(named[0] if named else ("", ""), []).append(made)
    return [Group(name, looks.get(name, "none"), node, held) for (name, node), held in groups.items()]


def _groups(context: PageContext, hit: models.Hit, shares: Mapping[str, float]) -> list[tuple[str, str]]:
    """Name and place of the groups that a hit belongs to, the one that the judgment supports most first."""
    if hit.charges:
        ranked = sorted(hit.charges, key=lambda name: -shares.get(name, 0.0))
        places = context.served_index.placement.charges
        return [(name, places.get(name, ("",))[0]) for name in ranked]
    above = [path[-2].id for path in hit.paths if len(path) > 1]
    return [(context.place(node), node) for node in above[:1]]


def _precedent(
    context: PageContext,
    hit: models.Hit,
    comparison: models.Comparison,
    document: Document,
    *,
    others: list[str],
    picked: bool,
) -> Precedent:
    masker = context.maskers.case(document)
    parts, zero = _parts(hit.explanation)
    law = context.served_index.index.law
    words = comparison.words
    return Precedent(
        hit=hit,
        title=masker.text(document.title),
        others=others,
        parts=parts,
        zero=zero,
        quotes=[_quote(match, document, masker) for match in comparison.matches[:QUOTED]],
        comparison=comparison,
        shared=masker.telling(words.shared or ())[:NAMED],
        only_asked=(words.left_only or [])[:NAMED],
        only_here=masker.telling(words.right_only or ())[:NAMED],
        picked=picked,
        place=law.path(law[hit.node]) if hit.node and hit.node in law else (),
        text=_article(context, document, comparison.matches, masker) if hit.node else (),
    )


def _article(
    context: PageContext, document: Document, matches: Sequence[models.Match], masker: CaseMasker
) -> list[Run]:
    """Statutory articles are short, and read whole rather than by sentence."""
    section, whole = next(iter(document.sections.items()), ("", ""))
    kept = whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}…"
    marks = [
        Mark(match.right.start, match.right.end, "alike", context.t("hit.like", text=match.left.text))
        for match in matches
        if match.right.section == section
    ]
    return runs(masker.masked(kept), marks)


def _quote(match: models.Match, document: Document, masker: CaseMasker) -> tuple[str, str, list[str]]:
    section = masker.masked(document.sections[match.right.section])
    theirs, _ = section.quote(match.right.start, match.right.end)
    return match.left.text, theirs, masker.telling(match.words)[:NAMED]


def _parts(why: models.Explanation | None) -> tuple[list[ScorePart], float]:
    """The bars on one scale, from the least to the most, zero among them."""
    if why is None:
        return [], 0.0
    values = {name: float(getattr(why, name)) for name in PARTS}
    low, high = min(0.0, *values.values()), max(0.0, *values.values())
    scale = 100 / ((high - low) or 1.0)
    zero = -low * scale
    return [
        ScorePart(name, value, zero + min(value, 0.0) * scale, abs(value) * scale)
        for name, value in values.items()
        if name != "asked" or value
    ], zero
