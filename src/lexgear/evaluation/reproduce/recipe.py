"""Recipes: which systems are compared on which data under which measures. All of them are in `recipes.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from lexgear.errors import ErrorCode, InputError
from lexgear.rankers.base import Ranker
from lexgear.rankers.registry import ranker_type
from lexgear.settings import settings_from, settings_of

Value = TypeVar("Value")
Scores = Mapping[str, float]
"""measure → value."""


@dataclass(frozen=True, eq=False)
class System:
    """One row of a table: a ranker with settings."""

    name: str
    label: str
    ranker: str
    set: Mapping[str, Any] = field(default_factory=dict)
    """Settings that differ from the defaults."""
    drawn: bool = True
    """True if the result depends on the seed; otherwise one seed is enough."""
    fixed: bool = False
    """True if the settings of a data set do not apply to it."""

    def make_ranker(self, seed: int, profile: Profile) -> Ranker:
        """Return the ranker, not yet fitted; settings of the data set that it does not have are ignored."""
        kind = ranker_type(self.ranker)
        known = {setting.name for setting in settings_of(kind.settings_type)}
        common = {} if self.fixed else {name: value for name, value in profile.settings.items() if name in known}
        values = common | dict(self.set) | dict(profile.systems.get(self.name, {}))
        return kind(settings_from(kind.settings_type, values | ({"seed": seed} if "seed" in known else {})))


@dataclass(frozen=True)
class Profile:
    """Settings for one data set: folds, seeds, and settings of the systems."""

    name: str
    folds: int = 0
    """Folds of the cross-validation; 0 if the data set has a test split."""
    seeds: int = 1
    paper: str = ""
    """The name of the data set in the paper, if it differs."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of every system that has them."""
    systems: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Settings of single systems."""


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
    """Number of runs that the paper averages."""


@dataclass(frozen=True)
class Recipes:
    """The content of `recipes.toml`."""

    systems: Mapping[str, System]
    profiles: Mapping[str, Profile]
    recipes: Mapping[str, Recipe]
    paper: Mapping[str, Mapping[str, Scores]]
    """data set → system → values that the paper reports."""
    expected: Mapping[str, Mapping[str, Scores]]
    """data set → system → values that we measured, with the `tolerance` for another run."""

    def recipe(self, name: str) -> Recipe:
        """Return the recipe of that name."""
        return _named(self.recipes, name, "recipe")

    def system(self, name: str) -> System:
        """Return the system of that name."""
        return _named(self.systems, name, "system")

    def profile(self, name: str) -> Profile:
        """Return the profile of a data set; without an entry its own split and the defaults are used."""
        return self.profiles.get(name, Profile(name))


@cache
def recipes() -> Recipes:
    """Return the recipes of the package."""
    return read_recipes(files(__package__).joinpath("recipes.toml").read_text(encoding="utf-8"))


def read_recipes(text: str) -> Recipes:
    """Read recipes from TOML; every system they name must be described."""
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
            raise InputError(
                f"the entry {where!r} names an unknown system {system!r}",
                code=ErrorCode.UNKNOWN_NAME,
                remedy=f"add a section [system.{system}] to the recipes",
                name=system,
            )
    return found


def _named(table: Mapping[str, Value], name: str, what: str) -> Value:
    if name not in table:
        raise InputError(
            f"no {what} named {name!r}",
            code=ErrorCode.UNKNOWN_NAME,
            remedy=f"choose from {', '.join(table)}",
            name=name,
        )
    return table[name]
