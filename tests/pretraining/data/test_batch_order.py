from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from lexgear.pretraining.data.batch_order import epoch_batches, epoch_size, group_cases
from lexgear.pretraining.data.prepared import ASKED, JUDGED, TITLED, Prepared
from lexgear.pretraining.data.token_streams import Stream
from lexgear.settings import changed
from pretraining.small import SETTINGS


def test_every_case_is_in_one_group_with_cases_near_it() -> None:
    rng = np.random.default_rng(0)
    near = np.array([[(case + 1) % 90, (case + 2) % 90, -1] for case in range(90)])
    none = np.full((90, 0), -1)
    groups = group_cases(near, none, 3, np.ones(90, dtype=bool), rng)
    assert sorted(case for group in groups for case in group.tolist()) == list(range(90))
    assert max(map(len, groups)) == 3
    for group in groups:
        assert all(other in near[group[0]] for other in group[1:])
    assert np.mean([len(group) for group in groups]) > 2


def test_an_epoch_shows_each_case_at_most_once_and_few_are_left_over(prepared: Prepared) -> None:
    batches = epoch_batches(prepared, SETTINGS, np.random.default_rng(1))
    assert batches.shape == (prepared.learnt // 16, 16)
    assert len(np.unique(batches)) == batches.size
    assert batches.max() < prepared.learnt
    assert not np.array_equal(batches, epoch_batches(prepared, SETTINGS, np.random.default_rng(2)))


def test_cases_of_a_batch_are_of_similar_length(prepared: Prepared) -> None:
    rng = np.random.default_rng(0)
    uneven = replace(prepared, facts=Stream.of(np.ones(length) for length in rng.integers(1, 96, prepared.learnt)))

    def padding(batches: NDArray[np.int64]) -> float:
        lengths = uneven.facts.lengths[batches]
        return float(1 - lengths.sum() / (lengths.max(1) * lengths.shape[1]).sum())

    batches = epoch_batches(uneven, changed(SETTINGS, batch_size=8, group_size=1, max_length=96), rng)
    random = rng.permutation(prepared.learnt)[: batches.size].reshape(batches.shape)
    assert padding(batches) < 0.2 * padding(random)


def test_fewer_cases_than_a_batch_holds_make_one_batch(prepared: Prepared) -> None:
    batches = epoch_batches(prepared, changed(SETTINGS, batch_size=1000), np.random.default_rng(0))
    assert batches.shape == (1, prepared.learnt)


def test_articles_fill_a_share_of_an_epoch_and_questions_come_first(prepared: Prepared) -> None:
    kinds = np.full(len(prepared.facts), JUDGED, dtype=np.uint8)
    kinds[:60], kinds[:5] = TITLED, ASKED
    mixed, settings = replace(prepared, kinds=kinds), changed(SETTINGS, batch_size=4, max_article_share=0.2)
    judged = prepared.learnt - 60
    epochs = [epoch_batches(mixed, settings, np.random.default_rng(seed)).flatten() for seed in range(40)]
    for epoch in epochs:
        assert len(epoch) // 4 == epoch_size(mixed, settings)
        assert (kinds[epoch] != JUDGED).mean() == pytest.approx(0.2, abs=0.03)
        assert (kinds[epoch] == JUDGED).sum() >= judged - 4
    seen = {int(case) for epoch in epochs for case in epoch}
    assert seen == set(range(prepared.learnt))
    assert np.mean([np.isin(np.arange(5), epoch).mean() for epoch in epochs]) > 0.9
    alone = replace(prepared, kinds=np.full(len(prepared.facts), TITLED, dtype=np.uint8))
    assert epoch_batches(alone, settings, np.random.default_rng(0)).size == prepared.learnt // 4 * 4
