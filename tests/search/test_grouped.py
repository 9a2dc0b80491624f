"""Search for sets of places, compared with brute force over all documents of all sets."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.docids.trie import Trie
from lexgear.search.grouped import FoundSets, find_sets
from random_tries import TableWalk, best_of, random_walk, sets_by_force, trie_of, tries, walk_shapes

scores = st.sampled_from([-math.inf, -1.0, 0.0, 0.5, 2.0, 7.25])


def search(walk: TableWalk, members: list[list[float]], k: int, batch: int = 24) -> FoundSets:
    """Search among documents that are given by their scores, set by set."""
    best = np.array([max(own, default=-math.inf) for own in members])
    return find_sets(walk.trie, walk, k, best, lambda number: np.array(members[number], dtype=float), batch)


@settings(max_examples=200)
@given(
    tries(leaves_apart=True),
    walk_shapes,
    st.lists(st.lists(scores, max_size=4), min_size=12, max_size=12),
    st.integers(1, 15),
    st.sampled_from([1, 3, 16]),
)
def test_the_k_best_documents_of_brute_force_are_in_the_sets_found(
    trie: Trie, shape: tuple[int, float], members: list[list[float]], k: int, batch: int
) -> None:
    walk = random_walk(trie, *shape)
    owners: list[int] = []
    documents: dict[int, float] = {}
    for number, log_p in sets_by_force(walk).items():
        for score in members[number]:
            documents[len(owners)] = log_p + score
            owners.append(number)
    found = search(walk, members, k, batch)
    assert {owners[document] for document, _ in best_of(documents, k)} <= set(found.sets.tolist())
    asked = [node for nodes in walk.asked for node in nodes]
    assert found.expanded == len(asked)
    assert not np.any(trie.document[trie.first_child[asked]] >= 0), "leaves are not the model's to score"
    known = np.flatnonzero(~np.isnan(found.log_p)).tolist()
    assert found.log_p[known] == pytest.approx([walk.log_p(node) for node in known])


def test_sets_right_below_the_root_need_no_model() -> None:
    found = search(TableWalk(trie_of([[()], [()]]), {}), [[1.0], [2.0]], k=1)
    assert (found.sets.tolist(), found.expanded) == ([1], 0)


def test_only_nodes_are_expanded_whose_documents_can_still_win() -> None:
    trie = trie_of([[(0, 0)], [(1, 0)], [(2, 0)]])
    found = search(random_walk(trie, seed=0, sharpness=0.0), [[0.0], [9.0], [0.0]], k=1, batch=1)
    assert (found.sets.tolist(), found.expanded) == ([1], 2)


def test_a_set_with_many_good_documents_leaves_the_others_unexpanded() -> None:
    trie = trie_of([[(0, 0)], [(1, 0)]])
    full, part = ([[9.0] * count, [0.0]] for count in (3, 2))
    assert search(random_walk(trie, seed=0, sharpness=0.0), full, k=3, batch=1).expanded == 2
    assert search(random_walk(trie, seed=0, sharpness=0.0), part, k=3, batch=1).expanded == 3
