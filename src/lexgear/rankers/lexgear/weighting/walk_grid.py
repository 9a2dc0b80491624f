"""Weights of the walk down the law, chosen from a grid on texts with known charges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from lexgear.docids.trie import Trie
from lexgear.rankers.lexgear.weighting.calibration import calibrated
from lexgear.rankers.lexgear.weighting.labelled_texts import LabelledText
from lexgear.rankers.lexgear.weighting.weights import START, Weights
from lexgear.search.scorer import Ints

GENERATOR_GRID, LAW_WORDS_GRID = (0.0, 0.25, 0.5, 1.0, 2.0), (0.0, 5.0, 10.0, 20.0, 40.0, 80.0)
"""Grids of the walk's weights, in steps of a factor of two from nothing to more than anyone needs."""
MATTERS_GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Grid of the weight of the classifier of matters, if the texts were read by one."""


def learn_walk(trie: Trie, charges: Ints, texts: Sequence[LabelledText], *, generates: bool = True) -> Weights:
    """Return the weights of `walk_grid` with the least loss."""
    return min(walk_grid(trie, charges, texts, generates=generates), key=lambda pair: pair[0])[1]


def walk_grid(
    trie: Trie,
    charges: Ints,
    judgments: Sequence[LabelledText],
    queries: Sequence[LabelledText] = (),
    start: Weights = START,
    *,
    generates: bool = True,
) -> list[tuple[float, Weights]]:
    """Return all weights of the grid, each with the log loss per text of calibrated probabilities over all charges.

    `charges` are the trie nodes of charges; without any, or without texts, the start is returned. Together the
    judgments count at most as much as the queries, since they resemble what the generator was trained on and the texts
    of users do not. Without `generates` the walk goes by words alone.
    """
    start = start if generates else replace(start, generator=0.0)
    texts = [*judgments, *queries]
    if not len(charges) or not texts:
        return [(0.0, start)]
    applies = np.concatenate([one.applies for one in texts])
    share = min(1.0, len(queries) / max(len(judgments), 1)) if queries else 1.0
    counts = np.repeat([share] * len(judgments) + [1.0] * len(queries), len(charges))

    def evaluate(generator: float, law_words: float, matters: float) -> tuple[float, Weights]:
        walk = replace(start, generator=generator, law_words=law_words, matters=matters)
        log_shares = np.concatenate([one.log_p(trie, walk)[charges] for one in texts])
        loss, slope, offset = calibrated(log_shares, applies, counts)
        return loss * len(charges) / counts.sum(), replace(walk, slope=slope, offset=offset)

    classified = all(one.classified is not None for one in texts)
    grids = GENERATOR_GRID if generates else (0.0,), LAW_WORDS_GRID, MATTERS_GRID if classified else (start.matters,)
    return [evaluate(own, words, matters) for own, words, matters in product(*grids)]
