"""Beam search: found and missed IDs, and their conversion to documents."""

import math

import numpy as np
import pytest
from hypothesis import given

from lexgear.docids.trie import Trie
from lexgear.search.beam import beam_search, documents_of_beams
from lexgear.search.exact import best_documents, best_ids
from random_tries import TableWalk, random_walk, trie_of, tries, walk_shapes


@given(tries(), walk_shapes)
def test_enough_beams_find_what_exact_search_finds(trie: Trie, shape: tuple[int, float]) -> None:
    k = int(trie.leaf_mask.sum())
    beams = beam_search(trie, random_walk(trie, *shape), beams=trie.node_count, k=k)
    assert beams.hits == best_ids(trie, random_walk(trie, *shape), k).hits
    exact = best_documents(trie, random_walk(trie, *shape), k).hits
    merged = dict(documents_of_beams(trie, beams.hits))
    assert merged == pytest.approx(dict(exact), abs=3e-5)


@given(tries(), walk_shapes)
def test_no_level_holds_more_hypotheses_than_there_are_beams(trie: Trie, shape: tuple[int, float]) -> None:
    walk = random_walk(trie, *shape)
    result = beam_search(trie, walk, beams=2, k=5)
    assert all(len(level) <= 2 for level in walk.asked)
    assert len(result.hits) <= 2
    assert result.expanded == sum(map(len, walk.asked))


def test_a_narrow_beam_misses_the_best_id_that_exact_search_finds() -> None:
    trie = trie_of([[(0,)], [(0,)], [(1,)]])
    steps = {0: np.log([0.6, 0.4]), 1: np.log([0.5, 0.5]), 2: np.zeros(1)}
    assert beam_search(trie, TableWalk(trie, steps), beams=1, k=1).hits == [(3, round(math.log(0.3), 5))]
    assert best_ids(trie, TableWalk(trie, steps), k=1).hits == [(5, round(math.log(0.4), 5))]


def test_a_short_id_is_kept_while_longer_ones_go_on() -> None:
    trie = trie_of([[(0,)], [(1, 0, 0)]])
    walk = TableWalk(trie, {0: np.log([0.7, 0.3]), 1: np.zeros(1), 2: np.zeros(1), 4: np.zeros(1), 5: np.zeros(1)})
    hits = beam_search(trie, walk, beams=2, k=2).hits
    assert [int(trie.document[leaf]) for leaf, _ in hits] == [0, 1]
    assert [score for _, score in hits] == [round(math.log(0.7), 5), round(math.log(0.3), 5)]


def test_ids_of_the_same_document_add_their_probabilities() -> None:
    trie = trie_of([[(0,)], [(1,), (2,)]])
    hits = [(4, math.log(0.4)), (5, math.log(0.3)), (6, math.log(0.3))]
    assert documents_of_beams(trie, hits) == [(1, round(math.log(0.6), 5)), (0, round(math.log(0.4), 5))]


def test_documents_of_equal_score_go_by_the_order_given() -> None:
    trie = trie_of([[(0,)], [(1,)]])
    hits = [(3, math.log(0.5)), (4, math.log(0.5))]
    assert [one for one, _ in documents_of_beams(trie, hits, tie_order=np.array([1, 0]))] == [1, 0]


def test_no_hits_are_no_documents() -> None:
    assert documents_of_beams(trie_of([[(0,)]]), []) == []
