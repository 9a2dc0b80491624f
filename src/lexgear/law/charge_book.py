"""The charge book: what each charge of the Chinese Criminal Law means, requires, excludes, and since when it exists.

The entries are the lexgear authors' own words, one file per chapter or section of part two of the code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Threshold:
    """A number that the basic offence requires, such as an amount or a quantity of drugs."""

    measure: str
    """`amount`, `grams`, `alcohol`, `people`, `deaths`, `serious_injuries`, `times`, …"""
    unit: str
    minimum: float
    means: str
    source: str
    """Article or judicial interpretation that sets the number."""
    verified: bool
    """True if the number was read in the text of its source. Others come from memory and never exclude a charge."""
    maximum: float | None = None
    """Upper end, if provinces choose their minimum within a range."""
    unless: tuple[str, ...] = ()
    """Circumstances that make the number unnecessary: theft from a home needs no amount."""


@dataclass(frozen=True, slots=True)
class Absorbed:
    """A charge that another one absorbs under a condition."""

    charge: str
    when: str
    shown_by: tuple[str, ...] = ()
    """Words in the facts that show the condition; empty if no word can show it."""


@dataclass(frozen=True, slots=True)
class ChargeBookEntry:
    """Entry of one charge."""

    definition: str
    """One to three sentences: who does what, with which intent and result."""
    expressions: tuple[str, ...]
    """Words and phrases that statements of facts typically use."""
    interest: str
    """Protected interest."""
    conduct: str
    subject: str
    subject_kind: Literal["person", "unit", "person_or_unit"]
    mental: str
    """Mental state."""
    intent: Literal["intent", "negligence", "either"]
    in_force_from: date
    enacted_by: str
    """Act that created the charge."""
    special_subject: str = ""
    """Quality that the law requires of the person, such as 国家工作人员."""
    in_force_until: date | None = None
    """Last day, for charges that were abolished or merged into others."""
    former_names: tuple[str, ...] = ()
    later_names: tuple[str, ...] = ()
    thresholds: tuple[Threshold, ...] = ()
    """Any of them suffices, unless its meaning says otherwise."""
    excludes: tuple[str, ...] = ()
    """Charges that the same conduct cannot fulfil, because subject, object or intent differs."""
    special_case_of: tuple[str, ...] = ()
    """General charges of which this is a special form."""
    absorbs: tuple[Absorbed, ...] = ()
    together: tuple[str, ...] = ()
    """Charges that courts often find beside it, for separate acts."""

    def to_row(self) -> dict[str, Any]:
        """Return plain values for JSON, without empty fields."""
        return {name: value for name, value in _plain(self).items() if value not in ("", None, [])}


@cache
def charge_book() -> Mapping[str, ChargeBookEntry]:
    """Return the entries by official name, in law order within each file.

    >>> charge_book()["受贿罪"].excludes
    ('非国家工作人员受贿罪', '单位受贿罪', '利用影响力受贿罪')
    """
    sources = sorted(files("lexgear.law").joinpath("data/charge_book").iterdir(), key=lambda source: source.name)
    chapters = [tomllib.loads(source.read_text("utf-8")) for source in sources if source.name.endswith(".toml")]
    return MappingProxyType({name: _entry(row) for chapter in chapters for name, row in chapter.items()})


@cache
def scenery() -> frozenset[str]:
    """Return the expressions that describe the scene of many acts and speak for no charge.

    >>> "宾馆" in scenery(), "撬锁" in scenery()
    (True, False)
    """
    source = files("lexgear.law").joinpath("data/scenery.toml")
    groups: Mapping[str, list[str]] = tomllib.loads(source.read_text("utf-8"))
    return frozenset(word for words in groups.values() for word in words)


@cache
def charge_glosses() -> Mapping[str, Mapping[str, str]]:
    """Return frequent charges in English and French: official name → `en`, `fr`.

    >>> charge_glosses()["盗窃罪"]["fr"]
    'vol'
    """
    source = files("lexgear.law").joinpath("data/charge_glosses.toml")
    return MappingProxyType(tomllib.loads(source.read_text("utf-8")))


def _entry(row: Mapping[str, Any]) -> ChargeBookEntry:
    thresholds = tuple(
        Threshold(**{**threshold, "unless": tuple(threshold.get("unless", ()))})
        for threshold in row.get("thresholds", ())
    )
    absorbs = tuple(
        Absorbed(**{**absorbed, "shown_by": tuple(absorbed.get("shown_by", ()))}) for absorbed in row.get("absorbs", ())
    )
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return ChargeBookEntry(**(values | {"thresholds": thresholds, "absorbs": absorbs}))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, ChargeBookEntry | Threshold | Absorbed):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return value.isoformat() if isinstance(value, date) else value
