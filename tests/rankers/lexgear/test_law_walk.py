"""Mixed walks of generator and words: node by node, and over the whole law at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.docids.trie import Trie
from lexgear.rankers.lexgear.features.law_centroids import potentials
from lexgear.rankers.lexgear.law_walk import MixedWalk, mixed_law
from lexgear.search.whole_law import whole_law
from random_tries import random_walk, tries, walk_shapes


@given(tries(leaves_apart=True), walk_shapes, st.sampled_from([0.0, 0.3, 1.0]), st.integers(0, 99))
@settings(max_examples=80)
def test_the_whole_law_at_once_equals_the_walk_node_by_node(
    trie: Trie, shape: tuple[int, float], generator: float, seed: int
) -> None:
    reach = potentials(trie, 5.0 * np.random.default_rng(seed).random(trie.node_count))
    mixed = whole_law(trie, MixedWalk(random_walk(trie, *shape), trie, reach, generator))
    at_once = mixed_law(trie, whole_law(trie, random_walk(trie, *shape)), reach, generator)
    assert at_once == pytest.approx(mixed, nan_ok=True)
    law = ~trie.leaf_mask
    ends = law & ((trie.child_count == 0) | (trie.document[trie.first_child] >= 0))
    assert np.exp(mixed[ends]).sum() == pytest.approx(1.0)
    assert np.isnan(mixed[trie.leaf_mask]).all()


@given(tries(leaves_apart=True), walk_shapes)
@settings(max_examples=20)
def test_with_weight_zero_the_generator_does_not_run(trie: Trie, shape: tuple[int, float]) -> None:
    walk = random_walk(trie, *shape)
    nearness = np.random.default_rng(1).random(trie.node_count)
    log_p = whole_law(trie, MixedWalk(walk, trie, potentials(trie, 5.0 * nearness), 0.0))
    assert walk.asked == []
    places = np.flatnonzero(~trie.leaf_mask & ((trie.child_count == 0) | (trie.document[trie.first_child] >= 0)))
    expected = np.exp(5 * nearness[places]) / np.exp(5 * nearness[places]).sum()
    assert np.exp(log_p[places]) == pytest.approx(expected)
