"""Results: the values per query of one system with one seed, in a small file from which tables are built."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from lexgear.atomic import atomic_file
from lexgear.corpus.datasets.reader import expect_shape, read_object
from lexgear.evaluation.evaluate import score_runs
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.notes import Note
from lexgear.evaluation.reproduce.recipe import System
from lexgear.evaluation.reproduce.run_facts import Facts
from lexgear.evaluation.scope import Scope
from lexgear.evaluation.scoring import Values
from lexgear.trec import Run

DIGITS = 6
"""Decimals of a value in a file."""
START, SCRATCH, BASE = "backbone", "scratch", "base model of lexgear"


@dataclass(frozen=True, slots=True)
class Scored:
    """Values under one scope: over all documents, within the pools, or over judged documents."""

    values: Mapping[Measure, Values]
    notes: Sequence[Note] = ()
    """Remarks on queries that were left out or counted as 0."""


@dataclass(frozen=True)
class SystemResult:
    """Values per query of a system with one seed, and facts about how they came about."""

    facts: Facts
    scopes: Mapping[str, Scored]
    """name of a scope → values."""
    seed: int = 0


@dataclass(frozen=True)
class Results:
    """Results of the systems of a recipe, and what is missing."""

    systems: Mapping[System, Sequence[SystemResult]]
    """system → its results, one per seed."""
    missing: Mapping[System, str] = field(default_factory=dict)
    """system → reason why it has no result, or not all of them."""

    @property
    def absent(self) -> dict[System, str]:
        """The systems without any result, with the reason."""
        return {system: reason for system, reason in self.missing.items() if system not in self.systems}

    def notes(self) -> list[str]:
        """Return one line per system with missing results."""
        return [f"{system.label}: {reason}" for system, reason in self.missing.items()]


Scopes: TypeAlias = Mapping[str, tuple[Scope, Sequence[Measure]]]
"""name of a scope → the scope, and the measures that are computed in it."""


def score_system(system: str, seed: int, run: Run, facts: Facts, scopes: Scopes) -> SystemResult:
    """Return the result of a run; measures of judgments are left out if the system makes none."""
    found: dict[str, Scored] = {}
    for name, (scope, measures) in scopes.items():
        possible = [one for one in measures if one.name != "coverage_judgment" or facts.get("judged")]
        values, notes = score_runs({system: run}, scope, possible)
        found[name] = Scored({measure: values[system, measure] for measure in possible}, notes)
    return SystemResult(facts, found, seed)


def write_result(path: Path, result: SystemResult, about: Mapping[str, str | int]) -> None:
    """Write a result; `about` names the run that it comes from."""
    scopes = {
        name: {
            "notes": [[note.text, bool(note.systems)] for note in scored.notes],
            "values": {
                repr(measure): {query: round(value, DIGITS) for query, value in values.items()}
                for measure, values in scored.values.items()
            },
        }
        for name, scored in result.scopes.items()
    }
    facts = {name: value for name, value in result.facts.items() if name != "judged"}  # only coverage needs the charges
    facts["settings"] = {name: _without_path(value) for name, value in result.facts["settings"].items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(path) as file:
        file.write(json.dumps({**about, "facts": facts, "scopes": scopes}, ensure_ascii=False) + "\n")


def read_result(path: Path, expected: Mapping[str, str | int], measures: Iterable[Measure]) -> SystemResult | None:
    """Return a result; None if there is none, it is about something else, or it lacks a measure."""
    if not path.exists():
        return None
    row = read_object(path)
    if any(row.get(name) != value for name, value in expected.items()):
        return None
    with expect_shape(path, "the values of one system, as `lexgear reproduce` writes them"):
        system = str(row["system"])
        scopes = {
            name: Scored(
                {parse_measures(measure)[0]: values for measure, values in scored["values"].items()},
                [Note(text, (system,) if own else ()) for text, own in scored["notes"]],
            )
            for name, scored in row["scopes"].items()
        }
        result = SystemResult(row["facts"], scopes, int(row["seed"]))
    known = {measure for scored in scopes.values() for measure in scored.values}
    return result if known >= {one for one in measures if one.name != "coverage_judgment"} else None


def start_of(facts: Facts) -> str | None:
    """Return what the model of a row started from; None if it has no model.

    >>> start_of({"settings": {"backbone": "build/encoders/bge"}}), start_of({"settings": {"k1": 1.5}})
    ('bge', None)
    """
    if START not in facts["settings"]:
        return None
    backbone = str(facts["settings"][START])
    return {"": SCRATCH, "shipped": BASE}.get(backbone, Path(backbone).name)


def _without_path(value: object) -> object:
    """Return a setting; of a directory, which only its machine knows, the name alone."""
    return Path(value).name if isinstance(value, str) and "/" in value and Path(value).is_dir() else value
