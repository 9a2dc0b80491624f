import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.docids.trie import Trie
from lexgear.search.beam import beam_search, documents_of_beams
from lexgear.search.exact import best_documents
from lexgear.search.pruned import PrunedWalk
from random_tries import TableWalk, random_walk, trie_of, tries, walk_shapes


@given(tries(), walk_shapes, st.integers(0, 2**12 - 1))
def test_enough_beams_find_all_that_is_allowed_with_the_scores_it_has(
    trie: Trie, shape: tuple[int, float], chosen: int
) -> None:
    allowed = np.array([chosen >> place & 1 for place in range(trie.document.max() + 1)], dtype=np.bool_)
    beams = beam_search(trie, PrunedWalk(random_walk(trie, *shape), trie, allowed), trie.node_count, trie.node_count)
    exact = best_documents(trie, random_walk(trie, *shape), len(allowed), allowed=allowed).hits
    assert dict(documents_of_beams(trie, beams.hits)) == pytest.approx(dict(exact), abs=3e-5)


def test_a_single_beam_goes_where_an_answer_may_be() -> None:
    trie = trie_of([[(0,)], [(1,)]])
    walk = TableWalk(trie, {0: np.log([0.9, 0.1]), 1: np.zeros(1), 2: np.zeros(1)})
    hits = beam_search(trie, PrunedWalk(walk, trie, np.array([False, True])), beams=1, k=1).hits
    assert [(int(trie.document[leaf]), score) for leaf, score in hits] == [(1, round(math.log(0.1), 5))]
    assert walk.asked == [[0], [2]]
