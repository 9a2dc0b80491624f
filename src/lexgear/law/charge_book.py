"""The charge book: what each charge of the Chinese Criminal Law means, and how statements of facts tell it.

The entries are the lexgear authors' own words, one file per chapter or section of part two of the code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class ChargeBookEntry:
    """Entry of one charge."""

    definition: str
    """One to three sentences: who does what, with which intent and result."""
    expressions: tuple[str, ...]
    """Words and phrases that statements of facts typically use."""


@cache
def charge_book() -> Mapping[str, ChargeBookEntry]:
    """Return the entries by official name, in law order within each file.

    >>> charge_book()["盗窃罪"].definition.endswith("。")
    True
    """
    sources = sorted(files("lexgear.law").joinpath("data/charge_book").iterdir(), key=lambda source: source.name)
    rows = [tomllib.loads(source.read_text("utf-8")) for source in sources if source.name.endswith(".toml")]
    return MappingProxyType(
        {
            name: ChargeBookEntry(entry["definition"], tuple(entry["expressions"]))
            for chapter in rows
            for name, entry in chapter.items()
        }
    )
