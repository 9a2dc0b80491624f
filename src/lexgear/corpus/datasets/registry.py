"""Table of the data sets by name, extended by the entry points of the group `lexgear.datasets`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from pathlib import Path
from typing import TypeAlias

from lexgear.corpus.datasets.closed_pool import POOLS, closed_pool, pool_rule
from lexgear.corpus.records import Collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.progress import Progress, silent
from lexgear.registry import BuiltIn, Registry

Reader: TypeAlias = Callable[..., Collection]
"""Reads a data set from a file or directory: `reader(path, skipped, progress)`.

Unusable records are added to the skipped records. The reader of a data set that has several sources also takes the
keyword argument `sources`, a sequence of their names.
"""

_PACKAGE = "lexgear.corpus.datasets"


def _row(target: str, summary: str) -> BuiltIn:
    return BuiltIn(f"{_PACKAGE}.{target}", summary)


DATASETS: Registry[Reader] = Registry(
    "data set",
    "lexgear.datasets",
    {
        "lecard": _row("lecard:read_lecard", "LeCaRD: similar cases, Chinese criminal law"),
        "lecardv2": _row("lecardv2:read_lecardv2", "LeCaRDv2: similar cases, Chinese criminal law"),
        "elam": _row("elam:read_elam", "ELAM: pairs of cases with rationales, Chinese criminal law"),
        "bsard": _row("bsard:read_bsard", "BSARD: questions of citizens and Belgian statutory articles, French"),
        "stard": _row("stard:read_stard", "STARD: questions of citizens and Chinese statutory articles"),
        "cail2018": _row("cail2018:read_cail2018", "CAIL2018: facts of Chinese criminal cases with charges"),
        "servicepublic": _row(
            "servicepublic:read_servicepublic", "servicepublic: administrative questions and French code articles"
        ),
        "cases-zh": _row("cases_zh:read_cases_zh", "cases-zh: facts of Chinese criminal cases with rarer charges"),
        "legislation": _row("legislation:read_legislation", "statutes as text files, in versions with their dates"),
        "jsonl": _row(
            "jsonl:read_user_documents", "your own documents as JSON lines, with queries and labels if there are any"
        ),
    },
    lambda name, loaded: "" if callable(loaded) else "is not callable",
)


def read_collection(
    name: str,
    source: Path,
    skipped: SkippedRecords,
    progress: Progress = silent,
    sources: Sequence[str] = (),
    pool: str = "all",
) -> Collection:
    """Read a data set by name from a file or directory in one of its layouts.

    `sources` chooses among the sources of a data set that has several; empty means its default. `pool` is `all`, or
    `closed` for the candidates that GEAR's authors rank.
    """
    if pool not in POOLS:
        raise InputError(f"no pool named {pool!r}", code=ErrorCode.USAGE, remedy=f"choose from {', '.join(POOLS)}")
    rule = pool_rule(name) if pool == "closed" else None
    collection = _read(name, source, skipped, progress, sources)
    return closed_pool(collection, rule) if rule else collection


def _read(name: str, source: Path, skipped: SkippedRecords, progress: Progress, sources: Sequence[str]) -> Collection:
    reader = DATASETS[name]
    if not source.exists():
        documented = name != "jsonl" and DATASETS.entries[name].origins == ("lexgear",)
        raise InputError(
            "no such file or directory",
            code=ErrorCode.FILE_MISSING,
            file=source,
            remedy="docs/datasets.md says how to get it" if documented else "check the path",
        )
    if not sources:
        return reader(source, skipped, progress)
    if "sources" not in signature(reader).parameters:
        raise InputError(
            f"the data set {name} does not have several sources", code=ErrorCode.USAGE, remedy="read it without sources"
        )
    return reader(source, skipped, progress, sources=sources)
