"""The manifest of an index: format version, settings, and size and sha256 of every part."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexgear.atomic import DirectoryMarker
from lexgear.errors import InputError
from lexgear.files import parse_json, read_text, unreadable_file_error
from lexgear.index.catalogue import PART as CATALOGUE

FORMAT = 2
"""Grows when an older lexgear could no longer read what is written. Format 1 knew no folders."""
MANIFEST = "manifest.json"
MARKER = DirectoryMarker(MANIFEST, '"lexgear"')
LAW = "law.json"
SEAL = "sha256"
"""Field of the manifest: the checksum of the manifest itself, written without it."""
_TEXTS = dict.fromkeys(("lexgear", "ranker", "collection", "language"), str)
_FIELDS = {"format": int, **_TEXTS, "folder": str, "settings": dict, "documents": int, "parts": dict}
_PART_FIELDS = {"sha256": str, "size": int}
REBUILD = "build the index again"
FOLDER = re.compile(r"parts\.([0-9]+)")


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
    folder: str = ""
    """Where in the index the parts lie: beside the manifest, or since documents came or went in a folder of it."""


def sealed(fields: Mapping[str, Any]) -> str:
    """The text of a manifest, with its own checksum as the last field."""
    text = json.dumps({**fields, SEAL: ""}, ensure_ascii=False, indent=2) + "\n"
    return f'"{_sha256(text)}"'.join(text.rsplit('""', 1))


def read_manifest(directory: Path) -> Manifest:
    """The manifest of an index, checked for version, damage and shape."""
    path = directory / MANIFEST
    if not directory.is_dir():
        raise InputError("no such index", file=directory, remedy="build one with lexgear train")
    if not path.is_file():
        raise InputError(
            "not a lexgear index: it has no manifest.json", file=directory, remedy="name a directory lexgear train made"
        )
    text = read_text(path)  # once: a moment later it may be another
    fields = parse_json(text, path)
    written = fields.get("format") if isinstance(fields, dict) else None
    if type(written) is not int or written < 1:
        raise InputError("not a lexgear manifest", file=path, remedy=REBUILD)
    if written > FORMAT:
        raise InputError(
            f"written in format {written}, this lexgear reads up to {FORMAT}",
            file=path,
            remedy="upgrade lexgear",
        )
    seal = fields.pop(SEAL, None)
    if not isinstance(seal, str) or _sha256(text.replace(seal, "", 1)) != seal:
        raise InputError("damaged manifest: it does not match its own checksum", file=path, remedy=REBUILD)
    return _manifest(fields, path)


def check_part(path: Path, part: Part) -> None:
    """Raises where a part is missing, cut short or changed."""
    if not path.is_file():
        raise InputError("part is missing", file=path, remedy=REBUILD)
    try:
        found = part_of(path)
    except OSError as error:
        raise unreadable_file_error(path, error) from error
    if found != part:
        how = "has another size than" if found.size != part.size else "does not match"
        raise InputError(f"damaged: it {how} its entry in the manifest", file=path, remedy=REBUILD)


def _manifest(fields: dict[str, Any], path: Path) -> Manifest:
    """The manifest from its fields, each of which has to be there and of its type."""
    problem = InputError("not the manifest of an index", file=path, remedy=REBUILD)
    if fields["format"] == 1:
        fields = {**fields, "folder": ""}
    if not _typed(fields, _FIELDS):
        raise problem
    parts, folder = fields["parts"], fields["folder"]
    if folder and not FOLDER.fullmatch(folder):
        raise problem
    if not {LAW, CATALOGUE} <= parts.keys() or any(name != Path(name).name for name in parts):
        raise problem
    if not all(_typed(part, _PART_FIELDS) for part in parts.values()):
        raise problem
    return Manifest(**fields | {"parts": {name: Part(**part) for name, part in parts.items()}})


def _typed(fields: Any, types: Mapping[str, type]) -> bool:
    return isinstance(fields, dict) and {name: type(value) for name, value in fields.items()} == types


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def part_of(path: Path) -> Part:
    """Return size and checksum of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return Part(digest.hexdigest(), path.stat().st_size)
