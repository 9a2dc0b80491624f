"""Anchors: the places where a pattern can match lead to the same matches as a search of the whole text."""

import re

import pytest

from lexgear.corpus.extraction.factors.anchors import Anchors, beginnings
from lexgear.corpus.extraction.factors.rules import rules
from lexgear.corpus.sample.cases import sample_cases


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("入户|入室", {"入户", "入室"}),
        ("(?:夺|抢)走?了", {"夺了", "夺走了", "抢了", "抢走了"}),
        ("持[^，。；]{0,4}刀", {"持"}),
        ("[一二]{1,2}级", {"一级", "二级", "一一级", "一二级", "二一级", "二二级"}),
        ("(?<!未)满(?!意)十?四", {"满四", "满十四"}),
        ("[0-9]{3,}元", {*"0123456789"}),
        ("(?P<kind>冰毒|麻[古果])+", {"冰毒", "麻古", "麻果"}),
        ("入(?:户.*盗|室)内", {"入户", "入室内"}),
        ("[^，]持刀", {""}),
    ],
)
def test_every_match_begins_with_one_of_the_beginnings(pattern: str, expected: set[str]) -> None:
    assert beginnings(pattern) == expected


def test_a_pattern_without_literal_beginning_is_refused() -> None:
    with pytest.raises(ValueError, match="literal"):
        Anchors([re.compile("入户|.刀")])


def test_the_places_give_the_matches_of_finditer() -> None:
    anchors = Anchors([rule.pattern for rule in rules()])
    found = 0
    for document in [*sample_cases().documents][:40]:
        for text in document.sections.values():
            places = anchors.places(text)
            for rule in rules():
                spans = [match.span() for match in rule.pattern.finditer(text)]
                assert [match.span() for match in places.matches(rule.pattern, text)] == spans
                found += len(spans)
    assert found > 100
