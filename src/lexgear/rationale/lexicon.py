"""Lexicon of B1 and B2 of the paper: words of the charges' names and definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from lexgear.errors import ErrorCode, InputError
from lexgear.lexical.words import french_words
from lexgear.rationale.charge_corpus import ChargeCorpus, Entries
from lexgear.rationale.token_lookup import WordTable


@dataclass(frozen=True, slots=True)
class ChargeEntry:
    """Words of one charge."""

    charge: str
    definition: str
    """Source text of B2 and of the prototype B3."""
    b1: Mapping[str, int]
    """tf(word, B1) by word, from the name and its variants."""
    b2: Mapping[str, int]
    """tf(word, B2) by word, from the definition and its additions."""


class Lexicon:
    """B1 and B2 of every charge; `corpus` combines those of all charges or some.

    >>> lexicon = Lexicon.from_charges({"抢劫罪": "以暴力、胁迫方法抢劫公私财物"}, "zh")
    >>> sorted(lexicon.rows[0].b1)
    ['抢劫', '抢劫罪']
    """

    def __init__(self, rows: Iterable[ChargeEntry], language: str) -> None:
        self.language = language
        self.rows = tuple(rows)
        self.charges = tuple(row.charge for row in self.rows)
        self._places = {charge: place for place, charge in enumerate(self.charges)}
        seen = dict.fromkeys(word for row in self.rows for words in (row.b1, row.b2) for word in words)
        self.words = {word: number for number, word in enumerate(seen, start=1)}
        """Number of each word, from 1."""
        self.table = WordTable(self.words)
        self._entries = [_entries(row, self.words) for row in self.rows]

    @classmethod
    def from_charges(cls, charges: Mapping[str, str], language: str, more: Mapping[str, str] | None = None) -> Lexicon:
        """Build from definitions by official name (may be empty); `more` adds accepted descriptions to B2."""
        split = _splitter(language)
        unknown = sorted(set(more or {}) - set(charges))
        if unknown:
            raise InputError(
                f"descriptions of charges that are not in the law: {'、'.join(unknown[:5])}",
                code=ErrorCode.UNKNOWN_CHARGE,
                remedy="use the official names of the charges",
                charges=unknown,
            )
        rows = []
        for charge, definition in charges.items():
            described = f"{definition}\n{(more or {}).get(charge, '')}"
            b1, b2 = Counter(split(charge, "")), Counter(split(described, "sanctions_zh.txt"))
            rows.append(ChargeEntry(charge, definition, b1, b2))
        return cls(rows, language)

    def corpus(self, charges: Sequence[str], lambda1: float, lambda2: float) -> ChargeCorpus:
        """Return B of these charges, or of all charges if the lexicon knows none of them."""
        known = [self._places[charge] for charge in dict.fromkeys(charges) if charge in self._places]
        places = known or range(len(self.rows))
        names = tuple(self.charges[place] for place in places)
        return ChargeCorpus.of(names, [self._entries[place] for place in places], len(self.words), (lambda1, lambda2))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one plain row per charge, for JSON."""
        return [
            {"charge": row.charge, "definition": row.definition, "b1": dict(row.b1), "b2": dict(row.b2)}
            for row in self.rows
        ]

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, Any]], language: str) -> Lexicon:
        """Build the lexicon that `to_rows` wrote."""
        return cls((ChargeEntry(row["charge"], row["definition"], row["b1"], row["b2"]) for row in rows), language)


def _entries(row: ChargeEntry, numbers: Mapping[str, int]) -> Entries:
    levels = [
        (level, numbers[word], count) for level, words in enumerate((row.b1, row.b2)) for word, count in words.items()
    ]
    return np.array(levels, np.int64).reshape(-1, 3).T


def _splitter(language: str) -> Callable[[str, str], list[str]]:
    """Return the word splitter of a language, which takes a text and the name of a list of words to exclude."""
    if language == "fr":
        return lambda text, _: french_words(text)
    if language == "zh":
        return _chinese_variants
    raise InputError(
        f"no lexicon for the language {language!r}",
        code=ErrorCode.UNKNOWN_NAME,
        remedy="use zh or fr",
        language=language,
    )


def _chinese_variants(text: str, left_out: str) -> list[str]:
    """Return overlapping words (故意伤害 gives 故意, 伤害 and itself) and the words of ordinary segmentation."""
    import rjieba

    readable = text.encode("utf-8", "replace").decode("utf-8")  # without lone surrogates
    overlapping = rjieba.cut_all(readable)
    known, stop_words = set(overlapping), _listed("stop_words_zh.txt") | _listed(left_out)
    found = [*overlapping, *(word for word in rjieba.cut(readable) if word not in known)]
    return [word for word in found if len(word) > 1 and word.isalpha() and word not in stop_words]


@cache
def _listed(name: str) -> frozenset[str]:
    """Return the words of a list in the package."""
    lines = files("lexgear.rationale").joinpath(name).read_text("utf-8").splitlines() if name else []
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
