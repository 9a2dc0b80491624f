"""Settings of single systems that a user gives beside a recipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.reproduce.recipe import ALL, Profile, System
from lexgear.model.checkpoints import checkpoint_directory
from lexgear.rankers.model_settings import SHIPPED

WILDCARD = "*"
"""Another name of `all`."""


def read_overrides(backbones: Iterable[str], assignments: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return system → setting → value from `SYSTEM=DIRECTORY` and `SYSTEM.key=value` texts.

    >>> read_overrides(["*=bge"], ["gear.epochs=3", "gear.mu=0.5"])
    {'all': {'backbone': 'bge'}, 'gear': {'epochs': '3', 'mu': '0.5'}}
    """
    overrides: dict[str, dict[str, Any]] = {}
    for system, setting, value in (*_backbones(backbones), *_assignments(assignments)):
        overrides.setdefault(ALL if system == WILDCARD else system, {})[setting] = value
    return overrides


def changes_any(systems: Sequence[System], text: str) -> bool:
    """Return whether a `SYSTEM=DIRECTORY` or `SYSTEM.key=value` text changes one of the systems.

    >>> from lexgear.evaluation.reproduce.recipe import recipes
    >>> ablation = recipes().system("gear-without-l_c")
    >>> [changes_any([ablation], text) for text in ("gear.mu=1", "all=bge", "all.graph_layers=1", "dsi=bge")]
    [True, True, False, False]
    """
    place = text.partition("=")[0].strip()
    name, dot, setting = place.rpartition(".")
    name, setting = (name, setting) if dot else (place, "backbone")
    if name in (ALL, WILDCARD):
        return any(not one.fixed and setting in one.setting_names() for one in systems)
    return any(name == one.name or (one.variant_of and name == one.variant_of.name) for one in systems)


def check_overrides(profile: Profile, systems: Sequence[System]) -> None:
    """Raise an `InputError` if an override names an unknown system or setting, or has an invalid value.

    Checkpoints on the hub are downloaded now: a missing one should not stop the command in the middle of its work.
    """
    known = {one.name: one for system in systems for one in (system, system.variant_of) if one}
    for name, values in profile.overrides.items():
        if name != ALL and name not in known:
            raise InputError(
                f"no system named {name!r} here",
                code=ErrorCode.UNKNOWN_NAME,
                remedy=f"choose from {ALL}, {', '.join(known)}",
                name=name,
            )
        for setting in values if name == ALL else ():
            if not any(setting in system.setting_names() for system in systems if not system.fixed):
                raise InputError(
                    f"no system here has a setting named {setting!r}",
                    code=ErrorCode.UNKNOWN_SETTING,
                    remedy="`lexgear settings RANKER` lists the settings of a ranker",
                    name=setting,
                )
        if (backbone := values.get("backbone", "")) not in ("", SHIPPED):
            checkpoint_directory(backbone)
    for system in systems:
        system.make_ranker(0, profile)


def _backbones(backbones: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for text in backbones:
        system, equals, directory = text.partition("=")
        if not (equals and system.strip() and directory.strip()):
            raise InputError(f"{text!r} is not SYSTEM=DIRECTORY", code=ErrorCode.USAGE, remedy="such as gear=build/bge")
        yield system.strip(), "backbone", directory.strip()


def _assignments(assignments: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for text in assignments:
        place, equals, value = text.partition("=")
        system, dot, setting = place.strip().rpartition(".")
        if not (equals and dot and system and setting):
            raise InputError(f"{text!r} is not SYSTEM.key=value", code=ErrorCode.USAGE, remedy="such as gear.epochs=20")
        yield system, setting, value.strip()
