"""Calibration of a base model with a classifier of matters: its threshold, and the walks of cases and lay texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexgear.judgment.base_judge import BaseJudge
from lexgear.progress import Progress, silent
from lexgear.rankers.lexgear.weighting.labelled_texts import LabelledText, partial_text
from lexgear.rankers.lexgear.weighting.walk_grid import learn_walk, walk_grid
from lexgear.rankers.lexgear.weighting.weights import Weights
from lexgear.search.whole_law import whole_law

MIN_CHARACTERS, MAX_CHARACTERS = 20, 200
"""Lengths of the short parts of cases."""


class ToldCase(NamedTuple):
    """A text and the charges that apply; none if it is no criminal matter."""

    text: str
    charges: Sequence[str]


def learn_walks(
    judge: BaseJudge, cases: Sequence[ToldCase], lay: Sequence[ToldCase], progress: Progress = silent
) -> tuple[Weights, Weights]:
    """Return the weights of the walk for texts in the words of a court and for lay texts, each with its calibration.

    Neither the base model nor the classifier may have learnt from the cases and the lay texts. The cases are read
    whole, shortened and in a part as long as the description of a layperson. These parts also teach the walk for lay
    texts: by lay texts alone, it did without the generator, and a driver who fled was named 窝藏、包庇罪.
    """
    rng, read = np.random.default_rng(0), 0

    def labelled(text: str, charges: Sequence[str]) -> LabelledText:
        nonlocal read
        read += 1
        progress(read, 3 * len(cases) + len(lay), "reading texts")
        return labelled_text(judge, text, charges)

    facts = [labelled(part, case.charges) for case in cases for part in (case.text, partial_text(case.text, rng))]
    short = [labelled(_short_part(case.text, rng), case.charges) for case in cases]
    told = [labelled(case.text, case.charges) for case in lay if case.charges]
    trie, nodes = judge.ids.trie, judge.charge_nodes()
    progress(0, 1, "learning the weights")
    _, for_lay = min(walk_grid(trie, nodes, short, told), key=lambda pair: pair[0])
    return learn_walk(trie, nodes, [*facts, *short]), for_lay


def labelled_text(judge: BaseJudge, text: str, charges: Sequence[str]) -> LabelledText:
    """Return a text with the charges that apply to it, scored by generator, words and classifier."""
    features = judge.read(judge.names.text(text).text)
    names = [judge.ids.node_name(node).rsplit("/", 1)[-1] for node in judge.charge_nodes().tolist()]
    return LabelledText(
        whole_law(judge.ids.trie, features),
        features.nearness,
        np.array([name in charges for name in names], dtype=bool),
        features.matter.charge_log_p(judge.ids) if features.matter else None,
    )


class ReadLayTexts(NamedTuple):
    """Lay texts as a classifier of matters reads them."""

    crime: NDArray[np.float64]
    """Probability that each text is a criminal matter."""
    criminal: NDArray[np.bool_]
    """True for the texts that are."""

    def with_others(self, others: ReadLayTexts) -> ReadLayTexts:
        """Return these texts and others."""
        return ReadLayTexts(*(np.concatenate(pair) for pair in zip(self, others, strict=True)))


def read_lay_texts(judge: BaseJudge, lay: Sequence[ToldCase]) -> ReadLayTexts:
    """Return lay texts as the classifier of a base model reads them."""
    matters = judge.base.matters
    crime = [matters.read(judge.names.text(case.text).text).crime for case in lay] if matters else []
    return ReadLayTexts(np.array(crime, float), np.array([bool(case.charges) for case in lay], bool))


def best_threshold(lay: ReadLayTexts) -> float:
    """Return the least probability of a crime that keeps the larger of both error rates on lay texts smallest."""
    crime, criminal = lay

    def error(threshold: float) -> tuple[float, float]:
        refused, passed = np.mean(crime[criminal] < threshold), np.mean(crime[~criminal] >= threshold)
        return max(float(refused), float(passed)), float(refused + passed)

    return min((round(0.2 + 0.05 * step, 2) for step in range(13)), key=error)


def _short_part(text: str, rng: np.random.Generator) -> str:
    """Return a random part of a text, as long as the description of a layperson."""
    length = int(rng.integers(MIN_CHARACTERS, MAX_CHARACTERS))
    start = int(rng.integers(0, max(len(text) - length, 0) + 1))
    return text[start : start + length]
