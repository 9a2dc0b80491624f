"""Features of a query text."""

from __future__ import annotations

import numpy as np
import pytest

from lexgear.lexical.words import segmenter
from lexgear.rankers.lexgear.features.query_features import MAX_LAY_WORDS, QueryFeatures
from lexgear.rationale.records import Rationale
from lexgear.search.scorer import LogP, Walk


def features(text: str) -> QueryFeatures:
    def generate() -> tuple[Walk, LogP]:
        raise AssertionError("the style of a text is told by its words")

    return QueryFeatures(segmenter("zh")(text), Rationale((), ()), np.zeros(1), generate)


@pytest.mark.parametrize("text", ["隔壁老王半夜翻进我家偷走了电脑。", "我喝了酒开车被交警拦下，会怎么处理？"])
def test_a_short_text_in_everyday_words_is_lay(text: str) -> None:
    assert features(text).is_lay and not features(text).is_of_proceedings


@pytest.mark.parametrize("text", ["被告人深夜翻墙进入一家商店，拿走现金五千元。", "公诉机关指控，二人盗窃电缆。"])
def test_a_short_text_in_the_words_of_a_court_is_not_lay(text: str) -> None:
    assert features(text).is_of_proceedings and not features(text).is_lay


def test_a_long_text_is_not_lay() -> None:
    assert not features("他又拿走了手机。" * MAX_LAY_WORDS).is_lay
