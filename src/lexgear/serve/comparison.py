"""Two cases side by side: what matters in each, which sentences say the same, what they share and where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from lexgear.corpus.records import Document
from lexgear.judgment.judge import Judgment, PredictedCharge
from lexgear.rationale.records import Part, Rationale
from lexgear.serve.api import models
from lexgear.serve.api.serialization import brief_of, note_of
from lexgear.serve.sentence_matching import Sentence, best_pairs, sentences_of
from lexgear.serve.served_index import ServedIndex

MOST_WORDS = 20
"""Named as shared, and as one side's own."""
QUERY = "text"
"""The section of what is not a case."""
FORMULAS = "verdict"
"""The section that is alike in all judgments: how to appeal, from when a term counts."""


@dataclass(frozen=True)
class _Side:
    """One side as it is compared: a text, or a document."""

    sections: Mapping[str, str]
    rationale: Rationale
    document: Document | None = None
    opinion: Judgment | None = None
    sentences: list[Sentence] = field(default_factory=list)

    @property
    def charges(self) -> list[str] | None:
        if self.document:
            return list(self.document.charges)
        return [charge.name for charge in self.applied] if self.judged else None

    @property
    def judged(self) -> bool:
        """Whether there is an opinion on the text, whatever it says."""
        return self.opinion is not None and bool(self.opinion.charges)

    @property
    def applied(self) -> list[PredictedCharge]:
        """What the text is judged to lead to."""
        return [charge for charge in self.opinion.charges if charge.applies] if self.opinion else []


def compared(served_index: ServedIndex, text: str, case: str, other: str) -> models.Comparison:
    """A text, or else a case, beside a case."""
    return _beside(
        _decided(served_index, case) if case else _told(served_index, text), _decided(served_index, other), served_index
    )


def compared_all(served_index: ServedIndex, text: str, others: Sequence[str]) -> list[models.Comparison]:
    """A text beside each of several cases."""
    left = _told(served_index, text)
    return [_beside(left, _decided(served_index, other), served_index) for other in others]


def _beside(left: _Side, right: _Side, served_index: ServedIndex) -> models.Comparison:
    kinds = [_penalty_kind(side) for side in (left, right)]
    return models.Comparison(
        left=_shown(left, served_index),
        right=_shown(right, served_index),
        matches=[_match(*pair) for pair in best_pairs(left.sentences, right.sentences, served_index.rarity)],
        charges=_overlap(left.charges, right.charges),
        articles=_overlap(_articles(left, served_index), _articles(right, served_index)),
        penalty=models.Pair(left=kinds[0], right=kinds[1], same=None if None in kinds else kinds[0] == kinds[1]),
        words=_words((left, right), served_index),
    )


def _told(served_index: ServedIndex, text: str) -> _Side:
    opinion = served_index.judge(text) if served_index.judges else None
    sections = {QUERY: text}
    rationale = opinion.rationale if opinion else served_index.rationale(text)
    return _Side(sections, rationale, opinion=opinion, sentences=sentences_of(sections, served_index.language))


def _decided(served_index: ServedIndex, case: str) -> _Side:
    document = served_index.document(case)
    sections = {name: text for name, text in document.sections.items() if text}
    told = {name: text for name, text in sections.items() if name != FORMULAS} or sections
    return _Side(
        sections, served_index.rationale_of(document), document, sentences=sentences_of(told, served_index.language)
    )


def _shown(side: _Side, served_index: ServedIndex) -> models.Side:
    parts = (*side.rationale.sentences, *side.rationale.words)
    return models.Side(
        case=None if side.document is None else brief_of(side.document, served_index),
        charges=side.charges,
        judged=side.judged,
        note=note_of(side.opinion.note) if side.opinion else None,
        rationale=list(_placed(parts, side.sections)),
    )


def _placed(parts: Iterable[Part], sections: Mapping[str, str]) -> Iterator[models.PlacedPart]:
    """Parts of the sections joined by a line break, each with its place in its own section."""
    starts = dict(zip(sections, accumulate((len(text) + 1 for text in sections.values()), initial=0), strict=False))
    for part in parts:
        section, start = max(((name, at) for name, at in starts.items() if at <= part.start), key=lambda one: one[1])
        moved = part._replace(start=part.start - start, end=part.end - start)
        yield models.PlacedPart(section=section, **moved._asdict())


def _match(left: Sentence, right: Sentence, score: float, words: Sequence[str]) -> models.Match:
    return models.Match(left=_place(left), right=_place(right), score=round(score, 4), words=list(words))


def _place(sentence: Sentence) -> models.Place:
    return models.Place(section=sentence.section, start=sentence.start, end=sentence.end, text=sentence.text)


def _articles(side: _Side, served_index: ServedIndex) -> list[str] | None:
    """As `lexgear search --filter article=…` names them: 刑法264."""
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
    """The words of the facts that both say and that only one says, the most telling first; figures tell nothing."""
    spoken: list[dict[str, str]] = []
    for side in sides:
        words = {
            word: shown
            for sentence in side.sentences
            if sentence.section == "fact" or "fact" not in side.sections
            for word, shown in sentence.words.items()
            if any(map(str.isalpha, shown))
        }
        spoken.append(dict(sorted(words.items(), key=lambda one: (-served_index.rarity(one[0]), one[0]))))
    left, right = spoken
    return models.Overlap(
        shared=[shown for word, shown in left.items() if word in right][:MOST_WORDS],
        left_only=[shown for word, shown in left.items() if word not in right][:MOST_WORDS],
        right_only=[shown for word, shown in right.items() if word not in left][:MOST_WORDS],
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
