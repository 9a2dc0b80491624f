"""Recipes: which systems, on which data, by which measures; all of them in `recipes.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from lexgear.errors import InputError
from lexgear.rankers.base import Ranker
from lexgear.rankers.registry import ranker_type
from lexgear.settings import settings_from

Value = TypeVar("Value")
Scores = Mapping[str, float]
"""measure → value."""


@dataclass(frozen=True, eq=False)
class System:
    """A row of a table: a ranker with settings."""

    name: str
    label: str
    ranker: str
    set: Mapping[str, Any] = field(default_factory=dict)
    """Its settings where they are not the defaults."""
    drawn: bool = True
    """Whether anything in it is drawn: else one seed is as good as ten."""
    fixed: bool = False
    """Whether it is what it is on all data: settings of a data set do not reach it."""

    def made(self, seed: int, profile: Profile) -> Ranker:
        """The ranker before it has learnt anything; settings of the data set that it does not have are left out."""
        kind = ranker_type(self.ranker)
        known = {one.name for one in fields(kind.settings_type)}
        common = {} if self.fixed else {name: value for name, value in profile.settings.items() if name in known}
        values = common | dict(self.set) | dict(profile.systems.get(self.name, {}))
        return kind(settings_from(kind.settings_type, values | ({"seed": seed} if "seed" in known else {})))


@dataclass(frozen=True)
class Profile:
    """How a data set is worked on: by its own split, or in folds where it has none."""

    name: str
    folds: int = 0
    seeds: int = 1
    paper: str = ""
    """What the paper calls it, where it has another name here."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Of every system that has such a setting."""
    systems: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Of single systems."""


@dataclass(frozen=True)
class Recipe:
    """One table or figure of the paper."""

    name: str
    kind: str
    title: str
    systems: Sequence[str] = ()
    measures: Sequence[str] = ()
    baseline: str = ""
    paper_seeds: int = 0
    """Runs that the paper averages."""


@dataclass(frozen=True)
class Recipes:
    """All that `recipes.toml` says."""

    systems: Mapping[str, System]
    profiles: Mapping[str, Profile]
    recipes: Mapping[str, Recipe]
    paper: Mapping[str, Mapping[str, Scores]]
    """data set → system → what the paper reports."""
    expected: Mapping[str, Mapping[str, Scores]]
    """data set → system → what we measured, with the `tolerance` that another run should keep within."""

    def recipe(self, name: str) -> Recipe:
        """The recipe of that name."""
        return _named(self.recipes, name, "recipe")

    def system(self, name: str) -> System:
        """The system of that name."""
        return _named(self.systems, name, "system")

    def profile(self, name: str) -> Profile:
        """That of a data set; one nobody has written anything about is worked on by its own split."""
        return self.profiles.get(name, Profile(name))


@cache
def recipes() -> Recipes:
    """Those that come with the package."""
    return read_recipes(files(__package__).joinpath("recipes.toml").read_text(encoding="utf-8"))


def read_recipes(text: str) -> Recipes:
    """Recipes from TOML; a system that is named but not described is refused."""
    rows = tomllib.loads(text)
    found = Recipes(
        systems={name: System(name, **row) for name, row in rows["system"].items()},
        profiles={name: Profile(name, **row) for name, row in rows["data"].items()},
        recipes={name: Recipe(name, **row) for name, row in rows["recipe"].items()},
        paper=rows.get("paper", {}),
        expected=rows.get("expected", {}),
    )
    named = [
        (recipe.name, system) for recipe in found.recipes.values() for system in (*recipe.systems, recipe.baseline)
    ]
    named += [(profile.name, system) for profile in found.profiles.values() for system in profile.systems]
    for where, system in named:
        if system and system not in found.systems:
            raise InputError(f"recipes: {where} names a system {system!r} that nobody describes")
    return found


def _named(table: Mapping[str, Value], name: str, what: str) -> Value:
    if name not in table:
        raise InputError(f"no {what} named {name!r}", remedy=f"one of {', '.join(table)}")
    return table[name]
