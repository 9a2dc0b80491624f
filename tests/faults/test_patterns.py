"""Regular expressions that read foreign texts take time proportional to their length."""

import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from faults.patterns import Pattern
from faults.slow_patterns import BOUNDED_LENGTH, patterns_to_check, slow_patterns
from lexgear.corpus.extraction.factors.find import find_factors


@pytest.fixture(scope="module")
def patterns() -> tuple[list[Pattern], list[Pattern]]:
    """Patterns collected by a fresh process: modules that are imported already do not compile theirs again."""
    with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
        return fresh.submit(patterns_to_check).result()


@pytest.mark.parametrize("source", ["a+b", "(?:aa?)+b", r"第\d+条(?:第[^，]{1,8}款)*规定", r"\s*[、，]", "《[^》]*》"])
def test_a_slow_pattern_is_found(source: str) -> None:
    planted = Pattern("planted", source, int(re.compile(source).flags))
    assert len(list(slow_patterns([planted], 100_000, 0.5, 1000, seed=0))) == 1


def test_patterns_are_collected_from_globals_rules_and_functions(patterns: tuple[list[Pattern], list[Pattern]]) -> None:
    whole, bounded = patterns
    modules = ("corpus.extraction.factors.rules", "judgment.thresholds", "law.statutes", "privacy.names")
    assert {f"lexgear.{module}" for module in (*modules, "serve.uploads.line_joining")} <= {one.module for one in whole}
    assert len(whole) > 200
    assert len(bounded) > 50


@pytest.mark.parametrize(
    "source", [r"(?<=。)甲|\s*\n\s*", r"(?:[一二]{1,3}、|§\d)|\d[\d,]*\s*元", "(?![^。]*判处)[^。]*罚金[^。]*缴纳"]
)
def test_what_a_pattern_repeats_without_a_bound_is_always_tried(source: str) -> None:
    planted = Pattern("planted", source, int(re.compile(source).flags))
    assert len(list(slow_patterns([planted], 100_000, 0.5, 0, seed=0))) == 1


def test_no_pattern_is_slow(patterns: tuple[list[Pattern], list[Pattern]]) -> None:
    """Few strings per pattern, and all for repetitions without a bound; `make faults` tries more, with other seeds."""
    whole, bounded = patterns
    assert list(slow_patterns(whole, 100_000, 3, 1, seed=0)) == []
    assert list(slow_patterns(bounded, BOUNDED_LENGTH, 3, 20, seed=0)) == []


@pytest.mark.parametrize(
    "text",
    [
        "被告人贩卖冰毒" + "1" * 90_000,
        "依照《刑法》" * 9_000,
        "第一条" + "第一款" * 9_000 + "，持刀",
        "驾驶" * 50_000,
        "被告人辩称。" * 15_000,
        "辩护意见予以采纳，" * 10_000,
    ],
)
def test_factors_of_a_hostile_text_are_read_in_time(text: str) -> None:
    """The first took minutes, the third longer than the universe is old: its steps doubled with every six characters.

    The fourth took 50 seconds: the clause of every match was looked for in the whole text.
    """
    assert isinstance(find_factors({"fact": text, "reasoning": text}), list)
