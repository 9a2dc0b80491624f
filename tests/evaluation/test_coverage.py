from lexgear.evaluation.coverage import Charges, coverage
from lexgear.evaluation.measures import Measure

GOLD = {"q": ("盗窃罪", "抢劫罪"), "unlabelled": (), "silent": ("诈骗罪",)}
CHARGES = Charges(
    of_queries=GOLD,
    of_documents={"a": ("盗窃罪",), "b": ("诈骗罪", "抢劫罪"), "none": ()},
    judgments={"lexgear": {"q": ["故意伤害罪", "抢劫罪", "盗窃罪"]}},
)
RUN = {"q": {"a": 3.0, "none": 2.0, "b": 1.0}}


def test_coverage_is_the_share_of_gold_charges_among_the_first_k() -> None:
    named: dict[str, list[tuple[str, ...]]] = {
        "q": [("盗窃罪", "放火罪"), (), ("抢劫罪",)],
        "silent": [("放火罪",)],
    }
    assert coverage(GOLD, named, k=1) == {"q": 0.5, "silent": 0.0}
    assert coverage(GOLD, named, k=3) == {"q": 1.0, "silent": 0.0}


def test_a_charge_named_twice_counts_once() -> None:
    assert coverage({"q": ("盗窃罪", "盗窃罪", "抢劫罪")}, {"q": [("盗窃罪",), ("盗窃罪",)]}, k=2) == {"q": 0.5}


def test_a_query_without_a_gold_charge_has_no_value_and_one_without_an_answer_counts_as_zero() -> None:
    assert coverage(GOLD, {}, k=5) == {"q": 0.0, "silent": 0.0}


def test_documents_count_with_all_their_charges_in_ranked_order() -> None:
    values = [CHARGES.score("any", RUN, Measure("coverage", k))["q"] for k in (1, 2, 3, 10)]
    assert values == [0.5, 0.5, 1.0, 1.0]


def test_a_judgment_counts_charge_by_charge() -> None:
    values = [CHARGES.score("lexgear", RUN, Measure("coverage_judgment", k))["q"] for k in (1, 2, 3)]
    assert values == [0.0, 0.5, 1.0]


def test_a_system_that_judges_nothing_has_no_judgment_coverage() -> None:
    assert CHARGES.score("bm25", RUN, Measure("coverage_judgment", 1)) == {}
