"""Regular expressions that read foreign texts take time proportional to their length."""

import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from faults.patterns import Pattern
from faults.slow_patterns import patterns_to_check, slow_patterns
from lexgear.corpus.extraction.factors.find import find_query_factors


@pytest.fixture(scope="module")
def patterns() -> list[Pattern]:
    """Patterns collected by a fresh process: modules that are imported already do not compile theirs again."""
    with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
        return fresh.submit(patterns_to_check).result()


@pytest.mark.parametrize("source", ["a+b", "(?:aa?)+b", r"第\d+条(?:第[^，]{1,8}款)*规定", r"\s*[、，]", "《[^》]*》"])
def test_a_slow_pattern_is_found(source: str) -> None:
    planted = Pattern("planted", source, int(re.compile(source).flags))
    assert len(list(slow_patterns([planted], 100_000, 0.5, 1000, seed=0))) == 1


def test_patterns_are_collected_from_globals_rules_and_functions(patterns: list[Pattern]) -> None:
    modules = ("corpus.extraction.factors.rules", "judgment.thresholds", "law.statutes", "privacy.names")
    assert {f"lexgear.{module}" for module in (*modules, "serve.uploads.line_joining")} <= {
        one.module for one in patterns
    }
    assert len(patterns) > 200


def test_no_pattern_is_slow(patterns: list[Pattern]) -> None:
    """One string per pattern; `make faults` tries all of them, with other seeds."""
    assert list(slow_patterns(patterns, 100_000, 3, 1, seed=0)) == []


@pytest.mark.parametrize(
    "text", ["被告人贩卖冰毒" + "1" * 90_000, "依照《刑法》" * 9_000, "第一条" + "第一款" * 9_000 + "，持刀"]
)
def test_factors_of_a_hostile_text_are_read_in_time(text: str) -> None:
    """The first took minutes, the last longer than the universe is old: its steps doubled with every six characters."""
    assert isinstance(find_query_factors(text), list)
