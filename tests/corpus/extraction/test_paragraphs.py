"""Paragraphs of judgments and articles: where they break, how they are numbered, who speaks."""

import pytest

from lexgear.corpus.extraction.paragraphs import paragraphs
from lexgear.corpus.sample.cases import sample_cases

FACT = (
    "某区人民检察院指控，2018年3月，被告人王某翻墙入室。 被告人王某对指控无异议。 辩护人提出，王某系初犯。 "
    "经审理查明，2018年3月，王某翻墙入室。上述事实，有下列证据证实： 1．证人李某证言，其看到王某。 2．被告人王某供述。"
)
VERDICT = "一、被告人王某犯盗窃罪，判处有期徒刑一年；（刑期自2018年4月1日起算。）二、责令退赔。如不服本判决，可以上诉。"


def read(text: str, section: str = "") -> list[str]:
    return [text[one.start : one.end] for one in paragraphs(text, section)]


def test_the_facts_are_told_by_prosecution_defence_court_and_evidence() -> None:
    assert [one.speaker for one in paragraphs(FACT, "fact")] == [
        *("charged", "defence", "defence", "found"),
        *("evidence", "evidence", "evidence"),
    ]
    assert read(FACT, "fact")[4:6] == ["上述事实，有下列证据证实：", "1．证人李某证言，其看到王某。"]


def test_a_verdict_is_set_by_its_numbers_and_remarks_are_notes() -> None:
    found = paragraphs(VERDICT, "verdict")
    assert [(one.level, one.is_note) for one in found] == [(1, False), (0, True), (1, False), (0, True)]


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("§ 1er. Le bailleur délivre le bien. § 2. Le preneur paie : 1° le loyer; 2° les charges.", [1, 1, 2, 2]),
        ("（一）甲；（二）乙。1.丙；2.丁。", [2, 2, 3, 3]),
        ("价格为3.5万元，重1.2克。", [0]),
    ],
)
def test_numbered_paragraphs_have_levels(text: str, levels: list[int]) -> None:
    assert [one.level for one in paragraphs(text)] == levels


@pytest.mark.parametrize("text", [" " * 100_000, "　" * 100_000 + "x", "。" + " " * 100_000, "\n " * 50_000 + "x"])
def test_a_hundred_thousand_spaces_are_read_at_once(text: str) -> None:
    """They took 45 seconds, in which a service answered no request."""
    assert [text[one.start : one.end] for one in paragraphs(text, "fact")] == text.split()


def test_no_character_is_lost() -> None:
    for document in sample_cases().documents[:50]:
        for name, text in document.sections.items():
            assert "".join("".join(read(text, name)).split()) == "".join(text.split())
