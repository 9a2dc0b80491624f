from collections import Counter

import pytest

from lexgear.files import read_text
from lexgear.law.statutes import charge_names, read_statute
from lexgear.law.tree import LawTree
from shared_data import SHARED, needs_shared

TEXT = """
第一编　总则
第一章　范围
　　第一条　【目的】写明目的。
　　第二条　【单位犯罪】公司也可以犯罪。
第二编　分则
第一章　财产
第一节　取得
　　第十条　【甲罪】拿走他人之物的，处罚。
　　情节严重的，从重处罚。
　　【乙罪】【丙罪】另一款所说的行为，处罚。
　　第十条之一　【甲罪】以前条方法的，依照本法第十条的规定定罪处罚。
第二节　毁坏
　　第十一条　【丁罪，戊罪】毁坏他人之物的，处罚。
"""
MARKDOWN = """
# 某法

某年某月某日 通过

<!-- INFO END -->

## 第一编 总则

### 第一章 范围

第一条 写明目的。

第一款说的是第二条的事。

## 附则

第二条 本法自即日起施行。

## 附件一

1．旧法
"""


def test_divisions_articles_and_captions_become_a_tree() -> None:
    tree = read_statute(TEXT, code="x", title="某法")
    assert [node.id for node in tree] == [
        *("x", "x/1", "x/1/1", "x/1/1/1", "x/1/1/2", "x/2", "x/2/1", "x/2/1/1", "x/2/1/1/10"),
        *("x/2/1/1/10/甲罪", "x/2/1/1/10/乙罪", "x/2/1/1/10/丙罪", "x/2/1/1/10-1", "x/2/1/2", "x/2/1/2/11"),
        *("x/2/1/2/11/丁罪", "x/2/1/2/11/戊罪"),
    ]
    assert tree["x/2/1/1"].title == "取得"
    assert tree["x/2/1/1/10"].title == "甲罪"
    assert tree["x/2/1/1/10"].text.splitlines()[1:] == ["情节严重的，从重处罚。", "另一款所说的行为，处罚。"]
    assert tree["x/2/1/1/10/乙罪"].text == "另一款所说的行为，处罚。"


def test_markdown_headings_are_read_and_annexes_are_not_articles() -> None:
    tree = read_statute(MARKDOWN, code="x", title="某法")
    assert [node.id for node in tree] == ["x", "x/1", "x/1/1", "x/1/1/1", "x/2"]
    assert tree["x/1/1/1"].text == "写明目的。\n第一款说的是第二条的事。"


def test_only_captions_that_name_charges_make_charges() -> None:
    assert charge_names("盗窃罪") == ("盗窃罪",)
    assert charge_names("虚开增值税专用发票罪，出售伪造的增值税专用发票罪") == (
        "虚开增值税专用发票罪",
        "出售伪造的增值税专用发票罪",
    )
    assert charge_names("单位犯罪") == charge_names("贪污罪的处罚规定") == ()


@pytest.fixture(scope="module")
def criminal_law() -> LawTree:
    text = read_text(SHARED / "law-zh/criminal_law.txt")
    return read_statute(text, code="cn-criminal", title="中华人民共和国刑法")


@needs_shared
def test_the_criminal_law_has_its_parts_chapters_sections_and_articles(criminal_law: LawTree) -> None:
    kinds = Counter(node.kind for node in criminal_law)
    assert (kinds["part"], kinds["chapter"], kinds["section"], kinds["article"]) == (2, 15, 37, 504)
    assert len({node.number for node in criminal_law.of_kind("article")}) == 504


@needs_shared
def test_the_markdown_text_has_one_article_more(criminal_law: LawTree) -> None:
    markdown = read_statute(read_text(SHARED / "law-zh/criminal_law.md"), code="cn-criminal", title="刑法")
    ours = {node.number for node in criminal_law.of_kind("article")}
    theirs = {node.number for node in markdown.of_kind("article")}
    assert len(theirs) == 505
    assert theirs - ours == {"452"}


@needs_shared
@pytest.mark.parametrize(
    ("charge", "place"),
    [
        ("盗窃罪", "2/5/264"),
        ("抢劫罪", "2/5/263"),
        ("贪污罪", "2/8/382"),
        ("强奸罪", "2/4/236"),
        ("袭警罪", "2/6/1/277"),
        ("侮辱罪", "2/4/246"),
    ],
)
def test_a_charge_hangs_where_it_is_defined_not_where_it_is_referred_to(
    criminal_law: LawTree, charge: str, place: str
) -> None:
    assert [node.id for node in criminal_law.of_kind("charge") if node.number == charge] == [
        f"cn-criminal/{place}/{charge}"
    ]
