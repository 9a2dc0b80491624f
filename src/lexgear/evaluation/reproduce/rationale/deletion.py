"""Deletion test: how a judgment changes without the rationale, and without as much other text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from lexgear.evaluation.reproduce.rationale.cases import StudyCase
from lexgear.progress import Progress, silent
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.records import Rationale
from lexgear.rationale.sentences import sentence_ends

Judge: TypeAlias = Callable[[str], Mapping[str, float]]
"""Returns the probability that each charge applies to a text; missing charges count as 0."""
Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Deletion:
    """A text without the best sentences of its rationale, and without as many characters of other sentences."""

    without_rationale: str
    without_others: str
    characters: int
    """Number of characters deleted in each."""


@dataclass(frozen=True, slots=True)
class Changes:
    """For each case, Σ over the charges of |P(charge | text) - P(charge | remaining text)|."""

    rationale: Sequence[float]
    others: Sequence[float]
    characters: Sequence[int]
    left_out: int
    """Number of cases with a single sentence, or without a judgment on the whole text."""


def judgment_changes(
    cases: Sequence[StudyCase], inputs: Inputs, judge: Judge, seed: int, progress: Progress = silent
) -> Changes:
    """Return how much each deletion changes the judgment on each case."""
    chance = np.random.default_rng(seed)
    found: list[tuple[float, float, int]] = []
    for done, case in enumerate(cases, start=1):
        cut = delete_rationale(case.text, inputs.rationale(case.text), inputs.lexicon.language, chance)
        if cut is not None and (before := judge(case.text)):
            by_rationale = total_change(before, judge(cut.without_rationale))
            found.append((by_rationale, total_change(before, judge(cut.without_others)), cut.characters))
        progress(done, len(cases), "judging without the rationale")
    rationale, others, characters = zip(*found, strict=True) if found else ((), (), ())
    return Changes(rationale, others, characters, len(cases) - len(found))


def delete_rationale(text: str, rationale: Rationale, language: str, chance: np.random.Generator) -> Deletion | None:
    """Return a text without the sentences that f_R scores best, and without others drawn at random.

    Sentences are deleted as long as they fit into half of the text. Of the last random sentence only the beginning is
    deleted, so that both lose the same number of characters. Return None if no sentence fits.
    """
    sentences = list(pairwise([0, *sentence_ends(text, language).tolist()]))
    best = []
    room = len(text) // 2
    for part in sorted(rationale.sentences, key=lambda part: (-part.score, part.start)):
        [sentence] = [one for one in sentences if one[0] <= part.start < one[1]]
        if (length := sentence[1] - sentence[0]) <= room:
            best.append(sentence)
            room -= length
    if not best:
        return None
    rest = [sentence for sentence in sentences if sentence not in best]
    characters = left = sum(end - start for start, end in best)
    others = []
    for place in chance.permutation(len(rest)).tolist():
        start, end = rest[place]
        others.append((start, min(end, start + left)))
        left -= others[-1][1] - start
    return Deletion(_without(text, best), _without(text, others), characters)


def total_change(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """Return the sum over all charges of the absolute difference of their probabilities.

    >>> total_change({"a": 0.75, "b": 0.25}, {"b": 0.5})
    1.0
    """
    return sum(abs(before.get(name, 0.0) - after.get(name, 0.0)) for name in sorted({*before, *after}))


def _without(text: str, spans: Sequence[Span]) -> str:
    kept, last = [], 0
    for start, end in sorted(spans):
        kept.append(text[last:start])
        last = end
    return "".join([*kept, text[last:]])
