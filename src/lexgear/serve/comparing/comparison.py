"""Comparison of two cases: rationale of each, similar sentences, common and different features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

from lexgear.corpus.extraction.factors.comparison import (
    StatedValue,
    compare_factors,
    stated_by_document,
    stated_factors,
)
from lexgear.corpus.records import Document
from lexgear.judgment.records import Judgment, PredictedCharge
from lexgear.privacy.neutral import neutral_sections, neutralise
from lexgear.rationale.records import Part, Rationale
from lexgear.serve.api import models
from lexgear.serve.api.serialization import brief_of, note_of
from lexgear.serve.comparing.contrasts import contrast
from lexgear.serve.comparing.sentence_matching import Pair, Sentence, best_pairs, sentences_of
from lexgear.serve.served_index import ServedIndex

MAX_WORDS = 20
"""Words per list of common or different words."""
QUERY = "text"
"""Section name of a text that is not a case."""
FORMULAS = "verdict"
"""Section with formulas that all judgments have in common, such as how to appeal; it is not matched."""


@dataclass(frozen=True)
class _Side:
    """One side of a comparison: a text or a document."""

    sections: Mapping[str, str]
    rationale: Rationale
    document: Document | None = None
    judgment: Judgment | None = None
    sentences: list[Sentence] = field(default_factory=list)

    @cached_property
    def factors(self) -> Mapping[str, StatedValue]:
        """Legal factors that the side states."""
        return stated_by_document(self.document) if self.document else stated_factors(self.sections)

    @property
    def charges(self) -> list[str] | None:
        if self.document:
            return list(self.document.charges)
        return [charge.name for charge in self.applied] if self.judged else None

    @property
    def judged(self) -> bool:
        """True if charges were predicted for the text."""
        return self.judgment is not None and bool(self.judgment.charges)

    @property
    def applied(self) -> list[PredictedCharge]:
        """Predicted charges that apply."""
        return [charge for charge in self.judgment.charges if charge.applies] if self.judgment else []


def compare(served_index: ServedIndex, text: str, case: str, other: str) -> models.Comparison:
    """Compare a text, or a case if `case` is set, with another case."""
    return _compare(
        _case_side(served_index, case) if case else _text_side(served_index, text),
        _case_side(served_index, other),
        served_index,
    )


def compare_all(served_index: ServedIndex, text: str, others: Sequence[str]) -> list[models.Comparison]:
    """Compare a text with each of several cases."""
    left = _text_side(served_index, text)
    return [_compare(left, _case_side(served_index, other), served_index) for other in others]


def _compare(left: _Side, right: _Side, served_index: ServedIndex) -> models.Comparison:
    kinds = [_penalty_kind(side) for side in (left, right)]
    pairs = [(pair, contrast(pair[0].text, pair[1].text, pair[3])) for pair in _pairs(left, right, served_index)]
    return models.Comparison(
        left=_side_model(left, served_index),
        right=_side_model(right, served_index),
        matches=[models.Match(**_match(*pair)) for pair, differs in pairs if not differs],
        contrasts=[models.ContrastingMatch(**_match(*pair), differs=differs) for pair, differs in pairs if differs],
        charges=_overlap(left.charges, right.charges),
        articles=_overlap(_articles(left, served_index), _articles(right, served_index)),
        penalty=models.Pair(left=kinds[0], right=kinds[1], same=None if None in kinds else kinds[0] == kinds[1]),
        factors=compare_factors(left.factors, right.factors) if served_index.language == "zh" else None,
        words=_words((left, right), served_index),
    )


def _text_side(served_index: ServedIndex, text: str) -> _Side:
    judgment = served_index.judge(text) if served_index.judges else None
    rationale = judgment.rationale if judgment else served_index.rationale(text)
    neutral = {QUERY: neutralise(text, served_index.language)}
    sections = {QUERY: text}
    sentences = sentences_of(sections, neutral, served_index.language)
    return _Side(sections, rationale, judgment=judgment, sentences=sentences)


def _case_side(served_index: ServedIndex, case: str) -> _Side:
    document = served_index.document(case)
    sections = {name: text for name, text in document.sections.items() if text}
    matched = {name: text for name, text in sections.items() if name != FORMULAS} or sections
    neutral = neutral_sections(document, served_index.language)
    sentences = sentences_of(matched, neutral, served_index.language)
    return _Side(sections, served_index.rationale_of(document), document, sentences=sentences)


def _side_model(side: _Side, served_index: ServedIndex) -> models.Side:
    parts = (*side.rationale.sentences, *side.rationale.words)
    return models.Side(
        case=None if side.document is None else brief_of(side.document, served_index),
        charges=side.charges,
        judged=side.judged,
        note=note_of(side.judgment.note) if side.judgment else None,
        rationale=list(_placed(parts, side.sections)),
    )


def _placed(parts: Iterable[Part], sections: Mapping[str, str]) -> Iterator[models.PlacedPart]:
    """Yield rationale parts of the joined sections, with offsets relative to their own section."""
    starts = dict(zip(sections, accumulate((len(text) + 1 for text in sections.values()), initial=0), strict=False))
    for part in parts:
        section, start = max(((name, at) for name, at in starts.items() if at <= part.start), key=lambda one: one[1])
        moved = part._replace(start=part.start - start, end=part.end - start)
        yield models.PlacedPart(section=section, **moved._asdict())


def _pairs(left: _Side, right: _Side, served_index: ServedIndex) -> Iterator[Pair]:
    return best_pairs(left.sentences, right.sentences, served_index.rarity)


def _match(left: Sentence, right: Sentence, score: float, words: Sequence[str]) -> dict[str, Any]:
    return {"left": _place(left), "right": _place(right), "score": round(score, 4), "words": list(words)}


def _place(sentence: Sentence) -> models.Place:
    return models.Place(section=sentence.section, start=sentence.start, end=sentence.end, text=sentence.text)


def _articles(side: _Side, served_index: ServedIndex) -> list[str] | None:
    """Return the articles of a side in the syntax of the `article` filter: 刑法264."""
    if side.document:
        return [f"{one.law}{one.number}" for one in side.document.articles]
    if not side.judged:
        return None
    law = served_index.index.law
    paths = [law.path(law[charge.path[-1]]) for charge in side.applied]
    named = [
        f"{path[0].title.removeprefix('中华人民共和国')}{step.number}"
        for path in paths
        for step in path
        if step.kind == "article"
    ]
    return list(dict.fromkeys(named))


def _penalty_kind(side: _Side) -> str | None:
    return side.document.penalty.kind if side.document and side.document.penalty else None


def _words(sides: Sequence[_Side], served_index: ServedIndex) -> models.Overlap:
    """Return the words of the facts on both sides and on one side only, rarest first; numbers are left out."""
    by_rarity: list[dict[str, str]] = []
    for side in sides:
        words = {
            word: shown
            for sentence in side.sentences
            if sentence.section == "fact" or "fact" not in side.sections
            for word, shown in sentence.words.items()
            if any(map(str.isalpha, shown))
        }
        by_rarity.append(dict(sorted(words.items(), key=lambda one: (-served_index.rarity(one[0]), one[0]))))
    left, right = by_rarity
    return models.Overlap(
        shared=[shown for word, shown in left.items() if word in right][:MAX_WORDS],
        left_only=[shown for word, shown in left.items() if word not in right][:MAX_WORDS],
        right_only=[shown for word, shown in right.items() if word not in left][:MAX_WORDS],
    )


def _overlap(left: Sequence[str] | None, right: Sequence[str] | None) -> models.Overlap:
    if left is None or right is None:
        return models.Overlap(shared=None, left_only=None, right_only=None)
    ours, theirs = set(left), set(right)
    return models.Overlap(
        shared=[one for one in left if one in theirs],
        left_only=[one for one in left if one not in theirs],
        right_only=[one for one in right if one not in ours],
    )
