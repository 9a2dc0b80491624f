import pytest

from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.measures import FAMILIES, Measure, parse_measures


@pytest.mark.parametrize(
    "written",
    [
        *("R@20", "R(rel=3)@20", "P@5", "nDCG", "nDCG@10", "nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')"),
        *("RR", "RR@10", "AP(rel=2)", "Judged@10", "mrr_gear", "mrr_gear(rel=2)", "coverage@3", "coverage_judgment@1"),
    ],
)
def test_a_measure_prints_as_it_was_typed(written: str) -> None:
    assert [repr(measure) for measure in parse_measures([written])] == [written]


def test_every_family_can_be_typed() -> None:
    assert all(parse_measures([name if family.cutoff == "none" else f"{name}@7"]) for name, family in FAMILIES.items())


def test_mrr_and_map_are_other_names_of_rr_and_ap() -> None:
    assert parse_measures("MRR@10, MAP(rel=2), MRR") == parse_measures("RR@10, AP(rel=2), RR")


def test_several_measures_stand_in_one_text_separated_by_commas() -> None:
    assert parse_measures("nDCG(dcg='exp-log2')@10, R(rel=3)@20,RR") == (
        Measure("nDCG", 10, dcg="exp-log2"),
        Measure("R", 20, rel=3),
        Measure("RR"),
    )


def test_linear_gain_is_the_default_and_can_be_written_out() -> None:
    assert parse_measures(["nDCG(dcg='log2')@10"]) == parse_measures(["nDCG@10"])
    assert not parse_measures("nDCG@10")[0].exponential


def test_the_collections_threshold_holds_if_a_name_gives_none() -> None:
    assert parse_measures(["R@5", "R(rel=2)@5", "nDCG@10", "Judged@5", "mrr_gear"], relevant_from=3) == (
        Measure("R", 5, rel=3),
        Measure("R", 5, rel=2),
        Measure("nDCG", 10),
        Measure("Judged", 5),
        Measure("mrr_gear", rel=3),
    )


def test_capitals_and_repetitions_do_not_matter() -> None:
    assert parse_measures(["ndcg@10", " NDCG@10", "MRR_GEAR"]) == (Measure("nDCG", 10), Measure("mrr_gear"))


def test_measures_pass_through_unchanged() -> None:
    assert parse_measures([Measure("R", 5, rel=2)], relevant_from=3) == (Measure("R", 5, rel=2),)


@pytest.mark.parametrize(
    ("written", "code", "message"),
    [
        ("F1", ErrorCode.UNKNOWN_NAME, "unknown measure 'F1' (choose from nDCG@10, RR"),
        ("R@", ErrorCode.UNKNOWN_NAME, "unknown measure 'R@'"),
        ("", ErrorCode.UNKNOWN_NAME, "unknown measure ''"),
        ("nDCG_lin@10", ErrorCode.UNKNOWN_NAME, "write nDCG@10 for linear gain"),
        ("R(rel=x)@5", ErrorCode.INVALID_ARGUMENT, "has no parameter 'rel=x'"),
        ("R", ErrorCode.INVALID_ARGUMENT, "'R' needs a cutoff of 1 or more (for example R@10)"),
        ("P@0", ErrorCode.INVALID_ARGUMENT, "'P@0' needs a cutoff"),
        ("mrr_gear@30", ErrorCode.INVALID_ARGUMENT, "takes no cutoff (for example mrr_gear)"),
        ("nDCG(rel=2)@10", ErrorCode.INVALID_ARGUMENT, "has no parameter 'rel=2'"),
        ("coverage(rel=2)@1", ErrorCode.INVALID_ARGUMENT, "has no parameter 'rel=2'"),
        ("nDCG(dcg='cubic')@10", ErrorCode.INVALID_ARGUMENT, "has no parameter"),
        ("nDCG(judged_only=True)@10", ErrorCode.INVALID_ARGUMENT, "cannot be computed with judged_only"),
        ("R(rel=0)@10", ErrorCode.INVALID_ARGUMENT, "needs a threshold of 1 or more"),
    ],
)
def test_a_name_that_is_no_measure_is_refused_with_a_remedy(written: str, code: ErrorCode, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_measures([written])
    assert message in str(caught.value)
    assert caught.value.code is code


def test_the_lowest_relevant_grade_is_at_least_one() -> None:
    with pytest.raises(InputError, match="the lowest relevant grade cannot be 0"):
        parse_measures(["R@5"], relevant_from=0)
