"""Patterns of names that are tried only where they can match find what a search of the whole text finds."""

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.privacy import anonymised, names

PIECES = [
    *("被告人", "原审被告人", "上诉人", "犯罪嫌疑人", "同案犯", "附带民事诉讼原告人", "（原审）", "伙同", "又名", "："),
    *("欧阳", "王", "李", "于", "小明", "强", "，男，", "，女，", "（女）", "（另案处理）", "（已判", "（均在逃", "和"),
    *("×", "××", "X", "xx", "*", "甲", "乙", "丙", "甲基", "1", "将", "某", "某某", "某日", "某公司", "公", "日", "人"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@pytest.mark.parametrize(
    ("found", "pattern"),
    [
        (names._roles, names._AT_ROLE),
        (names._noted, names._BEFORE_NOTE),
        (anonymised._hidden, anonymised._HIDDEN),
        (anonymised._letters, anonymised._LETTER),
    ],
)
@given(text=texts)
def test_candidate_places_give_the_matches_of_finditer(
    found: Callable[[str], Iterator[re.Match[str]]], pattern: re.Pattern[str], text: str
) -> None:
    assert [match.span() for match in found(text)] == [match.span() for match in pattern.finditer(text)]


@given(texts)
def test_words_after_a_mask_begin_with_one_of_the_known_characters(text: str) -> None:
    for pattern, begins in (
        (anonymised._TIME, anonymised._BEGINS_TIME),
        (anonymised._PLACE, anonymised._BEGINS_PLACE),
    ):
        assert all(match[0][0] in begins for match in pattern.finditer(text))
