"""Search for many names in one pass over a text.

A regular expression of alternatives tries every name at every place: 3,500 names in a text of 28,000 characters took
27 seconds. An Aho-Corasick automaton takes time proportional to the text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick


class Mention(NamedTuple):
    """Offsets of a name in a text."""

    start: int
    end: int


class NameMatcher:
    """Finds names: the leftmost first, and of those that begin at one place the longest.

    >>> list(NameMatcher(["王庆", "王庆勤"]).find("王庆勤、王庆"))
    [Mention(start=0, end=3), Mention(start=4, end=6)]
    >>> list(NameMatcher(["Le", "Le Goff"], whole_words=True).find("Le Goffic, Le Goff"))
    [Mention(start=0, end=2), Mention(start=11, end=18)]
    """

    def __init__(self, names: Collection[str], *, whole_words: bool = False) -> None:
        self.whole_words = whole_words
        self.names = tuple(name for name in dict.fromkeys(names) if name)

    def find(self, text: str) -> Iterator[Mention]:
        """Yield the mentions in a text, which do not overlap."""
        if not self.names:
            return
        if not self.whole_words:
            for _, start, end in self._automaton.find_matches_as_indexes(encodable(text)):
                yield Mention(start, end)
            return
        found = self._automaton.find_matches_as_indexes(encodable(text), overlapping=True)
        last = 0
        for start, negative_end in sorted((start, -end) for _, start, end in found):
            end = -negative_end
            if start >= last and not _is_word(text[max(start - 1, 0) : start]) and not _is_word(text[end : end + 1]):
                yield Mention(start, end)
                last = end

    def touches(self, word: str) -> bool:
        """Return whether a word is part of a name, or contains one."""
        if not self.names:
            return False
        return word in self._joined or bool(self._plain.find_matches_as_indexes(encodable(word)))

    @cached_property
    def _joined(self) -> str:
        return "\0".join(self.names)

    @cached_property
    def _automaton(self) -> AhoCorasick:
        from ahocorasick_rs import AhoCorasick, MatchKind

        kind = MatchKind.Standard if self.whole_words else MatchKind.LeftmostLongest
        return AhoCorasick([encodable(name) for name in self.names], matchkind=kind)

    @cached_property
    def _plain(self) -> AhoCorasick:
        from ahocorasick_rs import AhoCorasick

        return self._automaton if not self.whole_words else AhoCorasick([encodable(name) for name in self.names])


def encodable(text: str) -> str:
    """Return a text of the same length without lone surrogates, which automata and segmenters cannot read."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
