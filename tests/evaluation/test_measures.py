import pytest

from lexgear.errors import InputError
from lexgear.evaluation.measures import FAMILIES, Measure, parse_measures


@pytest.mark.parametrize(
    "written",
    [
        "R@20",
        "R(rel=3)@20",
        "P@5",
        "nDCG",
        "nDCG@10",
        "nDCG_lin@10",
        "MRR",
        "MRR@10",
        "MAP(rel=2)",
        "mrr_gear",
        "coverage@3",
        "coverage_judgment@1",
    ],
)
def test_a_measure_prints_as_it_was_typed(written: str) -> None:
    assert [repr(measure) for measure in parse_measures([written])] == [written]


def test_every_family_can_be_typed() -> None:
    assert all(parse_measures([name if family.cutoff == "none" else f"{name}@7"]) for name, family in FAMILIES.items())


def test_the_collections_threshold_holds_where_a_name_gives_none() -> None:
    assert parse_measures(["R@5", "R(rel=2)@5", "nDCG@10", "mrr_gear"], relevant_from=3) == (
        Measure("R", 5, rel=3),
        Measure("R", 5, rel=2),
        Measure("nDCG", 10),
        Measure("mrr_gear", rel=3),
    )


def test_capitals_and_repetitions_do_not_matter() -> None:
    assert parse_measures(["ndcg@10", " NDCG@10", "MRR_GEAR"]) == (Measure("nDCG", 10), Measure("mrr_gear"))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("F1", "no measure 'F1' (one of R@10"),
        ("R@", "no measure 'R@'"),
        ("R(rel=x)@5", "no measure"),
        ("", "no measure ''"),
        ("R", "'R' needs a cutoff (such as R@10)"),
        ("P@0", "'P@0' needs a cutoff"),
        ("mrr_gear@30", "takes no cutoff (write mrr_gear)"),
        ("nDCG(rel=2)@10", "no such threshold"),
        ("R(rel=0)@10", "no such threshold"),
    ],
)
def test_a_name_that_is_no_measure_is_refused_with_a_remedy(written: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_measures([written])
    assert said in str(caught.value)


def test_the_lowest_relevant_grade_is_at_least_one() -> None:
    with pytest.raises(InputError, match="grade 0 cannot be the lowest relevant one"):
        parse_measures(["R@5"], relevant_from=0)
