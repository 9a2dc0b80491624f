import pytest

from lexgear.evaluation.comparison import compare
from lexgear.evaluation.measures import Measure
from lexgear.evaluation.significance import bootstrap, paired_t_test

RR, AP = Measure("RR"), Measure("AP")
LOW = {"q1": 0.1, "q2": 0.3, "q3": 0.2, "q4": 0.0}
HIGH = {"q1": 0.8, "q2": 0.9, "q3": 0.9, "q4": 0.9}


def test_a_cell_holds_the_mean_its_interval_and_the_number_of_queries() -> None:
    cell = compare({("ours", RR): LOW}).cells["ours", RR]
    assert cell.mean == pytest.approx(0.15)
    assert (cell.low, cell.high) == bootstrap(list(LOW.values()))
    assert cell.queries == 4
    assert cell.difference is None


def test_every_system_is_tested_against_the_baseline_and_corrected_for_all_comparisons() -> None:
    values = {(system, measure): LOW for system in ("base", "same") for measure in (RR, AP)}
    values |= {("better", measure): HIGH for measure in (RR, AP)}
    evaluation = compare(values, baseline="base")
    p = paired_t_test(list(HIGH.values()), list(LOW.values()))
    better, same = (evaluation.cells[system, AP].difference for system in ("better", "same"))
    assert evaluation.comparisons == 4
    assert evaluation.cells["base", AP].difference is None
    assert better is not None
    assert same is not None
    assert better.p == p
    assert better.p_bonferroni == pytest.approx(4 * p)
    assert better.mean == pytest.approx(0.725)
    assert (better.low, better.high) == bootstrap([HIGH[query] - LOW[query] for query in LOW])
    assert better.significant
    assert (same.mean, same.p_bonferroni, same.significant) == (0.0, 1.0, False)


def test_pairs_are_matched_by_query_and_not_by_position() -> None:
    shuffled = dict(reversed(LOW.items()))
    difference = compare({("a", RR): LOW, ("b", RR): shuffled}, baseline="a").cells["b", RR].difference
    assert difference is not None
    assert (difference.mean, difference.p) == (0.0, 1.0)


def test_a_system_without_values_has_no_cell_and_is_no_comparison() -> None:
    evaluation = compare({("a", RR): LOW, ("b", RR): {}, ("c", RR): HIGH}, baseline="a")
    assert ("b", RR) not in evaluation.cells
    assert evaluation.systems == ("a", "b", "c")
    assert evaluation.comparisons == 1
