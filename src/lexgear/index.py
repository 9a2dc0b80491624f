"""What lies on disk: a directory of immutable parts and a manifest that vouches for each of them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from lexgear.catalogue import PART as CATALOGUE
from lexgear.catalogue import Catalogue, write_catalogue
from lexgear.corpus.records import Collection, Document
from lexgear.corpus.store import read_law
from lexgear.errors import InputError
from lexgear.files import json_of, read_text, unreadable, write_json_list
from lexgear.law.tree import LawTree
from lexgear.progress import Progress, silent
from lexgear.whole import Mark, whole_directory, whole_step

FORMAT = 2
"""Grows when an older lexgear could no longer read what is written. Format 1 knew no folders."""
MANIFEST = "manifest.json"
MARK = Mark(MANIFEST, '"lexgear"')
LAW = "law.json"
SEAL = "sha256"
"""Field of the manifest: the checksum of the manifest itself, written without it."""
_TEXTS = dict.fromkeys(("lexgear", "ranker", "collection", "language"), str)
_FIELDS = {"format": int, **_TEXTS, "folder": str, "settings": dict, "documents": int, "parts": dict}
_PART_FIELDS = {"sha256": str, "size": int}
_AGAIN = "build the index again"
Made = TypeVar("Made")
_FOLDER = re.compile(r"parts\.([0-9]+)")


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
    with whole_directory(directory, MARK) as temporary:
        save_ranker(temporary)
        write_json_list(temporary / LAW, collection.law.to_rows())
        write_catalogue(temporary / CATALOGUE, collection.documents, progress)
        parts = {path.name: _part(path) for path in sorted(temporary.iterdir())}
        manifest = Manifest(
            format=FORMAT,
            lexgear=version("lexgear"),
            ranker=ranker,
            settings=settings,
            collection=collection.name,
            language=collection.language,
            documents=len(collection.documents),
            parts=parts,
        )
        (temporary / MANIFEST).write_text(sealed(asdict(manifest)), encoding="utf-8")
    return manifest


def grow_index(
    stored: StoredIndex,
    handle: int,
    documents: Sequence[Document],
    *,
    packed: Mapping[str, bytes],
    save_ranker: Callable[[Path], None],
    progress: Progress = silent,
) -> Manifest:
    """Writes the parts that other documents change into a folder of their own, then replaces the manifest alone.

    What stays the same is linked there. Killed at any moment, this leaves the old index or the new one, and the next
    change removes what neither needs; whoever has the old one open goes on reading it. `handle` is the index,
    locked (`whole.changing`); `packed` are rows of the old catalogue that stay.
    """
    directory, old = stored.directory, stored.manifest
    _sweep(directory, old)
    number = _FOLDER.fullmatch(old.folder)
    folder = f"parts.{int(number[1]) + 1 if number else 1}"
    with whole_step(directory, handle, folder, MANIFEST) as new:
        save_ranker(new)
        write_catalogue(new / CATALOGUE, documents, progress, packed)
        parts = {path.name: _part(path) for path in new.iterdir()}
        for name in old.parts.keys() - parts.keys():
            _link(stored.parts / name, new / name)
        manifest = replace(
            old,
            format=FORMAT,
            lexgear=version("lexgear"),
            documents=len(documents),
            parts=dict(sorted({**old.parts, **parts}.items())),
            folder=folder,
        )
        (new / MANIFEST).write_text(sealed(asdict(manifest)), encoding="utf-8")
    _sweep(directory, manifest)
    return manifest


class StoredIndex:
    """An index on disk, opened for reading: manifest and catalogue at hand, parts checked when asked for."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.manifest = read_manifest(directory)
        self.parts = directory / self.manifest.folder
        self.catalogue = Catalogue(self.parts / CATALOGUE)

    def law(self) -> LawTree:
        """The law of the index; it stays when documents come and go, though perhaps no longer in the same folder."""
        return undisturbed(
            self.directory, lambda: read_law(self.directory / read_manifest(self.directory).folder / LAW)
        )

    def check(self, progress: Callable[[str], None] = lambda name: None) -> None:
        """Verifies size and checksum of every part; says which one is damaged.

        Done before every search, too: the 70 MB of a catalogue take a tenth of a second.
        """
        for name, part in self.manifest.parts.items():
            progress(name)
            check_part(self.parts / name, part)
        if len(self.catalogue) != self.manifest.documents:
            problem = f"{len(self.catalogue)} documents, the manifest says {self.manifest.documents}"
            raise InputError(problem, file=self.parts / CATALOGUE, remedy=_AGAIN)


def undisturbed(directory: Path, read: Callable[[], Made]) -> Made:
    """What is read of an index; read again where documents came or went meanwhile, and with them the old parts."""
    while True:
        before = read_manifest(directory)
        try:
            return read()
        except Exception:
            if read_manifest(directory) == before:
                raise


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
    fields = json_of(text, path)
    written = fields.get("format") if isinstance(fields, dict) else None
    if type(written) is not int or written < 1:
        raise InputError("not a lexgear manifest", file=path, remedy=_AGAIN)
    if written > FORMAT:
        raise InputError(
            f"written in format {written}, this lexgear reads up to {FORMAT}",
            file=path,
            remedy="upgrade lexgear",
        )
    seal = fields.pop(SEAL, None)
    if not isinstance(seal, str) or _sha256(text.replace(seal, "", 1)) != seal:
        raise InputError("damaged manifest: it does not match its own checksum", file=path, remedy=_AGAIN)
    return _manifest(fields, path)


def check_part(path: Path, part: Part) -> None:
    """Raises where a part is missing, cut short or changed."""
    if not path.is_file():
        raise InputError("part is missing", file=path, remedy=_AGAIN)
    try:
        found = _part(path)
    except OSError as error:
        raise unreadable(path, error) from error
    if found != part:
        how = "has another size than" if found.size != part.size else "does not match"
        raise InputError(f"damaged: it {how} its entry in the manifest", file=path, remedy=_AGAIN)


def _manifest(fields: dict[str, Any], path: Path) -> Manifest:
    """The manifest from its fields, each of which has to be there and of its type."""
    problem = InputError("not the manifest of an index", file=path, remedy=_AGAIN)
    if fields["format"] == 1:
        fields = {**fields, "folder": ""}
    if not _typed(fields, _FIELDS):
        raise problem
    parts, folder = fields["parts"], fields["folder"]
    if folder and not _FOLDER.fullmatch(folder):
        raise problem
    if not {LAW, CATALOGUE} <= parts.keys() or any(name != Path(name).name for name in parts):
        raise problem
    if not all(_typed(part, _PART_FIELDS) for part in parts.values()):
        raise problem
    return Manifest(**fields | {"parts": {name: Part(**part) for name, part in parts.items()}})


def _sweep(directory: Path, manifest: Manifest) -> None:
    """Removes the parts that are not the manifest's: of an index that was, or was to be when somebody killed it."""
    for path in directory.iterdir():
        if _FOLDER.fullmatch(path.name) and path.name != manifest.folder:
            shutil.rmtree(path, ignore_errors=True)
        elif manifest.folder and path.name in manifest.parts:
            with suppress(OSError):
                path.unlink()


def _link(old: Path, new: Path) -> None:
    """The same file under another name; a copy where the file system knows no links."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)


def _typed(fields: Any, types: Mapping[str, type]) -> bool:
    return isinstance(fields, dict) and {name: type(value) for name, value in fields.items()} == types


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _part(path: Path) -> Part:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return Part(digest.hexdigest(), path.stat().st_size)
