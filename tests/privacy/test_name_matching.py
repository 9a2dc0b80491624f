"""Many names found in one pass, as a regular expression of alternatives finds them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from lexgear.privacy.name_matching import NameMatcher

NAMES = st.lists(st.text("ab 王庆-_\ud800", max_size=4), max_size=6)
TEXT = st.text("ab 王庆-_é\ud800", max_size=40)


def alternatives(names: list[str], text: str, pattern: str) -> list[tuple[int, int]]:
    longest_first = sorted(filter(None, names), key=lambda name: (-len(name), name))
    written = pattern.format("|".join(map(re.escape, longest_first)))
    return [match.span() for match in re.finditer(written, text)] if longest_first else []


@given(NAMES, TEXT)
def test_names_are_found_as_by_alternatives_with_the_longest_first(names: list[str], text: str) -> None:
    assert list(NameMatcher(names).find(text)) == alternatives(names, text, "{}")


@given(NAMES, TEXT)
def test_whole_words_are_found_as_between_boundaries(names: list[str], text: str) -> None:
    found = list(NameMatcher(names, whole_words=True).find(text))
    assert found == alternatives(names, text, r"(?<!\w)(?:{})(?!\w)")


@given(NAMES, TEXT)
def test_a_word_touches_a_name_that_it_contains_or_is_part_of(names: list[str], word: str) -> None:
    expected = any(word in name or name in word for name in filter(None, names))
    assert NameMatcher(names).touches(word) == NameMatcher(names, whole_words=True).touches(word) == expected
