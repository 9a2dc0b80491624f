"""Legal terms for everyday expressions: people ask about a deposit, codes speak of a rental guarantee.

The lexicon of a language is `data/legal_terms_LANGUAGE.toml`. Each entry maps expressions, separated by `|`, to the
terms that codes use. All parts of an expression must occur close together, in any order: the words in any inflected
form in French, the strings between spaces in Chinese.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from lexgear.lexical.words import FRENCH_WORD, french_words, normalize, segmenter

MAX_DISTANCE = {"fr": 8, "zh": 30}
"""Maximum distance between the first part of an expression and the others: words in French, characters in Chinese."""
MAX_CHARACTERS = 2000
"""Characters of a text that are read: questions are short, and longer texts describe their matter in full."""


class LegalTerm(NamedTuple):
    """A legal term, and the everyday expression in a text that it stands for."""

    expression: str
    term: str
    words: tuple[str, ...]
    """The words of the term, as search counts them."""
    forms: tuple[str, ...]
    """The same words as they are written."""

    def part(self, words: Container[str]) -> str:
        """Return the term; if some of its words are missing from `words`, the others."""
        known = [form for word, form in zip(self.words, self.forms, strict=True) if word in words]
        return self.term if len(known) == len(self.words) else " … ".join(known)


class Entry(NamedTuple):
    """An everyday expression with its legal terms."""

    parts: tuple[str, ...]
    terms: tuple[LegalTerm, ...]


class LegalTerms:
    """Lexicon of everyday expressions and legal terms in one language.

    >>> lexicon = LegalTerms({"caution | louer garage": ["garantie locative"]}, "fr")
    >>> [found.term for found in lexicon.found("J'ai loué ce garage.")]
    ['garantie locative']
    """

    def __init__(self, entries: Mapping[str, Sequence[str]], language: str) -> None:
        self.language, self.words = language, segmenter(language)
        self._by_part: dict[str, list[Entry]] = {}
        """Entries by the first part of their expression."""
        for expressions, terms in entries.items():
            for expression in map(str.strip, expressions.split("|")):
                entry = Entry(self._parts(expression), tuple(self._term(expression, term) for term in terms))
                self._by_part.setdefault(entry.parts[0], []).append(entry)
        self._vocabulary = tuple(dict.fromkeys(part for one in self.entries() for part in one.parts))

    def entries(self) -> Iterator[Entry]:
        """Yield all entries."""
        return (entry for some in self._by_part.values() for entry in some)

    def found(self, text: str) -> tuple[LegalTerm, ...]:
        """Return the terms for the expressions in a text, each once; terms that the text uses itself are left out.

        An expression within a longer one that was found is ignored: a tenant's "caution" is not that of a surety.
        """
        text = text[:MAX_CHARACTERS]
        used, places = set(self.words(text)), self._places(text)
        named = (one for part in places for one in self._by_part.get(part, ()))
        entries = [one for one in named if self._occurs(one.parts, places)]
        longest = [one for one in entries if not any(self._within(one.parts, other.parts) for other in entries)]
        terms: dict[str, LegalTerm] = {}
        for term in (term for one in longest for term in one.terms):
            if not used.issuperset(term.words):
                terms.setdefault(term.term, term)
        return tuple(terms.values())

    def _term(self, expression: str, term: str) -> LegalTerm:
        if self.language != "fr":
            words = tuple(self.words(term))
            return LegalTerm(expression, term, words, words)
        stems = {form: self.words(form) for form in FRENCH_WORD.findall(term)}
        pairs = [(stem, form) for form, found in stems.items() for stem in found]
        return LegalTerm(expression, term, tuple(stem for stem, _ in pairs), tuple(form for _, form in pairs))

    def _parts(self, expression: str) -> tuple[str, ...]:
        return tuple(french_words(expression)) if self.language == "fr" else tuple(normalize(expression).split())

    def _places(self, text: str) -> dict[str, list[int]]:
        """Return the places of the parts of expressions in a text."""
        places: dict[str, list[int]] = {}
        if self.language == "fr":
            for place, word in enumerate(french_words(text)):
                places.setdefault(word, []).append(place)
            return places
        folded = normalize(text)
        for part in self._vocabulary:
            if part in folded:
                places[part] = [at for at in range(len(folded)) if folded.startswith(part, at)]
        return places

    def _occurs(self, parts: Sequence[str], places: Mapping[str, Sequence[int]]) -> bool:
        """Return whether all parts occur close to the first one."""
        if any(part not in places for part in parts):
            return False
        return any(all(self._near(first, places[part]) for part in parts) for first in places[parts[0]])

    def _near(self, first: int, places: Sequence[int]) -> bool:
        """Return whether one of some places, in order, is close to a place."""
        distance = MAX_DISTANCE[self.language]
        at = bisect_left(places, first - distance)
        return at < len(places) and places[at] <= first + distance

    def _within(self, parts: Sequence[str], others: Sequence[str]) -> bool:
        """Return whether an expression is a proper part of another one."""
        if self.language == "fr":
            return set(parts) < set(others)
        return set(parts) != set(others) and all(any(part in other for other in others) for part in parts)


@cache
def shipped_legal_terms(language: str) -> LegalTerms | None:
    """Return the lexicon that comes with the package for a language; None if there is none."""
    source = files("lexgear.lexical").joinpath(f"data/legal_terms_{language}.toml")
    if not source.is_file():
        return None
    areas = tomllib.loads(source.read_text("utf-8"))
    return LegalTerms({expressions: terms for area in areas.values() for expressions, terms in area.items()}, language)
