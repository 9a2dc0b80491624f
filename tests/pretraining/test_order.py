from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lexgear.pretraining.order import epoch_batches, grouped
from lexgear.pretraining.prepared import Prepared
from lexgear.pretraining.streams import Stream


def test_every_case_is_in_one_group_with_cases_near_it() -> None:
    chance = np.random.default_rng(0)
    near = np.array([[(case + 1) % 90, (case + 2) % 90, -1] for case in range(90)])
    none = np.full((90, 0), -1)
    groups = grouped(near, none, 3, chance)
    assert sorted(case for group in groups for case in group.tolist()) == list(range(90))
    assert max(map(len, groups)) == 3
    for group in groups:
        assert all(other in near[group[0]] for other in group[1:])
    assert np.mean([len(group) for group in groups]) > 2


def test_an_epoch_shows_each_case_at_most_once_and_few_are_left_over(prepared: Prepared) -> None:
    batches = epoch_batches(prepared, 16, 4, 64, np.random.default_rng(1))
    assert batches.shape == (prepared.learnt // 16, 16)
    assert len(np.unique(batches)) == batches.size
    assert batches.max() < prepared.learnt
    assert not np.array_equal(batches, epoch_batches(prepared, 16, 4, 64, np.random.default_rng(2)))


def test_cases_of_a_batch_are_of_similar_length(prepared: Prepared) -> None:
    chance = np.random.default_rng(0)
    uneven = replace(prepared, facts=Stream.of(np.ones(length) for length in chance.integers(1, 96, prepared.learnt)))

    def padding(batches: NDArray[np.int64]) -> float:
        lengths = uneven.facts.lengths[batches]
        return float(1 - lengths.sum() / (lengths.max(1) * lengths.shape[1]).sum())

    batches = epoch_batches(uneven, 8, 1, 96, chance)
    random = chance.permutation(prepared.learnt)[: batches.size].reshape(batches.shape)
    assert padding(batches) < 0.2 * padding(random)


def test_fewer_cases_than_a_batch_holds_make_one_batch(prepared: Prepared) -> None:
    assert epoch_batches(prepared, 1000, 4, 64, np.random.default_rng(0)).shape == (1, prepared.learnt)
