"""Charges: official names, other spellings, and search for them in texts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import chain, combinations, permutations, product
from typing import TYPE_CHECKING, Any

from lexgear.law.shipped import chinese_criminal_law

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

# Characters that judgments confuse, replaced one for one so that offsets stay valid.
_FOLD = str.maketrans("（）［］【】，,﹑帐剌", "()[][]、、、账刺")
_SURROGATE = re.compile("[\ud800-\udfff]")  # lone surrogates, which UTF-8 cannot encode
MASK = "某罪"
_DROPPED = str.maketrans("", "", "[]\"'“”‘’《》 　\t")


@dataclass(frozen=True, slots=True)
class ChargeMention:
    """A charge named in a text: official name and offsets."""

    name: str
    start: int
    end: int


class ChargeNames:
    """Charges with all their names, which are found in one pass over a text.

    >>> [mention.name for mention in shipped_charges().find("被告人王某犯贩卖毒品罪、窝藏罪。")]
    ['走私、贩卖、运输、制造毒品罪', '窝藏、包庇罪']
    """

    def __init__(self, names: Iterable[str], other_names: Mapping[str, Iterable[str]]) -> None:
        self.names = tuple(names)
        self._official: dict[str, str] = {}
        for name in self.names:
            self._official.setdefault(_fold(name), name)
        for name, patterns in other_names.items():
            for written in (written for pattern in patterns for written in spell(pattern)):
                self._official.setdefault(_fold(written), name)

    def official(self, name: str) -> str | None:
        """Return the official name of a charge in any spelling, with or without 罪; None if unknown."""
        folded = _fold(name.translate(_DROPPED))
        return self._official.get(folded) or self._official.get(folded + "罪")

    def find(self, text: str, *, bare: bool = False) -> Iterator[ChargeMention]:
        """Yield the charges that a text names, in order, by their longest match; `bare` also finds names without 罪."""
        patterns, automaton = self._bare if bare else self._full
        for pattern, start, end in automaton.find_matches_as_indexes(_SURROGATE.sub("�", _fold(text))):
            yield ChargeMention(patterns[pattern], start, end)

    def masked(self, text: str) -> str:
        """Return the text with every charge replaced by 某罪, so that it does not give the label away.

        >>> shipped_charges().masked("被告人王某犯盗窃罪。")
        '被告人王某犯某罪。'
        """
        pieces, last = [], 0
        for mention in self.find(text):
            pieces += [text[last : mention.start], MASK]
            last = mention.end
        return "".join([*pieces, text[last:]])

    @cached_property
    def _full(self) -> tuple[list[str], AhoCorasick]:
        return _automaton(self._official)

    @cached_property
    def _bare(self) -> tuple[list[str], AhoCorasick]:
        without = {written.removesuffix("罪"): name for written, name in self._official.items()}
        return _automaton(without | self._official)


@cache
def shipped_charges() -> ChargeNames:
    """Return the charges of the Chinese Criminal Law, from the data shipped with the package."""
    return ChargeNames((node.number for node in chinese_criminal_law().of_kind("charge")), other_names())


def other_names() -> dict[str, list[str]]:
    """Return official name → patterns of other names, from the shipped file."""
    data = charge_data()
    names: dict[str, list[str]] = {full_choice(pattern): [pattern] for pattern in data["choices"]}
    for name, patterns in data["aliases"].items():
        names.setdefault(name, []).extend(patterns)
    return names


@cache
def charge_data() -> dict[str, Any]:
    """Return the content of the shipped file of names: `choices`, `aliases` and `placed`."""
    return tomllib.loads(files("lexgear.law").joinpath("data/charge_names.toml").read_text(encoding="utf-8"))


def spell(pattern: str) -> Iterator[str]:
    """Yield every name that a pattern with choices stands for, in any order of up to four choices.

    >>> list(spell("{窝藏|包庇}罪"))
    ['窝藏罪', '包庇罪', '窝藏、包庇罪', '包庇、窝藏罪']
    """
    parts = [_selections(part) for part in _groups(pattern)]
    return ("".join(chosen) for chosen in product(*parts))


def _selections(options: list[str]) -> list[str]:
    chosen = [c for size in range(1, len(options) + 1) for c in combinations(options, size)]
    orders = chain.from_iterable(permutations(c) if len(options) <= 4 else (c, c[::-1]) for c in chosen)
    return list(dict.fromkeys("、".join(order) for order in orders))


def full_choice(pattern: str) -> str:
    """Return the name with every choice of a pattern: 窝藏、包庇罪 for {窝藏|包庇}罪."""
    return "".join("、".join(options) for options in _groups(pattern))


def _groups(pattern: str) -> list[list[str]]:
    pieces = pattern.replace("}", "{").split("{")
    return [piece.split("|") for piece in pieces if piece]


def _fold(text: str) -> str:
    return text.translate(_FOLD)


def _automaton(official: Mapping[str, str]) -> tuple[list[str], AhoCorasick]:
    from ahocorasick_rs import AhoCorasick, MatchKind

    return list(official.values()), AhoCorasick(list(official), matchkind=MatchKind.LeftmostLongest)
