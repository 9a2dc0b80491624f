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


def test_queries_without_a_relevant_candidate_are_ignored() -> None:
    start, [one] = np.array([2.0, 1.0]), queries(1, [2.0, 1.0])
    assert learn_weights([Candidates(0 * one.grades, one.fixed, one.parts)], start) is start


def test_the_gradient_equals_finite_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.optimize

    asked = []

    def watched(loss, first, **settings):  # type: ignore[no-untyped-def]
        at = np.array([0.3, -0.2, 0.1, 0.4])
        asked.append((loss(at)[1], approx_fprime(at, lambda x: loss(x)[0], 1e-6)))
        return real(loss, first, **settings)

    real = scipy.optimize.minimize
    monkeypatch.setattr(scipy.optimize, "minimize", watched)
    learn_weights(queries(5, [2.0, 0.5, 1.0]), np.array([2.0, 1.0, 0.5]))
    assert asked
    for own, differences in asked:
        assert own == pytest.approx(differences, rel=1e-3)


def test_a_useful_weight_that_starts_small_grows() -> None:
    right, wrong = np.array([0.0, 0.0, 2.0]), np.array([-3.0, 0.0, -3.0])
    one = Candidates(np.array([0, 0, 3]), np.zeros(3), np.column_stack([wrong, right]))
    [_, content] = learn_weights([one] * 40, np.array([3.0, 0.1]))
    assert content > 1
