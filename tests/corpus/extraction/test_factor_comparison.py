"""Comparison of factors: what both texts state, what differs by band, and what one of them states alone."""

from collections.abc import Mapping

import pytest

from lexgear.corpus.extraction.factors import comparison
from lexgear.corpus.extraction.factors.comparison import (
    ComparedFactor,
    FactorComparison,
    compare_factors,
    stated_by_document,
    stated_factors,
)
from lexgear.corpus.extraction.factors.factor import Factor
from lexgear.corpus.extraction.factors.find import find_factors
from lexgear.corpus.records import Document
from lexgear.wording.factor_texts import FactorTexts

QUERY = "被告人伙同他人持刀入户盗窃，窃得现金4200元。"
CASE = {
    "fact": "被告人伙同他人撬锁入户盗窃，窃得现金共计61000元，致一人死亡。",
    "reasoning": "被告人系自首，窃得财物价值共计61000元。",
}


def names(factors: tuple[ComparedFactor, ...]) -> list[str]:
    return [one.name for one in factors]


def compared() -> FactorComparison:
    return compare_factors(stated_factors({"text": QUERY}), stated_factors(CASE))


def test_factors_are_shared_different_or_of_one_side() -> None:
    found = compared()
    assert {"home_entry", "group"} <= {*names(found.shared)}
    assert names(found.different) == ["amount"]
    assert names(found.left_only) == ["weapon"]
    assert {"break_in", "death", "surrender"} <= {*names(found.right_only)}


def test_values_of_one_band_are_the_same() -> None:
    ours, theirs = ({"text": f"被告人窃得现金{yuan}元。"} for yuan in (3500, 9800))
    found = compare_factors(stated_factors(ours), stated_factors(theirs))
    assert names(found.shared) == ["amount"]
    assert not found.different


def test_drugs_of_two_kinds_differ() -> None:
    ours, theirs = ({"text": f"民警查获{drug}1.5克。"} for drug in ("海洛因", "氯胺酮"))
    assert names(compare_factors(stated_factors(ours), stated_factors(theirs)).different) == ["drugs"]


def test_a_statutory_article_states_no_factors() -> None:
    assert stated_by_document(Document("264", {"text": "入户盗窃、携带凶器盗窃、扒窃的"}, node="cn/264")) == {}


def test_the_reasons_of_a_hit_are_short_phrases() -> None:
    assert FactorTexts("en").reasons(compared()) == [
        "both: entry into a home, several offenders",
        "differs: amount (¥3,000 to 10,000; here ¥50,000 to 100,000)",
        "not in this case: weapon",
    ]
    assert FactorTexts("zh").reasons(compared())[1] == "不同：数额（本案3,000元至1万元，该案5万元至10万元）"


def test_quantities_of_one_band_are_both_named_in_full() -> None:
    ours, theirs = ({"text": f"民警查获甲基苯丙胺{grams}克。"} for grams in ("1043.14", "1500000"))
    found = compare_factors(stated_factors(ours), stated_factors(theirs))
    assert FactorTexts("zh").reasons(found) == [
        "相同：毒品数量相近（本案1,043.14克甲基苯丙胺，该案1,500,000克甲基苯丙胺）"
    ]
    assert "1 043,14 g" in FactorTexts("fr").reasons(found)[0].replace("\u202f", " ")


def test_a_differing_value_stands_on_both_sides_of_a_comparison() -> None:
    _, ours, theirs = FactorTexts("en").sides(compared())
    assert "amount ¥3,000 to 10,000" in ours
    assert {"amount ¥50,000 to 100,000", "death (1)"} <= {*theirs}


def test_the_factors_of_a_judgment_are_read_once_until_its_text_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Mapping[str, str]] = []

    def find(sections: Mapping[str, str]) -> list[Factor]:
        read.append(sections)
        return find_factors(sections)

    monkeypatch.setattr(comparison, "find_factors", find)
    comparison._remembered_factors.cache_clear()
    first = stated_by_document(Document("1", CASE))
    first.clear()
    assert stated_by_document(Document("1", dict(CASE))) == stated_factors(CASE)
    assert "surrender" not in stated_by_document(Document("1", {"fact": CASE["fact"]}))
    assert read == [CASE, CASE, {"fact": CASE["fact"]}]
