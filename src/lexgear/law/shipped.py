"""The law that ships with the package: structure of the Chinese Criminal Law, without its text."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from lexgear.law.tree import LawTree


@cache
def chinese_criminal_law() -> LawTree:
    """Return part two of the code: chapters, sections, articles and charges with numbers and names."""
    rows = files("lexgear.law").joinpath("data/cn-criminal.json").read_text(encoding="utf-8")
    return LawTree.from_rows(json.loads(rows))
