"""Amendments of the Chinese Criminal Law: the articles they changed and the charges they renamed, with dates."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

CODE_IN_FORCE = date(1997, 10, 1)
"""First day of the code; the charge book does not describe the law before it."""


@dataclass(frozen=True, slots=True)
class Abolished:
    """A charge that an act abolished, and whose conduct another charge covers since."""

    name: str
    covered_by: str
    shown_by: tuple[tuple[str, ...], ...]
    """Groups of words. The facts are of this kind if they state a word of every group."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """An act that changed part two of the code."""

    name: str
    in_force_from: date
    articles: tuple[str, ...]
    """Numbers of the articles it changed, without those it inserted."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Former name of a charge → new name."""
    abolished: tuple[Abolished, ...] = ()


@cache
def amendments() -> tuple[Amendment, ...]:
    """Return all amendments, oldest first."""
    source = files("lexgear.law").joinpath("data/amendments.toml").read_text("utf-8")
    return tuple(map(_amendment, tomllib.loads(source)["acts"]))


def _amendment(row: Mapping[str, Any]) -> Amendment:
    abolished = tuple(
        Abolished(one["name"], one["covered_by"], tuple(map(tuple, one["shown_by"])))
        for one in row.get("abolished", ())
    )
    return Amendment(**{**row, "articles": tuple(row["articles"]), "abolished": abolished})


def abolished_since(charge: str, day: date) -> tuple[Abolished, ...]:
    """Return the charges of a day that were abolished later and whose conduct a charge covers since.

    >>> [one.name for one in abolished_since("强奸罪", date(2013, 5, 1))]
    ['嫖宿幼女罪']
    """
    return tuple(
        one for act in amendments() if act.in_force_from > day for one in act.abolished if one.covered_by == charge
    )


def last_change(article: str, since: date) -> Amendment | None:
    """Return the latest amendment of an article that came into force after a day.

    >>> last_change("133-1", date(2012, 1, 1)).name
    '刑法修正案（九）'
    """
    later = [act for act in amendments() if act.in_force_from > since and article in act.articles]
    return later[-1] if later else None


def name_on(charge: str, day: date) -> str:
    """Return the name that a charge had on a day. If it united two charges later, both names are returned.

    >>> name_on("逃税罪", date(2008, 5, 1)), name_on("生产、销售假药罪", date(2022, 1, 1))
    ('偷税罪', '生产、销售、提供假药罪')
    """
    names = [charge]
    for act in reversed(amendments()):
        if act.in_force_from > day:
            former = [old for old, new in act.renamed.items() if new in names]
            names = former or names
    for act in amendments():
        if act.in_force_from <= day:
            names = list(dict.fromkeys(act.renamed.get(name, name) for name in names))
    return "或".join(names)
