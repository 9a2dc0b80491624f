"""Deletion test: a text without its rationale, without its beginning, and without as many characters of the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from lexgear.evaluation.reproduce.rationale.cases import StudyCase
from lexgear.evaluation.reproduce.rationale.charge_classifier import ChargeClassifier
from lexgear.evaluation.reproduce.rationale.model_inputs import WINDOW
from lexgear.progress import Progress, silent
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.records import Rationale
from lexgear.rationale.sentences import sentence_ends

Span: TypeAlias = tuple[int, int]
NOTHING, BEST, BEGINNING, OTHERS = (
    "nothing",
    "f_R's best sentences",
    "as many characters of the beginning (Direct indexing)",
    "as many characters of other sentences, at random",
)


@dataclass(frozen=True, slots=True)
class Deletion:
    """A text without the best sentences of its rationale, and without as many other characters."""

    remaining: Mapping[str, str]
    """Kind of deletion (`BEST`, `BEGINNING` or `OTHERS`) → the remaining text."""
    characters: int
    """Number of characters deleted in each."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The judgments of the cases from what remains of them, one value per case."""

    right: Mapping[str, Sequence[float]]
    """Kind of deletion → 1 if the charge named first is still one of the case's own, otherwise 0."""
    change: Mapping[str, Sequence[float]]
    """Kind of deletion → Σ over the charges of |P(charge | text) - P(charge | remaining text)|."""
    characters: Sequence[int]
    left_out: int
    """Number of cases of which no sentence could be deleted."""


def judgment_changes(
    cases: Sequence[StudyCase], inputs: Inputs, judge: ChargeClassifier, seed: int, progress: Progress = silent
) -> Changes:
    """Return how the judgment on each case changes with each deletion."""
    chance = np.random.default_rng(seed)
    found: list[tuple[StudyCase, Deletion]] = []
    for done, case in enumerate(cases, start=1):
        cut = delete_rationale(case.text, inputs.rationale(case.text), inputs.lexicon.language, chance)
        found += [(case, cut)] if cut else []
        progress(done, len(cases), "judging without the rationale")
    charges, whole = [case.charges for case, _ in found], [case.text for case, _ in found]
    remaining = {name: [cut.remaining[name] for _, cut in found] for name in (BEST, BEGINNING, OTHERS)}
    before = judge.probabilities(whole)
    return Changes(
        right={name: judge.correct(texts, charges) for name, texts in ({NOTHING: whole} | remaining).items()},
        change={
            name: np.abs(judge.probabilities(texts) - before).sum(axis=1).tolist() for name, texts in remaining.items()
        },
        characters=[cut.characters for _, cut in found],
        left_out=len(cases) - len(found),
    )


def delete_rationale(text: str, rationale: Rationale, language: str, chance: np.random.Generator) -> Deletion | None:
    """Return a text without the sentences that f_R scores best, without its beginning, and without random sentences.

    Sentences are deleted as long as they fit into what a model reads, and into half of the text. The beginning may cut
    into a sentence, and of the last random sentence only the beginning is deleted, so that all lose the same number of
    characters. Return None if no sentence fits.
    """
    sentences = list(pairwise([0, *sentence_ends(text, language).tolist()]))
    best = []
    room = min(len(text) // 2, WINDOW)
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
    return Deletion(
        {BEST: _without(text, best), BEGINNING: text[characters:], OTHERS: _without(text, others)}, characters
    )


def _without(text: str, spans: Sequence[Span]) -> str:
    kept, last = [], 0
    for start, end in sorted(spans):
        kept.append(text[last:start])
        last = end
    return "".join([*kept, text[last:]])
