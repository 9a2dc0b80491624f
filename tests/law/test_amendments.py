"""Amendments of the criminal law against the charge book and the shipped law."""

from datetime import date

import pytest

from lexgear.law.amendments import amendments, last_change, name_on
from lexgear.law.charge_book import charge_book
from lexgear.law.shipped import chinese_criminal_law

MERGED = {"强奸罪", "违法发放贷款罪"}
"""Charges that existed before another one was merged into them; they kept their name."""


def test_amendments_follow_each_other() -> None:
    days = [act.in_force_from for act in amendments()]
    assert days == sorted(days)


def test_every_charge_with_another_name_in_the_book_was_renamed_and_no_other() -> None:
    renamed = {name for act in amendments() for pair in act.renamed.items() for name in pair}
    book = charge_book()
    in_book = {
        name
        for charge, entry in book.items()
        for name in (*entry.former_names, *entry.later_names)
        if charge not in MERGED
    }
    assert in_book <= renamed
    assert renamed <= in_book | {*book}


def test_every_amended_article_is_an_article_of_the_law() -> None:
    known = {node.number for node in chinese_criminal_law().of_kind("article")}
    # Articles without a charge of their own: special penalties, aggravated forms and cross-references.
    without_charge = {number for act in amendments() for number in act.articles} - known
    assert without_charge <= {"155", "157", "199", "200", "220", "383", "386", "390"}


def test_a_charge_that_an_act_created_comes_into_force_with_it() -> None:
    days = {act.name: act.in_force_from for act in amendments()}
    for name, entry in charge_book().items():
        assert entry.in_force_from == days.get(entry.enacted_by, entry.in_force_from), name


@pytest.mark.parametrize(
    ("charge", "day", "name"),
    [
        ("逃税罪", date(2009, 2, 27), "偷税罪"),
        ("逃税罪", date(2009, 2, 28), "逃税罪"),
        ("操纵证券、期货市场罪", date(1998, 1, 1), "操纵证券交易价格罪"),
        ("操纵证券、期货市场罪", date(2003, 1, 1), "操纵证券、期货交易价格罪"),
        ("侵犯公民个人信息罪", date(2012, 1, 1), "出售、非法提供公民个人信息罪或非法获取公民个人信息罪"),
        ("非法采伐、毁坏国家重点保护植物罪", date(2001, 1, 1), "非法采伐、毁坏珍贵树木罪"),
        ("非法采伐、毁坏国家重点保护植物罪", date(2022, 1, 1), "危害国家重点保护植物罪"),
        ("徇私舞弊低价折股、出售国有资产罪", date(2024, 3, 1), "徇私舞弊低价折股、出售公司、企业资产罪"),
        ("盗窃罪", date(2000, 1, 1), "盗窃罪"),
    ],
)
def test_a_charge_has_the_name_of_its_time(charge: str, day: date, name: str) -> None:
    assert name_on(charge, day) == name


@pytest.mark.parametrize(
    ("article", "since", "act"),
    [
        ("264", date(2011, 4, 30), "刑法修正案（八）"),
        ("264", date(2011, 5, 1), None),
        ("133-1", date(2015, 10, 31), "刑法修正案（九）"),
        ("277", date(2010, 1, 1), "刑法修正案（十一）"),
        ("165", date(2024, 2, 29), "刑法修正案（十二）"),
        ("266", date(1998, 1, 1), None),
    ],
)
def test_an_article_knows_its_last_change(article: str, since: date, act: str | None) -> None:
    change = last_change(article, since)
    assert (change and change.name) == act
