import numpy as np

from lexgear.lexical.sparse import SparseWeights
from lexgear.pretraining.data.neighbours import Facts

rng = np.random.default_rng(3)
TEXTS = [[f"w{word}" for word in rng.integers(0, 40, rng.integers(5, 30))] for _ in range(60)]


def test_the_nearest_are_those_bm25_scores_highest_in_units_of_the_own_score() -> None:
    facts = Facts(TEXTS)
    found, scores = facts.nearest(TEXTS, np.arange(60), 5)
    sparse = SparseWeights.bm25(TEXTS, k1=1.5, b=0.75)
    for place, text in enumerate(TEXTS):
        expected = sparse.sums(sparse.known(list(dict.fromkeys(text)))).astype(np.float64)  # fewer than 64 words: all
        own, expected[place] = expected[place], -1
        best = np.sort(expected)[::-1][:5] / own
        np.testing.assert_allclose(scores[place], np.minimum(best, 1), rtol=2e-3)
        np.testing.assert_allclose(expected[found[place]] / own, best, rtol=2e-3)
        assert place not in found[place]


def test_a_copy_scores_one_and_an_empty_text_finds_nothing() -> None:
    facts = Facts([*TEXTS, TEXTS[0]])
    found, scores = facts.nearest([TEXTS[0], []], np.arange(2), 3)
    assert (found[0, 0], scores[0, 0]) == (60, 1)
    assert found[1].tolist() == [-1, -1, -1]
    assert not scores[1].any()


def test_where_there_are_fewer_cases_the_rest_is_marked() -> None:
    found, _ = Facts([["a", "b"], ["a", "c"]]).nearest([["a", "b"], ["a", "c"]], np.arange(2), 3)
    assert found.tolist() == [[1, -1, -1], [0, -1, -1]]
    alone, _ = Facts([["a"]]).nearest([["a"]], np.arange(1), 2)
    assert alone.tolist() == [[-1, -1]]
