"""Text templates of the Chinese sample: charges, circumstances in several wordings, common phrases."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

FAMILIES = (
    "traffic",
    "market",
    "finance",
    "violence",
    "property",
    "network",
    "vice",
    "nature",
    "drugs",
    "debt",
    "corruption",
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of a circumstance: its wordings (the last one is for queries only) and its English summary."""

    gloss: str
    texts: tuple[str, ...]
    kin: str = ""
    """Group of similar means: those of sibling charges with the same `kin` look alike in the facts."""


@dataclass(frozen=True, slots=True)
class Degree:
    """A degree of gravity: wording in the reasoning and the facts, and the range of the penalty."""

    gloss: str
    word: str
    texts: tuple[str, ...]
    months: tuple[int, int]
    fine: tuple[int, int] | None
    amount: tuple[int, int] | None
    """Range in yuan, inserted at {m}."""
    quantity: tuple[float, float] | None
    """Range in grams, cubic metres or records, inserted at {w}."""
    life: float
    death: float
    article: str


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge with the templates of its cases."""

    name: str
    place: str
    """Chapter, section if there is one, and article: `6/7/347`."""
    family: str
    gloss: str
    definition: str
    finding: tuple[str, ...]
    aliases: tuple[str, ...]
    means: Mapping[str, Choice]
    scenes: Mapping[str, Choice]
    degrees: tuple[Degree, ...]
    details: tuple[str, ...]
    """Sentences typical of the charge, whatever the circumstances."""
    scene_texts: tuple[str, ...]
    scene_first: bool
    recital: str
    """Wording of the scene in the reasoning."""
    repair: str
    """Recipient of compensation: `victim`, `unit`, `state`, `workers`, `debt`, or `none`."""
    weight: int
    solo: bool
    span: bool
    """True if the act lasts for months, so that the facts give a period and not a day."""
    serial: bool
    control: bool
    """True if a minor case may end with control (管制)."""
    fine_alone: bool
    """True if a minor case may end with a fine alone (单处罚金)."""
    negligent: bool
    """True if the charge is one of negligence, which excludes recidivism."""
    also: tuple[str, ...]
    """Further articles cited for the penalty."""

    @property
    def article(self) -> str:
        """Number of the article."""
        return self.place.rsplit("/", 1)[-1]


def _choices(rows: Mapping[str, Any]) -> dict[str, Choice]:
    return {key: Choice(row["gloss"], tuple(row["texts"]), row.get("kin", "")) for key, row in rows.items()}


def _degree(row: Mapping[str, Any], texts: list[str]) -> Degree:
    def span(name: str) -> Any:
        return tuple(row[name]) if name in row else None

    return Degree(
        row["gloss"],
        row["word"],
        tuple(row.get("texts", texts)),
        span("months"),
        span("fine"),
        span("amount"),
        span("quantity"),
        row.get("life", 0.0),
        row.get("death", 0.0),
        row.get("article", ""),
    )


def _charge(row: Mapping[str, Any], family: Mapping[str, Any], details: list[str]) -> Charge:
    amount_texts = row.get("amount_texts", family.get("amount_texts", []))
    return Charge(
        name=row["name"],
        place=row["place"],
        family=family["family"],
        gloss=row["gloss"],
        definition=row["definition"],
        finding=tuple(row["finding"]),
        aliases=tuple(row["aliases"]),
        means=_choices(row["means"]),
        scenes=_choices({key: family["scene"][key] for key in row.get("scenes", family["scene"])}),
        degrees=tuple(_degree(degree, amount_texts) for degree in row["degree"]),
        details=tuple(details),
        scene_texts=tuple(row.get("scene_texts", family["scene_texts"])),
        scene_first=family["scene_at"] == "before",
        recital=family["recital"],
        repair=row["repair"],
        weight=row.get("weight", 1),
        solo=row.get("solo", False),
        span=row.get("span", False),
        serial=row.get("serial", False),
        control=row.get("control", False),
        fine_alone=row.get("fine_alone", False),
        negligent=row.get("negligent", False),
        also=tuple(row.get("also", ())),
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("zh", f"{name}.toml").read_text("utf-8"))


@cache
def charges() -> Mapping[str, Charge]:
    """Return official name → charge of the sample."""
    families = [_read(name) for name in FAMILIES]
    details = _read("details")
    return {row["name"]: _charge(row, family, details[row["name"]]) for family in families for row in family["charge"]}


@cache
def phrases() -> Mapping[str, Any]:
    """Return the phrases shared by all cases: people, courts, procedure, background."""
    return _read("common")


@cache
def headings() -> Mapping[str, Any]:
    """Return the titles of the chapters and sections of the law."""
    return _read("law")
