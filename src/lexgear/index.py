"""What lies on disk: a directory of immutable parts and a manifest that vouches for each of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lexgear import __version__
from lexgear.catalogue import PART as CATALOGUE
from lexgear.catalogue import Catalogue, write_catalogue
from lexgear.corpus.records import Collection
from lexgear.errors import InputError
from lexgear.files import dumps, read_json, whole_directory
from lexgear.law.tree import LawTree
from lexgear.progress import Progress, silent

FORMAT = 1
"""Grows when an older lexgear could no longer read what is written."""
MANIFEST = "manifest.json"
LAW = "law.json"


@dataclass(frozen=True, slots=True)
class Part:
    """What a file of the index must be."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything one must know before reading a part."""

    format: int
    lexgear: str
    """Version that wrote it."""
    ranker: str
    settings: Mapping[str, Any]
    collection: str
    language: str
    documents: int
    parts: Mapping[str, Part]


def write_index(
    directory: Path,
    collection: Collection,
    *,
    ranker: str,
    settings: Mapping[str, Any],
    save_ranker: Callable[[Path], None],
    progress: Progress = silent,
) -> Manifest:
    """Writes an index whole: the ranker's parts, the law, the catalogue, and last the manifest."""
    with whole_directory(directory) as temporary:
        save_ranker(temporary)
        rows = ",\n".join(dumps(row) for row in collection.law.to_rows())
        (temporary / LAW).write_text(f"[\n{rows}\n]\n", encoding="utf-8")
        write_catalogue(temporary / CATALOGUE, collection.documents, progress)
        parts = {path.name: _part(path) for path in sorted(temporary.iterdir())}
        manifest = Manifest(
            format=FORMAT,
            lexgear=__version__,
            ranker=ranker,
            settings=settings,
            collection=collection.name,
            language=collection.language,
            documents=len(collection.documents),
            parts=parts,
        )
        text = json.dumps(asdict(manifest), ensure_ascii=False, indent=2)
        (temporary / MANIFEST).write_text(text + "\n", encoding="utf-8")
    return manifest


class StoredIndex:
    """An index on disk, opened for reading: manifest and catalogue at hand, parts checked when asked for."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.manifest = read_manifest(directory)
        self.catalogue = Catalogue(directory / CATALOGUE)

    def law(self) -> LawTree:
        """The law of the index."""
        return LawTree.from_rows(read_json(self.directory / LAW))

    def check(self, progress: Callable[[str], None] = lambda name: None) -> None:
        """Verifies size and checksum of every part; says which one is damaged."""
        for name, part in self.manifest.parts.items():
            progress(name)
            check_part(self.directory / name, part)

    def check_ranker_parts(self) -> None:
        """Verifies the parts that a ranker is about to load; the catalogue reports damage when it is read."""
        for name, part in self.manifest.parts.items():
            if name != CATALOGUE:
                check_part(self.directory / name, part)


def read_manifest(directory: Path) -> Manifest:
    """The manifest of an index, checked for shape and version."""
    path = directory / MANIFEST
    if not directory.is_dir():
        raise InputError("no such index", file=directory, remedy="build one with lexgear train")
    if not path.is_file():
        raise InputError("not a lexgear index: it has no manifest.json", file=directory)
    value = read_json(path)
    version = value.get("format") if isinstance(value, dict) else None
    if not isinstance(version, int):
        raise InputError("not a lexgear manifest", file=path, remedy="build the index again")
    if version > FORMAT:
        raise InputError(
            f"written in format {version}, this lexgear reads up to {FORMAT}",
            file=path,
            remedy="upgrade lexgear",
        )
    try:
        parts = {name: Part(**part) for name, part in value.pop("parts").items()}
        return Manifest(**value, parts=parts)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError("damaged manifest", file=path, remedy="build the index again") from error


def check_part(path: Path, part: Part) -> None:
    """Raises where a part is missing, cut short or changed."""
    if not path.is_file():
        raise InputError("part is missing", file=path, remedy="build the index again")
    found = _part(path)
    if found != part:
        how = "has another size than" if found.size != part.size else "does not match"
        raise InputError(f"damaged: it {how} its entry in the manifest", file=path, remedy="build the index again")


def _part(path: Path) -> Part:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return Part(digest.hexdigest(), path.stat().st_size)
