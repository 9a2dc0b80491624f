"""Recipes: which systems are compared on which data under which measures. All of them are in `recipes.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Collection as Ids
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from lexgear.corpus.records import Collection
from lexgear.errors import ErrorCode, InputError
from lexgear.rankers.base import Ranker
from lexgear.rankers.model_settings import SHIPPED
from lexgear.rankers.registry import ranker_type
from lexgear.settings import settings_from, settings_of

Value = TypeVar("Value")
Scores = Mapping[str, float]
"""measure → value."""
ALL = "all"
"""Name under which overrides apply to every system that has the setting."""
CASES, STATUTES = "paper-lecardv2", "paper-bsard"
"""The paper's settings for collections of cases and of statutory articles."""
RATES = ("dropout", "batch_size", "learning_rate", "decoder_learning_rate", "warmup")
"""Settings that suit the model that training starts from, and hardly any other."""
FINE_TUNING = (*RATES, "epochs", "patience", "validation_share")
"""Settings of the paper's fine-tuning of a checkpoint."""


@dataclass(frozen=True, eq=False)
class System:
    """One row of a table: a ranker with settings."""

    name: str
    label: str
    ranker: str = ""
    set: Mapping[str, Any] = field(default_factory=dict)
    """Settings that differ from the defaults."""
    drawn: bool = True
    """True if the result depends on the seed; otherwise one seed is enough."""
    fixed: bool = False
    """True if the settings of a data set do not apply to it."""
    paper: bool = False
    """True if it has the paper's settings, those of the profile's preset."""
    variant_of: System | None = None
    """The system that it differs from by `set` alone; it shares all settings of that system."""
    same_as: str = ""
    """The system that it equals if it starts from another checkpoint than its own."""
    note: str = ""
    """A remark for readers of its row."""

    def make_ranker(self, seed: int, profile: Profile) -> Ranker:
        """Return the ranker, not yet fitted."""
        kind = ranker_type(self.ranker)
        known = self.setting_names()
        values = self._values(profile, known)
        return kind(settings_from(kind.settings_type, values | ({"seed": seed} if "seed" in known else {})))

    def setting_names(self) -> frozenset[str]:
        """Return the names of the ranker's settings."""
        return frozenset(setting.name for setting in settings_of(ranker_type(self.ranker).settings_type))

    def _values(self, profile: Profile, known: Ids[str]) -> dict[str, Any]:
        """Return all values that differ from the ranker's defaults.

        From the weakest to the strongest: those of the data set, of the paper's preset, of the data set for this
        system, overrides for all systems, what makes the row this row, and overrides for this system.
        """
        family = (self.variant_of, self) if self.variant_of else (self,)
        strong = {} if self.fixed else _only(profile.overrides.get(ALL, {}), known)
        if self.variant_of:
            strong |= profile.overrides.get(self.variant_of.name, {})
        for one in family:
            strong |= one.set
        strong |= profile.overrides.get(self.name, {})
        common = {} if self.fixed else _only(profile.settings, known)
        special: dict[str, Any] = {}
        for one in family:
            special |= profile.systems.get(one.name, {})
        backbone = strong.get("backbone", common.get("backbone", ""))
        if backbone != common.get("backbone", ""):
            common, special = _without(common, RATES), _without(special, RATES)
        return common | (_paper_settings(profile, backbone) if self.paper else {}) | special | strong


def _only(values: Mapping[str, Any], known: Ids[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in known}


def _without(values: Mapping[str, Any], names: Ids[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


def _paper_settings(profile: Profile, backbone: str) -> dict[str, Any]:
    """Return the paper's settings for a model that starts from `backbone`.

    The paper fine-tunes a checkpoint with batches of 2 and a low learning rate. A model from scratch or from a base
    model of the package would hardly learn that way: it is trained as the other systems on the data set are.
    """
    is_checkpoint = backbone not in ("", SHIPPED)
    return _without(preset(profile.preset), ("backbone",) if is_checkpoint else ("backbone", *FINE_TUNING))


@cache
def preset(name: str) -> Mapping[str, Any]:
    """Return the settings of a preset of the package."""
    return tomllib.loads(files("lexgear").joinpath(f"configs/{name}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Profile:
    """Settings for one data set: folds, seeds, and settings of the systems."""

    name: str
    folds: int = 0
    """Folds of the cross-validation; 0 if the data set has a test split."""
    seeds: int = 1
    threads: int = 0
    """Threads of the models on a CPU; 0 for those of the command."""
    paper: str = ""
    """The name of the data set in the paper, if it differs."""
    preset: str = CASES
    """The preset with the paper's settings that fits the data set."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of every system that has them."""
    systems: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Settings of single systems, which hold for their variants too."""
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Settings that the user gives, by system; `all` for every system that has them and is not fixed."""


@dataclass(frozen=True)
class Recipe:
    """One table or figure of the paper."""

    name: str
    kind: str
    title: str
    systems: Sequence[str] = ()
    measures: Sequence[str] = ()
    baseline: str = ""
    tested: Sequence[str] = ()
    """Systems that are tested against every other one, beside the tests of all against the baseline."""
    paper_seeds: int = 0
    """Number of runs that the paper averages."""
    sizes: Sequence[int] = ()
    """Numbers of training queries, for a learning curve."""


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

    def profile(self, collection: Collection) -> Profile:
        """Return the profile of a data set; without an entry its own split and the defaults are used."""
        statutes = any(document.node for document in collection.documents)
        plain = Profile(collection.name, preset=STATUTES if statutes else CASES)
        return self.profiles.get(collection.name, plain)


@cache
def recipes() -> Recipes:
    """Return the recipes of the package."""
    return read_recipes(files(__package__).joinpath("recipes.toml").read_text(encoding="utf-8"))


def read_recipes(text: str) -> Recipes:
    """Read recipes from TOML; every system they name must be described."""
    rows = tomllib.loads(text)
    found = Recipes(
        systems=_read_systems(rows["system"]),
        profiles=_read_profiles(rows["data"]),
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


def _read_systems(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, System]:
    """Return the systems; a variant names the system it is derived from, which must come before it."""
    systems: dict[str, System] = {}
    for name, row in rows.items():
        if "variant_of" in row:
            whole = _named(systems, row["variant_of"], "system")
            systems[name] = replace(whole, **{"set": {}, **row, "name": name, "variant_of": whole})
        else:
            systems[name] = System(name, **row)
    return systems


def _read_profiles(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Profile]:
    """Return the profiles; `like` names the profile, which must come before it, that one differs from."""
    profiles: dict[str, Profile] = {}
    for name, row in rows.items():
        own = {key: value for key, value in row.items() if key != "like"}
        start = _named(profiles, row["like"], "profile") if "like" in row else Profile(name)
        profiles[name] = replace(start, **{**own, "name": name})
    return profiles


def _named(table: Mapping[str, Value], name: str, what: str) -> Value:
    if name not in table:
        raise InputError(
            f"no {what} named {name!r}",
            code=ErrorCode.UNKNOWN_NAME,
            remedy=f"choose from {', '.join(table)}",
            name=name,
        )
    return table[name]
