"""Charges that are easily confused: what distinguishes them, in three languages, and words that are signs of either."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeAlias

from lexgear.law.charge_book import charge_book

LANGUAGES = ("zh", "en", "fr")
_BY_CONDUCT = {
    "zh": "{one}的行为是：{first}。{other}的行为是：{second}。",
    "en": "They differ in the conduct. {one}: {first}. {other}: {second}.",
    "fr": "Elles diffèrent par les faits. {one} : {first}. {other} : {second}.",
}
Signs: TypeAlias = tuple[tuple[str, ...], ...]
"""Groups of words. They are shown if the facts state a word of every group."""


@dataclass(frozen=True, slots=True)
class Distinction:
    """Difference between two charges."""

    charges: tuple[str, str]
    texts: Mapping[str, str]
    """Sentence on what distinguishes the charges, by language."""
    signs: tuple[Signs, Signs]
    """Signs of the first and of the second charge."""
    needed: str = ""
    """Charge whose signs are necessary; without them, those of the other one weigh more."""
    also_from: tuple[str, ...] = ()
    """Further charges that the first one takes over from, if it is new."""
    new: bool = False
    """True if the first charge took over conduct of the second one when it was created."""
    one_clause: bool = False
    """True if one clause must show all signs of the first charge: police who arrive after an attack were not hit."""


@cache
def distinctions() -> tuple[Distinction, ...]:
    """Return all distinctions of the charge book."""
    source = files("lexgear.law").joinpath("data/distinctions.toml").read_text("utf-8")
    return tuple(map(_distinction, tomllib.loads(source)["pairs"]))


@cache
def distinction(one: str, other: str) -> Distinction | None:
    """Return the distinction between two charges in any order; None if the charge book has none.

    >>> distinction("诈骗罪", "盗窃罪").charges
    ('盗窃罪', '诈骗罪')
    """
    return next((found for found in distinctions() if {one, other} == set(found.charges)), None)


@cache
def easily_confused(charge: str) -> tuple[str, ...]:
    """Return the charges that a charge is easily confused with, or that took over its conduct."""
    names = (name for found in distinctions() if charge in (*found.charges, *found.also_from) for name in found.charges)
    return tuple(dict.fromkeys(name for name in names if name != charge))


def difference(one: str, other: str, language: str) -> str:
    """Return what distinguishes two charges, in a language; by their conduct if the charge book has no sentence on it.

    >>> difference("盗窃罪", "诈骗罪", "en")[:49]
    'How the property left the victim decides: taken s'
    """
    if (known := distinction(one, other)) is not None:
        return known.texts[language]
    book = charge_book()
    return _BY_CONDUCT[language].format(
        one=one, other=other, first=book[one].conduct.rstrip("。"), second=book[other].conduct.rstrip("。")
    )


def _distinction(row: Mapping[str, Any]) -> Distinction:
    first, second = (tuple(tuple(group) for group in row[side]) for side in ("first", "second"))
    texts = MappingProxyType({language: str(row[language]) for language in LANGUAGES})
    also_from = tuple(row.get("also_from", ()))
    charges = (str(row["charges"][0]), str(row["charges"][1]))
    return Distinction(
        charges,
        texts,
        (first, second),
        row.get("needed", ""),
        also_from,
        row.get("new", False),
        row.get("one_clause", False),
    )
