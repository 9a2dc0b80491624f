"""Charge names and definitions, from a collection's law or from the package."""

from __future__ import annotations

from pathlib import Path

from lexgear.corpus.sample.law import sample_law
from lexgear.corpus.store import read_law
from lexgear.law.shipped import chinese_criminal_law


def charge_definitions(collection: Path | None = None) -> dict[str, str]:
    """Return official charge names with their definitions; without a collection, those that ship (46 have a text)."""
    laws = [chinese_criminal_law(), sample_law()] if collection is None else [read_law(collection / "law.json")]
    return {node.number: node.text for law in laws for node in law.of_kind("charge")}
