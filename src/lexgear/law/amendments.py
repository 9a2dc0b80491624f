"""Amendments of the Chinese Criminal Law: the articles they changed and the charges they renamed, with dates."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib.resources import files

CODE_IN_FORCE = date(1997, 10, 1)
"""First day of the code; the charge book does not describe the law before it."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """An act that changed part two of the code."""

    name: str
    in_force_from: date
    articles: tuple[str, ...]
    """Numbers of the articles it changed, without those it inserted."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Former name of a charge → new name."""


@cache
def amendments() -> tuple[Amendment, ...]:
    """Return all amendments, oldest first."""
    source = files("lexgear.law").joinpath("data/amendments.toml").read_text("utf-8")
    return tuple(Amendment(**(row | {"articles": tuple(row["articles"])})) for row in tomllib.loads(source)["acts"])


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
