"""An index on disk: a directory of immutable parts and the manifest that describes them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from lexgear.atomic import atomic_directory, atomic_update
from lexgear.corpus.records import Collection, Document
from lexgear.corpus.store import read_law
from lexgear.errors import InputError
from lexgear.files import write_json_list
from lexgear.index.catalogue import PART as CATALOGUE
from lexgear.index.catalogue import Catalogue, write_catalogue
from lexgear.index.manifest import (
    FOLDER,
    FORMAT,
    LAW,
    MANIFEST,
    MARKER,
    REBUILD,
    Manifest,
    check_part,
    part_of,
    read_manifest,
    sealed,
)
from lexgear.law.tree import LawTree
from lexgear.progress import Progress, silent

Made = TypeVar("Made")


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
    with atomic_directory(directory, MARKER) as temporary:
        save_ranker(temporary)
        write_json_list(temporary / LAW, collection.law.to_rows())
        write_catalogue(temporary / CATALOGUE, collection.documents, progress)
        parts = {path.name: part_of(path) for path in sorted(temporary.iterdir())}
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
    locked (`atomic.locked_directory`); `packed` are rows of the old catalogue that stay.
    """
    directory, old = stored.directory, stored.manifest
    _sweep(directory, old)
    number = FOLDER.fullmatch(old.folder)
    folder = f"parts.{int(number[1]) + 1 if number else 1}"
    with atomic_update(directory, handle, folder, MANIFEST) as new:
        save_ranker(new)
        write_catalogue(new / CATALOGUE, documents, progress, packed)
        parts = {path.name: part_of(path) for path in new.iterdir()}
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
            raise InputError(problem, file=self.parts / CATALOGUE, remedy=REBUILD)


def undisturbed(directory: Path, read: Callable[[], Made]) -> Made:
    """What is read of an index; read again where documents came or went meanwhile, and with them the old parts."""
    while True:
        before = read_manifest(directory)
        try:
            return read()
        except Exception:
            if read_manifest(directory) == before:
                raise


def _sweep(directory: Path, manifest: Manifest) -> None:
    """Removes the parts that are not the manifest's: of an index that was, or was to be when somebody killed it."""
    for path in directory.iterdir():
        if FOLDER.fullmatch(path.name) and path.name != manifest.folder:
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
