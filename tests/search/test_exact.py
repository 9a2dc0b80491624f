"""Exact search compared with brute force over all leaves, and the number of expansions."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.search.exact import best_documents, best_ids, search_documents
from lexgear.search.scorer import run_together
from random_tries import (
    TableWalk,
    best_of,
    documents_by_force,
    random_walk,
    trie_of,
    tries,
    walk_shapes,
)

Hits = list[tuple[int, float]]
WalkShape = tuple[int, float]
batches = st.sampled_from([1, 3, 16])
counts = st.integers(1, 15)
"""Values of k, up to more than there are documents."""


def same(found: Hits, expected: Hits) -> None:
    assert [item for item, _ in found] == [item for item, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=2e-5)


def walk_with(trie: Trie, *shares: tuple[Sequence[int], Sequence[float]]) -> TableWalk:
    """Return a walk with given shares at some nodes, named by their paths, and uniform shares elsewhere."""
    walk = random_walk(trie, seed=0, sharpness=0.0)
    paths = {trie.path(node): node for node in range(trie.node_count)}
    given_steps = {paths[tuple(path)]: np.log(np.array(share)) for path, share in shares}
    return TableWalk(trie, {**walk.steps, **given_steps})


class TestIds:
    @given(tries(), walk_shapes, counts, batches)
    def test_are_those_of_brute_force_whatever_k(self, trie: Trie, shape: WalkShape, k: int, batch: int) -> None:
        walk = random_walk(trie, *shape)
        leaves = {leaf: walk.log_p(leaf) for leaf in np.flatnonzero(trie.leaf_mask).tolist()}
        same(best_ids(trie, walk, k, batch).hits, best_of(leaves, k))

    def test_of_probability_zero_are_no_hits(self) -> None:
        trie = trie_of([[(0,)], [(1,)]])
        with np.errstate(divide="ignore"):
            walk = walk_with(trie, ((), (1.0, 0.0)))
        assert best_ids(trie, walk, k=5).hits == [(3, 0.0)]

    def test_of_one_document_alone_are_certain(self) -> None:
        trie = trie_of([[(0, 0, 0)]])
        assert best_ids(trie, random_walk(trie, seed=1), k=3).hits == [(4, 0.0)]

    def test_are_none_in_an_empty_trie(self) -> None:
        trie = trie_of([])
        assert best_ids(trie, TableWalk(trie, {}), k=3).hits == []

    def test_reached_carry_the_probability_of_every_node_on_the_way(self) -> None:
        trie = trie_of([[(0, 0)], [(0, 1)], [(1, 0)]])
        walk = walk_with(trie, ((), (0.9, 0.1)), ((0,), (0.6, 0.4)))
        result = best_ids(trie, walk, k=1, batch=1)
        assert np.exp(result.log_p[:5]).tolist() == pytest.approx([1.0, 0.9, 0.1, 0.54, 0.36])
        assert np.isnan(result.log_p[5]), "the node below the charge of .1 cannot matter"
        assert result.expanded == 3


class TestDocuments:
    @settings(max_examples=200)
    @given(tries(), walk_shapes, counts, batches, st.permutations(range(12)))
    def test_are_those_of_brute_force_whatever_k(
        self, trie: Trie, shape: WalkShape, k: int, batch: int, ties: list[int]
    ) -> None:
        walk = random_walk(trie, *shape)
        result = best_documents(trie, walk, k, batch, np.array(ties))
        same(result.hits, best_of(documents_by_force(walk), k, ties))
        assert result.expanded == sum(map(len, walk.asked)) <= int((trie.child_count > 0).sum())

    @given(tries(), walk_shapes, counts, st.lists(st.booleans(), min_size=12, max_size=12))
    def test_not_allowed_are_never_hits(self, trie: Trie, shape: WalkShape, k: int, allowed: list[bool]) -> None:
        walk = random_walk(trie, *shape)
        scores = {one: score for one, score in documents_by_force(walk).items() if allowed[one]}
        same(best_documents(trie, walk, k, allowed=np.array(allowed)).hits, best_of(scores, k))

    def test_with_two_fair_ids_come_before_one_with_the_best_id(self) -> None:
        trie = trie_of([[(0,)], [(1,), (2,)]])
        walk = walk_with(trie, ((), (0.4, 0.3, 0.3)))
        assert best_documents(trie, walk, k=1, batch=1).hits == [(1, round(math.log(0.6), 5))]

    def test_of_equal_score_go_by_the_order_given(self) -> None:
        trie = trie_of([[(0,)], [(1,)], [(2,)]])
        walk = walk_with(trie)
        assert [one for one, _ in best_documents(trie, walk, k=2, tie_order=np.array([2, 0, 1])).hits] == [1, 2]

    def test_closer_than_the_rounding_are_equal(self) -> None:
        trie = trie_of([[(0,)], [(1,)]])
        walk = walk_with(trie, ((), (0.500001, 0.499999)))
        assert best_documents(trie, walk, k=1, tie_order=np.array([1, 0])).hits == [(1, round(math.log(0.5), 5))]

    def test_all_come_when_more_are_asked_for_than_there_are(self) -> None:
        trie = trie_of([[(0,), (1,)], [(1,)], [(0, 1)]])
        hits = best_documents(trie, random_walk(trie, seed=3), k=100).hits
        assert sorted(one for one, _ in hits) == [0, 1, 2]
        assert math.fsum(math.exp(score) for _, score in hits) == pytest.approx(1.0, abs=1e-4)

    def test_under_uncharged_are_found_like_others(self) -> None:
        uncharged = (7,)
        trie = trie_of([[(0, 0)], [uncharged], [uncharged]])
        walk = walk_with(trie, ((), (0.1, 0.9)), (uncharged, (0.2, 0.8)))
        assert [one for one, _ in best_documents(trie, walk, k=3).hits] == [2, 1, 0]

    def test_of_several_queries_together_are_those_of_each_alone(self) -> None:
        trie = large_trie()
        walks = {number: random_walk(trie, seed=number, sharpness=2.0 * number) for number in range(4)}
        alone = [best_documents(trie, random_walk(trie, seed, 2.0 * seed), k=5) for seed in walks]
        assert run_together([search_documents(trie, k=5) for _ in walks], SideBySide(walks)) == alone

    def test_an_answer_of_the_wrong_length_is_a_fault(self) -> None:
        trie = trie_of([[(0,)], [(1,)]])
        with pytest.raises(ValueError, match="1 log-probabilities for 2 children"):
            best_documents(trie, TableWalk(trie, {0: np.zeros(1)}), k=1)


def large_trie() -> Trie:
    """Return 1,500 documents with one to five IDs under 500 charges, four levels deep."""
    dice = np.random.default_rng(5)
    charges = [(chapter, article, charge) for chapter in range(10) for article in range(10) for charge in range(5)]
    picks = [dice.choice(len(charges), size=dice.integers(1, 6), replace=False) for _ in range(1500)]
    return trie_of([[charges[pick] for pick in sorted(pick)] for pick in picks])


class SideBySide:
    def __init__(self, walks: Mapping[int, TableWalk]) -> None:
        self.walks = walks

    def expand(self, asked: Mapping[int, Sequence[int]]) -> dict[int, list[NDArray[np.float64]]]:
        return {number: self.walks[number].expand(nodes) for number, nodes in asked.items()}


@pytest.mark.parametrize("seed", range(5))
def test_a_peaked_distribution_leaves_most_of_a_large_tree_unexpanded(seed: int) -> None:
    trie = large_trie()
    inner = int((trie.child_count > 0).sum())
    assert best_ids(trie, random_walk(trie, seed, sharpness=6.0), k=10).expanded < inner / 8
    result = best_documents(trie, random_walk(trie, seed, sharpness=6.0), k=10)
    assert result.expanded < inner / 4
    same(result.hits, best_of(documents_by_force(random_walk(trie, seed, sharpness=6.0)), 10))


@pytest.mark.parametrize("sharpness", [0.0, 1.0, 6.0])
def test_rankings_do_not_depend_on_how_many_nodes_are_expanded_at_once(sharpness: float) -> None:
    trie = large_trie()
    results = [best_documents(trie, random_walk(trie, 1, sharpness), 30, batch).hits for batch in (1, 4, 16, 1000)]
    assert all(hits == results[0] for hits in results)
