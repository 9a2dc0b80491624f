"""Distinctions between easily confused charges: complete in three languages, and about charges of the charge book."""

import pytest

from lexgear.law.charge_book import charge_book
from lexgear.law.distinctions import LANGUAGES, Distinction, difference, distinction, distinctions, easily_confused


@pytest.mark.parametrize("one", distinctions(), ids=lambda one: "/".join(one.charges))
def test_a_distinction_is_complete(one: Distinction) -> None:
    assert {*one.charges, *one.also_from} <= charge_book().keys()
    assert one.needed in ("", *one.charges)
    assert all(one.texts[language] for language in LANGUAGES)
    assert all(group and all(group) for signs in one.signs for group in signs)
    assert one.new or not one.also_from
    assert one.texts["zh"].endswith("。")
    assert not {word for word in one.texts["en"] if "\u3000" <= word <= "\u303f"} - {"、"}


def test_each_pair_has_one_distinction() -> None:
    pairs = [frozenset(one.charges) for one in distinctions()]
    assert len(pairs) == len(set(pairs))


def test_pairs_are_found_in_any_order() -> None:
    assert distinction("诈骗罪", "盗窃罪") is distinction("盗窃罪", "诈骗罪")
    assert distinction("盗窃罪", "危险驾驶罪") is None
    assert "袭警罪" in easily_confused("妨害公务罪")
    assert "高空抛物罪" in easily_confused("寻衅滋事罪")


def test_charges_without_a_sentence_are_described_by_their_conduct() -> None:
    for language in LANGUAGES:
        text = difference("走私废物罪", "洗钱罪", language)
        assert charge_book()["洗钱罪"].conduct.rstrip("。") in text
