"""The listwise loss: its gradient against finite differences, its weights against known ones."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from lexgear.rankers.lexgear.weighting.listwise import Candidates, learn_weights


def queries(count: int, weights: list[float], sharpness: float = 1.0) -> list[Candidates]:
    """Return candidates of which one, drawn by the weighted scores, is relevant."""
    rng, made = np.random.default_rng(0), []
    for _ in range(count):
        fixed, parts = rng.normal(size=20), rng.normal(size=(20, len(weights)))
        q = np.exp(sharpness * (fixed + parts @ weights))
        grades = np.where(np.arange(20) == rng.choice(20, p=q / q.sum()), 3, 0)
        made.append(Candidates(grades, fixed, parts))
    return made


def test_weights_are_recovered_from_many_queries() -> None:
    learnt = learn_weights(queries(3000, [2.5, 0.5, 3.0]), np.ones(3))
    assert learnt == pytest.approx([2.5, 0.5, 3.0], rel=0.15)


def test_one_query_changes_little() -> None:
    assert max(learn_weights(queries(1, [9.0, 9.0, 9.0]), np.ones(3))) < 3  # of the nine it was drawn with


def test_the_weight_of_a_score_that_misleads_is_small() -> None:
    made = [
        Candidates(one.grades, one.fixed, np.column_stack([one.parts[:, 0], -one.parts[:, 0]]))
        for one in queries(200, [2.0])
    ]
    assert 0 < learn_weights(made, np.ones(2))[1] < 0.1


def test_the_pull_is_chosen_on_held_out_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few queries that agree with the start do not move it; those that disagree do."""
    start = np.ones(3)
    kept = learn_weights(queries(15, [1.0, 1.0, 1.0]), start)
    moved = learn_weights(queries(60, [6.0, 0.0, 0.0]), start)
    monkeypatch.setattr("lexgear.rankers.lexgear.weighting.listwise.PULLS", (0.001,))
    free = learn_weights(queries(15, [1.0, 1.0, 1.0]), start)
    assert np.abs(kept - start).max() < np.abs(free - start).max()
    assert moved[0] > 3
    assert max(moved[1:]) < 0.5


def test_queries_without_a_relevant_candidate_are_ignored() -> None:
    start, [one] = np.array([2.0, 1.0]), queries(1, [2.0, 1.0])
    assert learn_weights([Candidates(0 * one.grades, one.fixed, one.parts)], start) is start


def test_the_gradient_equals_finite_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.optimize

    asked = []

    def watched(loss, first, **settings):  # type: ignore[no-untyped-def]
        at = np.array([0.3, 0.2, 0.1, 0.4])[: len(first)]
        asked.append((loss(at)[1], approx_fprime(at, lambda x: loss(x)[0], 1e-6)))
        return real(loss, first, **settings)

    real = scipy.optimize.minimize
    monkeypatch.setattr(scipy.optimize, "minimize", watched)
    learn_weights(queries(5, [2.0, 0.5, 1.0]), np.array([2.0, 1.0, 0.5]))
    assert asked
    for own, differences in asked:
        assert own == pytest.approx(differences, rel=1e-3)


def test_a_useful_weight_grows_beside_one_that_misleads() -> None:
    right, wrong = np.array([0.0, 0.0, 2.0]), np.array([-3.0, 0.0, -3.0])
    one = Candidates(np.array([0, 0, 3]), np.zeros(3), np.column_stack([wrong, right]))
    misleading, useful = learn_weights([one] * 40, np.ones(2))
    assert 0 < misleading < 0.1
    assert useful > 2
