"""Coordinate ascent: it finds the weights that rank best, and few queries change little."""

import numpy as np
import pytest

from lexgear.rankers.lexgear.weighting.coordinate_ascent import ascend
from lexgear.rankers.lexgear.weighting.listwise import Candidates, learn_weights
from lexgear.rankers.lexgear.weighting.ranking import ranking_weights


def queries(count: int, weights: list[float], noise: float = 0.1) -> list[Candidates]:
    """Return candidates whose grades follow their weighted scores."""
    rng, made = np.random.default_rng(0), []
    for _ in range(count):
        fixed, parts = rng.normal(size=40), rng.normal(size=(40, len(weights)))
        score = fixed + parts @ weights + noise * rng.normal(size=40)
        grades = np.zeros(40, dtype=np.int64)
        grades[np.argsort(-score)[:12]] = np.repeat([3, 2, 1], 4)
        made.append(Candidates(grades, fixed, parts))
    return made


def mean_ndcg(made: list[Candidates], weights: np.ndarray) -> float:
    """Return nDCG@10 with exponential gain, written out."""
    values = []
    for one in made:
        order = np.argsort(-(one.fixed + one.parts @ weights))
        found = [(2.0 ** one.grades[at] - 1) / np.log2(rank + 2) for rank, at in enumerate(order[:10])]
        best = [(2.0**grade - 1) / np.log2(rank + 2) for rank, grade in enumerate(np.sort(one.grades)[::-1][:10])]
        values.append(sum(found) / sum(best))
    return float(np.mean(values))


def test_weights_are_recovered_from_many_queries() -> None:
    assert ascend(queries(300, [4.0, 0.5, 1.0]), np.ones(3)) == pytest.approx([4.0, 0.5, 1.0], rel=0.35)


def test_other_queries_are_ranked_better_than_by_the_start() -> None:
    made = queries(120, [4.0, 0.5, 1.0], noise=1.0)
    learnt = ascend(made[:60], np.ones(3))
    assert mean_ndcg(made[60:], learnt) > mean_ndcg(made[60:], np.ones(3)) + 0.05


def test_one_query_changes_little() -> None:
    assert max(ascend(queries(1, [9.0, 9.0, 9.0]), np.ones(3))) < 9


def test_queries_without_a_relevant_candidate_are_ignored() -> None:
    start, [one] = np.array([2.0, 1.0]), queries(1, [2.0, 1.0])
    assert ascend([Candidates(0 * one.grades, one.fixed, one.parts)], start) is start


def test_lists_of_different_lengths_do_not_disturb_each_other() -> None:
    long, short = queries(2, [4.0, 0.5])
    cut = Candidates(short.grades[:15], short.fixed[:15], short.parts[:15])
    alone = ascend([cut], np.ones(2))
    again = ascend([cut, Candidates(0 * long.grades, long.fixed, long.parts)], np.ones(2))
    assert again.tolist() == alone.tolist()


def test_pools_are_ranked_by_ndcg_and_single_answers_by_the_listwise_loss() -> None:
    made, start = queries(30, [4.0, 0.5], noise=3.0), np.ones(2)
    listwise, twice = learn_weights(made, start), [one for one in made for _ in range(2)]
    pooled = ranking_weights([[one, one] for one in made], start)
    assert ranking_weights([[one] for one in made], start).tolist() == listwise.tolist()
    assert pooled.tolist() == ascend(twice, learn_weights(twice, start)).tolist()
    assert mean_ndcg(made, pooled) > mean_ndcg(made, listwise)
