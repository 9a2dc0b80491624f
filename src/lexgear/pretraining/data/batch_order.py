"""Order of the cases in an epoch: every case once, grouped with similar cases of similar length."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.pretraining.data.prepared import JUDGED, TITLED, Prepared
from lexgear.pretraining.settings import PretrainSettings

Ints = NDArray[Any]
POOL = 16
"""Batches that are sorted by length together: little padding, and the order stays random."""


def epoch_batches(prepared: Prepared, settings: PretrainSettings, rng: np.random.Generator) -> Ints:
    """Return the cases of one epoch, (batches, cases); an incomplete last batch is dropped."""
    if settings.rare_charge_power:
        return drawn_batches(prepared, settings, rng)
    lengths = np.minimum(prepared.facts.lengths, settings.max_length)
    free = _chosen(prepared, settings, rng)
    count = int(free.sum())
    groups = group_cases(prepared.neighbours, prepared.negatives, settings.group_size, free, rng)
    cases = np.concatenate(groups)
    longest = np.repeat([lengths[alike].max() for alike in groups], [len(alike) for alike in groups])
    size = min(settings.batch_size, count)
    for start in range(0, count, size * POOL):
        pool = slice(start, start + size * POOL)
        cases[pool] = cases[pool][np.argsort(longest[pool], kind="stable")]
    batches = cases[: count // size * size].reshape(-1, size)
    return rng.permutation(batches)


def drawn_batches(prepared: Prepared, settings: PretrainSettings, rng: np.random.Generator) -> Ints:
    """Return batches of cases drawn with replacement, those of rare charges more often, each with some neighbours."""
    cases = _drawable(prepared)
    charges = [prepared.charges.row(case) for case in cases.tolist()]
    frequency = np.bincount(np.concatenate([*charges, [0]]), minlength=1)
    rarest = np.array([frequency[nodes].min() if len(nodes) else frequency.max() for nodes in charges])
    weights = rarest.astype(np.float64) ** -settings.rare_charge_power
    size = min(settings.batch_size, len(cases))
    groups = -(-size // settings.group_size)
    seeds = rng.choice(cases, (epoch_size(prepared, settings), groups), p=weights / weights.sum())
    near = prepared.neighbours[seeds]
    order = np.argsort(np.where(near >= 0, rng.random(near.shape), 2.0), axis=-1)[..., : settings.group_size - 1]
    others = np.take_along_axis(near, order, axis=-1)
    drawn = np.concatenate([seeds[..., None], np.where(others >= 0, others, seeds[..., None])], axis=-1)
    return drawn.reshape(len(seeds), -1)[:, :size]


def epoch_size(prepared: Prepared, settings: PretrainSettings) -> int:
    """Return the number of batches per epoch."""
    if settings.rare_charge_power:
        count = len(_drawable(prepared))
    else:
        count = int(_chosen(prepared, settings, np.random.default_rng(0)).sum())
    return max(count // min(settings.batch_size, count), 1)


def _drawable(prepared: Prepared) -> Ints:
    """Return the judgments with charges, or without any, all cases."""
    learnt = slice(prepared.learnt)
    judged = np.flatnonzero((prepared.kinds[learnt] == JUDGED) & (prepared.charges.lengths[learnt] > 0))
    return judged if len(judged) else np.arange(prepared.learnt)


def _chosen(prepared: Prepared, settings: PretrainSettings, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return a mask of the cases of an epoch: all judgments and questions, and other articles up to their share."""
    kinds = prepared.kinds[: prepared.learnt]
    judged, titled = int((kinds == JUDGED).sum()), np.flatnonzero(kinds == TITLED)
    share, questions = settings.max_article_share, len(kinds) - judged - len(titled)
    room = round(judged * share / (1 - share)) - questions
    chosen = np.ones(len(kinds), dtype=bool)
    if judged and len(titled) > max(room, 0):
        chosen[rng.permutation(titled)[max(room, 0) :]] = False
    return chosen


def group_cases(
    neighbours: Ints, negatives: Ints, size: int, free: NDArray[np.bool_], rng: np.random.Generator
) -> list[Ints]:
    """Assign every free case to one group of up to `size`: a case with free neighbours and mined negatives."""
    free = free.copy()
    near = np.concatenate([neighbours, negatives], axis=1)
    groups = []
    for case in rng.permutation(np.flatnonzero(free)).tolist():
        if not free[case]:
            continue
        free[case] = False
        others = np.unique(near[case])
        others = others[others >= 0]
        others = rng.permutation(others[free[others]])[: size - 1]
        free[others] = False
        groups.append(np.append(case, others))
    return groups
