"""One table from the name of a data set to its reader: what `lexgear import NAME SOURCE` looks up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from lexgear.corpus.datasets.bsard import read_bsard
from lexgear.corpus.datasets.cail2018 import read_cail2018
from lexgear.corpus.datasets.elam import read_elam
from lexgear.corpus.datasets.jsonl import read_own
from lexgear.corpus.datasets.lecard import read_lecard
from lexgear.corpus.datasets.lecardv2 import read_lecardv2
from lexgear.corpus.datasets.stard import read_stard
from lexgear.corpus.records import Collection
from lexgear.corpus.skipped_records import Skips
from lexgear.errors import InputError
from lexgear.progress import Progress, silent

Reader: TypeAlias = Callable[[Path, Skips, Progress], Collection]

READERS: dict[str, Reader] = {
    "lecard": read_lecard,
    "lecardv2": read_lecardv2,
    "elam": read_elam,
    "bsard": read_bsard,
    "stard": read_stard,
    "cail2018": read_cail2018,
    "jsonl": read_own,
}


def read_collection(name: str, source: Path, skips: Skips, progress: Progress = silent) -> Collection:
    """Reads a data set by its name from a file or directory in one of its known layouts."""
    if name not in READERS:
        raise InputError(f"no reader for {name!r}", remedy=f"one of {', '.join(READERS)}")
    if not source.exists():
        remedy = "check the path" if name == "jsonl" else "docs/datasets.md says how to get it"
        raise InputError("no such file or directory", file=source, remedy=remedy)
    return READERS[name](source, skips, progress)
