"""The charge book is complete, plain and our own."""

import json
import lzma
import re
from datetime import date
from pathlib import Path

import pytest

from lexgear.law.charge_book import charge_book, charge_glosses
from lexgear.law.charges import shipped_charges
from lexgear.law.numerals import chinese_number
from shared_data import SHARED, needs_shared

BOOK = charge_book()
LONGEST_COMMON_RUN = 14


def test_every_charge_has_an_entry_and_every_entry_is_a_charge() -> None:
    assert sorted(BOOK) == sorted(shipped_charges().names)


def test_an_entry_is_one_to_three_sentences_and_words_of_facts() -> None:
    for name, entry in BOOK.items():
        assert 30 <= len(entry.definition) <= 200, name
        assert entry.definition.endswith("。"), name
        assert 1 <= entry.definition.count("。") <= 3, name
        assert 10 <= len(entry.expressions) == len(set(entry.expressions)) <= 24, name
        assert all(2 <= len(words) <= 8 and words.isalpha() and "罪" not in words for words in entry.expressions), name


def test_relations_name_charges_and_never_the_charge_itself() -> None:
    for name, entry in BOOK.items():
        related = [*entry.excludes, *entry.special_case_of, *entry.together, *(one.charge for one in entry.absorbs)]
        assert name not in related
        assert not [other for other in related if other not in BOOK], name


def test_elements_are_phrases_and_dates_are_those_of_the_code_and_its_amendments() -> None:
    for name, entry in BOOK.items():
        assert all((entry.interest, entry.conduct, entry.subject, entry.mental)), name
        assert entry.in_force_from >= date(1997, 10, 1), name
        assert entry.in_force_until is None or entry.in_force_until > entry.in_force_from, name
        assert (entry.in_force_from == date(1997, 10, 1)) == entry.enacted_by.startswith("刑法（1997"), name


def test_a_number_is_verified_only_if_it_stands_in_the_law_or_an_interpretation() -> None:
    thresholds = [one for entry in BOOK.values() for one in entry.thresholds]
    assert len(thresholds) > 300
    assert all(re.search("刑法第|法释〔|法发〔", one.source) for one in thresholds if one.verified)
    assert all(one.source for one in thresholds)


@needs_shared
@pytest.mark.parametrize(
    ("charge", "interpretation", "article", "numbers"),
    [
        ("盗窃罪", "办理盗窃刑事案件", "第一条", "一千元至三千元以上"),
        ("诈骗罪", "办理诈骗刑事案件", "第一条", "三千元至一万元以上"),
        ("敲诈勒索罪", "办理敲诈勒索刑事案件", "第一条", "二千元至五千元以上"),
        ("抢夺罪", "办理抢夺刑事案件", "第一条", "一千元至三千元以上"),
        ("受贿罪", "办理贪污贿赂刑事案件", "第一条", "三万元以上"),
    ],
)
def test_verified_amounts_are_those_of_the_interpretation(
    charge: str, interpretation: str, article: str, numbers: str
) -> None:
    threshold = BOOK[charge].thresholds[0]
    assert threshold.verified
    lowest, _, highest = numbers.removesuffix("以上").partition("至")
    bounds = (threshold.minimum, threshold.maximum or threshold.minimum)
    assert bounds == (chinese_number(lowest.strip("元")), chinese_number((highest or lowest).strip("元")))
    assert article in threshold.source
    with lzma.open(SHARED / "stard" / "articles.jsonl.xz", "rt", encoding="utf-8") as file:
        rows = (json.loads(line) for line in file if interpretation in line and numbers in line)
        assert any(interpretation in row["law"] and row["number"] == article and numbers in row["text"] for row in rows)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("受贿罪", "非国家工作人员受贿罪"),
        ("贪污罪", "职务侵占罪"),
        ("故意杀人罪", "过失致人死亡罪"),
        ("盗窃罪", "抢夺罪"),
    ],
)
def test_confusable_charges_exclude_each_other(one: str, other: str) -> None:
    assert other in BOOK[one].excludes
    assert one in BOOK[other].excludes


def test_new_charges_have_the_date_of_their_amendment() -> None:
    assert BOOK["袭警罪"].in_force_from == date(2021, 3, 1)
    assert BOOK["危险驾驶罪"].in_force_from == date(2011, 5, 1)
    assert BOOK["帮助信息网络犯罪活动罪"].in_force_from == date(2015, 11, 1)


def test_special_forms_know_the_general_charge() -> None:
    assert "诈骗罪" in BOOK["合同诈骗罪"].special_case_of
    assert BOOK["受贿罪"].special_subject == "国家工作人员"


def test_a_hundred_frequent_charges_have_english_and_french_names() -> None:
    assert len(charge_glosses()) >= 100
    assert charge_glosses().keys() <= BOOK.keys()
    assert all(gloss.keys() == {"en", "fr"} and all(gloss.values()) for gloss in charge_glosses().values())


@pytest.mark.parametrize("source", ["criminal_law.txt", "charge_elements_jurex.json"])
def test_definitions_do_not_repeat_the_wording_of_others(source: str) -> None:
    path = Path(SHARED) / "law-zh" / source
    if not path.is_file():
        pytest.skip(f"needs {path}")
    theirs = _letters(path.read_text("utf-8"))
    for name, entry in BOOK.items():
        ours = _letters(entry.definition).replace(_letters(name.removesuffix("罪")), "…")
        runs = (ours[at : at + LONGEST_COMMON_RUN] for at in range(len(ours) - LONGEST_COMMON_RUN + 1))
        assert not [run for run in runs if run in theirs], name


def _letters(text: str) -> str:
    return re.sub(r"[\s，。；、：,;:（）()]", "", text)
