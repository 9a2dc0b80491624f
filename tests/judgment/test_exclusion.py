"""Charges that contradict each other are never both likely."""

from hypothesis import given
from hypothesis import strategies as st

from lexgear.judgment.exclusion import contradict, exclude_contradictions
from lexgear.judgment.grades import APPLIES
from lexgear.judgment.records import PredictedCharge
from lexgear.law.charge_book import charge_book

NAMES = ["受贿罪", "非国家工作人员受贿罪", "贪污罪", "职务侵占罪", "诈骗罪", "合同诈骗罪", "危险驾驶罪", "滥用职权罪"]


def predicted(name: str, probability: float) -> PredictedCharge:
    return PredictedCharge(name, probability, probability, (name,), probability >= APPLIES)


def named(*charges: tuple[str, float]) -> dict[str, float]:
    found = exclude_contradictions([predicted(*charge) for charge in charges], APPLIES)
    return {charge.name: charge.probability for charge in found}


def test_bribery_of_an_official_and_of_a_private_employee_exclude_each_other() -> None:
    assert named(("受贿罪", 0.9), ("非国家工作人员受贿罪", 0.8)) == {"受贿罪": 0.9, "非国家工作人员受贿罪": 0.1}


def test_a_special_form_displaces_the_general_charge() -> None:
    assert named(("诈骗罪", 0.7), ("合同诈骗罪", 0.8)) == {"合同诈骗罪": 0.8, "诈骗罪": 0.2}


def test_charges_that_courts_find_side_by_side_stay() -> None:
    assert not contradict("受贿罪", "滥用职权罪")
    assert named(("受贿罪", 0.9), ("滥用职权罪", 0.8)) == {"受贿罪": 0.9, "滥用职权罪": 0.8}


def test_contradiction_is_symmetric() -> None:
    names = list(charge_book())[::7]
    assert all(contradict(one, other) == contradict(other, one) for one in names for other in names)


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.floats(0, 1)), unique_by=lambda pair: pair[0]))
def test_the_order_is_that_of_the_probabilities_and_contradictions_add_up_to_at_most_one(
    charges: list[tuple[str, float]],
) -> None:
    found = exclude_contradictions([predicted(name, round(value, 4)) for name, value in charges], APPLIES)
    values = [charge.probability for charge in found]
    assert values == sorted(values, reverse=True)
    assert {charge.name for charge in found} == {name for name, _ in charges}
    for first in found:
        assert first.applies == (first.probability >= APPLIES)
        for second in found:
            if first is not second and contradict(first.name, second.name):
                assert first.probability + second.probability <= 1.0001
