"""Distributions of penalties by charge."""

from starlette.testclient import TestClient

from lexgear.corpus.penalties_by_charge import penalties_by_charge as counts_of
from lexgear.corpus.records import Count, Defendant, Document, Penalty
from lexgear.corpus.sample.cases import sample_cases
from lexgear.serve.api import models
from lexgear.serve.page.views.penalties import MAX_CHARGES, Distribution, penalties_by_charge
from serve.page.seen import seen


def months(length: int) -> Penalty:
    return Penalty("imprisonment", length)


def hit(*charges: str, penalty: Penalty | None = None, counts: tuple[Count, ...] = ()) -> models.Hit:
    document = Document("1", charges=charges, defendants=(Defendant("甲", charges, penalty, counts),), penalty=penalty)
    names = ("title", "court", "level", "region", "authority", "date", "number", "node", "explanation", "sections")
    unknown = dict.fromkeys(names)
    return models.Hit(
        **unknown,
        id="1",
        rank=1,
        score=1.0,
        charges=list(charges),
        articles=[],
        penalty=penalty,
        penalties_by_charge=list(counts_of(document)),
        paths=[],
        defendants=None,
    )


def terms(distribution: Distribution | None) -> tuple[int, float | None] | None:
    return None if distribution is None else (distribution.terms, distribution.median)


def test_a_distribution_has_the_penalties_of_its_charge_alone() -> None:
    both = (Count("盗窃罪", months(10)), Count("抢劫罪", months(60)))
    theft, robbery = penalties_by_charge(
        [
            hit("盗窃罪", penalty=months(6)),
            hit("盗窃罪", "抢劫罪", penalty=months(66), counts=both),
        ]
    )
    assert (theft.charge, theft.cases, terms(theft.alone), theft.combined) == ("盗窃罪", 2, (2, 8.0), None)
    assert (robbery.charge, robbery.cases, terms(robbery.alone)) == ("抢劫罪", 1, (1, 60.0))


def test_a_penalty_known_only_in_combination_stands_apart() -> None:
    theft, fraud = penalties_by_charge(
        [
            hit("盗窃罪", penalty=months(6)),
            hit("盗窃罪", "诈骗罪", penalty=months(66)),
            hit("盗窃罪", penalty=months(30), counts=(Count("盗窃罪"),)),
        ]
    )
    assert (theft.cases, terms(theft.alone), terms(theft.combined)) == (3, (1, 6.0), (2, 48.0))
    assert (fraud.charge, fraud.alone, terms(fraud.combined)) == ("诈骗罪", None, (1, 66.0))


def test_cases_without_charges_and_without_penalties() -> None:
    assert penalties_by_charge([hit(), hit("盗窃罪")]) == []
    (without,) = penalties_by_charge([hit(penalty=months(3)), hit()])
    assert (without.charge, without.cases, terms(without.alone)) == ("", 2, (1, 3.0))


def test_the_most_frequent_charges_come_first() -> None:
    names = ["诈骗罪", "抢劫罪", "盗窃罪", "放火罪", "盗窃罪"]
    found = penalties_by_charge([hit(name, penalty=months(3)) for name in names])
    assert [one.charge for one in found] == ["盗窃罪", "诈骗罪", "抢劫罪"]
    assert len(found) == MAX_CHARGES


def test_a_case_shows_the_penalty_for_each_charge(browser: TestClient) -> None:
    case = next(one for one in sample_cases().documents if len(one.charges) > 1)
    page = seen(browser.get(f"/cases/{case.id}"))
    lists = page.all("ul", class_="counts")
    assert len(lists) == len(case.defendants)
    for shown, defendant in zip(lists, case.defendants, strict=True):
        assert all(f"{count.charge} alone: " in shown.text for count in defendant.counts)
