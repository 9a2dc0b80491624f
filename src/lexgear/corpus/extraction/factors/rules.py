"""Rules of the factors that are found by patterns, read from the TOML files in `data/`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

FILES = ("act", "means", "participants", "harm", "victims", "offenders", "traffic", "roles", "aftermath")
SECTIONS = ("fact", "reasoning", "text")


@dataclass(frozen=True, slots=True)
class Rule:
    """Patterns of one factor, and the contexts in which a match does not count."""

    name: str
    pattern: re.Pattern[str]
    """Alternatives that begin with literal characters: the search for them is several times as fast."""
    sections: tuple[str, ...] = SECTIONS
    not_before: re.Pattern[str] | None = None
    """Context that must not end right before the match, within the sentence."""
    not_after: re.Pattern[str] | None = None
    """Context that must not begin right after the match, within the sentence."""
    unless: re.Pattern[str] | None = None
    """Words that must not occur in the clause of the match, or within `within` characters of it."""
    within: int | None = None
    evidence: bool = False
    """True if the list of evidence is read too."""
    negatable: bool = True
    """False if a negation before the match does not deny the factor."""
    decided: bool = False
    """True if the court decides on the factor: its denial in the reasoning overrules the facts."""
    needs: re.Pattern[str] | None = None
    """Words of which one must occur in the sentence, at most 60 characters from the match."""
    requires: re.Pattern[str] | None = None
    """Words of which one must occur in the section: other texts mean something else by the pattern."""
    of_others: bool = False
    """True if a match does not count in a clause on what a defendant suffered (姜某的损伤程度为轻微伤)."""
    of_defendant: bool = False
    """True if a match does not count in a clause about a named person who is not a defendant."""


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules of all factors that have patterns."""
    return tuple(_read())


def _read() -> Iterator[Rule]:
    for name in FILES:
        text = files(__package__).joinpath("data", f"{name}.toml").read_text("utf-8")
        for factor, row in tomllib.loads(text).items():
            yield _rule(factor, row)


def _rule(name: str, row: Mapping[str, Any]) -> Rule:
    return Rule(
        name,
        re.compile("|".join(row["patterns"])),
        tuple(row.get("sections", SECTIONS)),
        not_before=re.compile(f"(?:{row['not_before']})$") if "not_before" in row else None,
        not_after=re.compile(row["not_after"]) if "not_after" in row else None,
        unless=re.compile(row["unless"]) if "unless" in row else None,
        within=row.get("within"),
        evidence=row.get("evidence", False),
        negatable=row.get("negatable", True),
        decided=row.get("decided", False),
        needs=re.compile(row["needs"]) if "needs" in row else None,
        requires=re.compile(row["requires"]) if "requires" in row else None,
        of_others=row.get("of_others", False),
        of_defendant=row.get("of_defendant", False),
    )
