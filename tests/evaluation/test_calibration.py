import math
import random

import pytest

from lexgear.evaluation.calibration import (
    JudgedQuery,
    calibration_error,
    judgment_quality,
    quality_by_charges,
    reliability,
)


def by_hand(pairs: list[tuple[float, bool]], bins: int) -> float:
    """The textbook sum |bin| / n · |mean probability − share that is true| over bins of as many pairs."""
    ranked = sorted(pairs)
    small, more = divmod(len(ranked), bins)
    total, start = 0.0, 0
    for number in range(bins):
        some = ranked[start : start + small + (number < more)]
        start += len(some)
        if some:
            mean, true = sum(p for p, _ in some) / len(some), sum(y for _, y in some) / len(some)
            total += len(some) / len(ranked) * abs(mean - true)
    return total


def test_the_error_is_the_textbook_sum_where_no_two_probabilities_are_equal() -> None:
    chance = random.Random(3)
    for size in (1, 7, 10, 57, 400):
        pairs = [(chance.random(), chance.random() < 0.3) for _ in range(size)]
        assert calibration_error(pairs) == pytest.approx(by_hand(pairs, 10))


def test_probabilities_that_come_true_have_no_error_and_those_that_never_do_all_of_it() -> None:
    assert calibration_error([(0.25, n % 4 == 0) for n in range(400)]) == pytest.approx(0.0)
    assert calibration_error([(1.0, False)] * 10) == 1.0


def test_the_order_of_pairs_does_not_matter_even_where_probabilities_are_equal() -> None:
    pairs = [(round(n % 7 / 7, 3), n % 3 == 0) for n in range(80)]
    shuffled = random.Random(1).sample(pairs, len(pairs))
    assert calibration_error(pairs) == pytest.approx(calibration_error(shuffled))


def test_a_charge_that_was_not_listed_counts_as_held_for_impossible() -> None:
    one = JudgedQuery(frozenset({"盗窃罪", "诈骗罪"}), {"盗窃罪": 0.9, "抢劫罪": 0.2})
    assert one.pairs() == [(0.9, True), (0.2, False), (0.0, True)]
    assert one.brier == pytest.approx(0.01 + 0.04 + 1.0)


def test_the_charge_named_first_is_also_measured_alone() -> None:
    right = JudgedQuery(frozenset({"盗窃罪"}), {"盗窃罪": 0.9, "抢劫罪": 0.6})
    wrong = JudgedQuery(frozenset({"诈骗罪"}), {"盗窃罪": 0.9})
    refused = JudgedQuery(frozenset({"诈骗罪"}), {})
    assert [one.first() for one in (right, wrong, refused)] == [[(0.9, True)], [(0.9, False)], []]
    assert judgment_quality([right, wrong, refused]).first_calibration_error.value == pytest.approx(0.4)


def test_the_bins_of_the_reliability_table_hold_all_pairs_in_order() -> None:
    chance = random.Random(5)
    pairs = [(chance.random(), chance.random() < 0.4) for _ in range(57)]
    found = reliability(pairs)
    assert sum(one.pairs for one in found) == 57
    assert [one.probability for one in found] == sorted(one.probability for one in found)
    assert sum(one.pairs * one.correct for one in found) == pytest.approx(sum(right for _, right in pairs))


def test_a_refused_judgment_misses_every_charge() -> None:
    measured = judgment_quality([JudgedQuery(frozenset({"盗窃罪"}), {})])
    assert math.isnan(measured.first_calibration_error.value)
    assert measured.coverage_at_3.value == measured.first_correct.value == 0
    assert measured.brier.value == measured.calibration_error.value == 1


def test_queries_of_one_and_of_several_charges_are_measured_apart() -> None:
    single = JudgedQuery(frozenset({"盗窃罪"}), {"盗窃罪": 0.8, "诈骗罪": 0.1})
    double = JudgedQuery(frozenset({"盗窃罪", "诈骗罪"}), {"抢劫罪": 0.8, "盗窃罪": 0.5, "诈骗罪": 0.5})
    found = quality_by_charges([single, single, double])
    assert {name: one.queries for name, one in found.items()} == {"all": 3, "one charge": 2, "several charges": 1}
    assert found["all"].first_correct.value == pytest.approx(2 / 3)
    assert found["one charge"].coverage_at_1.value == 1
    assert (found["several charges"].coverage_at_1.value, found["several charges"].coverage_at_3.value) == (0, 1)
    assert found["all"].first_correct.low <= 2 / 3 <= found["all"].first_correct.high
    assert "several charges" not in quality_by_charges([single])


def test_the_interval_of_a_good_map_lies_below_that_of_a_bad_one() -> None:
    chance = random.Random(0)

    def judged(claimed: float) -> list[JudgedQuery]:
        return [JudgedQuery(frozenset({"甲" if chance.random() < 0.7 else "乙"}), {"甲": claimed}) for _ in range(200)]

    good, bad = judgment_quality(judged(0.7)).calibration_error, judgment_quality(judged(0.2)).calibration_error
    assert good.high < bad.low
