import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lexgear.evaluation.significance import bonferroni, bootstrap, bootstrap_of, paired_t_test

shares = st.floats(0, 1).map(lambda value: round(value, 3))


def drawn(count: int) -> list[float]:
    source = random.Random(7)
    return [source.random() for _ in range(count)]


@given(pairs=st.lists(st.tuples(shares, shares), min_size=2, max_size=30))
def test_the_t_test_is_scipys_paired_one(pairs: list[tuple[float, float]]) -> None:
    ours, theirs = zip(*pairs, strict=True)
    if max(a - b for a, b in pairs) - min(a - b for a, b in pairs) > 1e-4:
        assert paired_t_test(ours, theirs) == pytest.approx(stats.ttest_rel(ours, theirs).pvalue, rel=1e-9)


def test_a_t_test_worked_by_hand() -> None:
    # Differences 1, 2, 3: mean 2, standard error 1/sqrt(3), t = 3.4641 with 2 degrees of freedom.
    assert paired_t_test([2, 4, 6], [1, 2, 3]) == pytest.approx(0.0742, abs=5e-5)


def test_swapping_the_systems_changes_nothing() -> None:
    ours, theirs = drawn(20), [0.5] * 20
    assert paired_t_test(ours, theirs) == paired_t_test(theirs, ours)


@pytest.mark.parametrize(
    ("ours", "theirs", "p"),
    [
        ([0.3, 0.7], [0.3, 0.7], 1.0),
        ([1.0], [0.0], 1.0),
        ([0.1 + 0.2, 0.4, 0.5], [0.2, 0.3, 0.4], 0.0),
    ],
    ids=["identical runs", "a single query", "the same difference everywhere"],
)
def test_differences_without_variance_are_settled_without_a_warning(
    ours: list[float], theirs: list[float], p: float
) -> None:
    assert paired_t_test(ours, theirs) == p


def test_bonferroni_multiplies_and_stops_at_one() -> None:
    assert bonferroni(0.02, 3) == pytest.approx(0.06)
    assert bonferroni(0.4, 3) == 1.0


def test_an_interval_holds_the_mean_and_shrinks_with_more_queries() -> None:
    few, many = drawn(20), drawn(2000)
    (low, high), (lower, higher) = bootstrap(few), bootstrap(many)
    assert low < sum(few) / 20 < high
    assert lower < sum(many) / 2000 < higher
    assert (higher - lower) < (high - low) / 5


def test_an_interval_is_about_that_of_the_normal_distribution() -> None:
    values = drawn(400)
    mean, error = sum(values) / 400, float(stats.sem(values))
    assert bootstrap(values) == pytest.approx((mean - 1.96 * error, mean + 1.96 * error), abs=0.1 * error)


def test_an_interval_is_the_same_every_time_for_a_seed() -> None:
    values = drawn(50)
    assert bootstrap(values) == bootstrap(values)
    assert bootstrap(values, seed=1) != bootstrap(values)


def test_equal_values_have_an_interval_of_no_width() -> None:
    assert bootstrap([0.25] * 9) == (0.25, 0.25)


def test_the_interval_of_any_statistic_is_that_of_the_mean_where_it_is_one() -> None:
    values = [float(n % 7) for n in range(60)]
    low, high = bootstrap_of(lambda places: sum(values[place] for place in places) / len(places), len(values))
    assert [low, high] == pytest.approx(list(bootstrap(values)), abs=0.05)
    assert bootstrap_of(lambda places: 0.25, 3) == (0.25, 0.25)
