"""Index directories: immutable parts, and the manifest that describes them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from lexgear.atomic import atomic_directory, atomic_update
from lexgear.corpus.records import Collection, Document
from lexgear.corpus.store import read_law
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory, PrefixedDirectory, write_json_list
from lexgear.index.catalogue import PART as CATALOGUE
from lexgear.index.catalogue import Catalogue, StoredRow
from lexgear.index.catalogue_writing import write_catalogue
from lexgear.index.manifest import (
    FOLDER,
    FORMAT,
    LAW,
    MANIFEST,
    MARKER,
    REBUILD,
    Manifest,
    SegmentEntry,
    SegmentParts,
    check_part,
    describe_part,
    manifest_text,
    read_manifest,
)
from lexgear.index.segmented_catalogue import SegmentedCatalogue
from lexgear.law.tree import LawTree
from lexgear.progress import Progress, silent

MAX_FAILURES = 3
"""Readings that fail in a row, with the same manifest before and after, until an index counts as damaged."""
T = TypeVar("T")
REMOVED = "removed.npy"
"""Positions of the documents that were removed from a segment."""
CHECKED_ON_LOAD = 1 << 24
"""Bytes of the largest part whose checksum is verified on loading (16 MiB take 10 ms); of others the size is."""


def write_index(  # noqa: PLR0913
    directory: Path,
    collection: Collection,
    *,
    ranker: str,
    settings: Mapping[str, Any],
    keeps_names: bool,
    save_ranker: Callable[[Path], None],
    save_segment: Callable[[Path], None] | None = None,
    progress: Progress = silent,
) -> Manifest:
    """Write a new index atomically: the ranker's parts, the law, the catalogue and the manifest.

    With `save_segment` the documents are a segment, to which others can be added.
    """
    with atomic_directory(directory, MARKER) as temporary:
        save_ranker(temporary)
        write_json_list(temporary / LAW, collection.law.to_rows())
        learnt = {path.name for path in temporary.iterdir()}
        if save_segment is not None:
            save_segment(temporary)
        write_catalogue(temporary / CATALOGUE, collection.documents, progress)
        parts = {path.name: describe_part(path) for path in sorted(temporary.iterdir())}
        documents = {name: part for name, part in parts.items() if name not in learnt}
        segment = SegmentEntry(SegmentParts("", "", len(collection.documents), documents))
        manifest = Manifest(
            format=FORMAT,
            lexgear=version("lexgear"),
            ranker=ranker,
            settings=settings,
            collection=collection.name,
            language=collection.language,
            documents=len(collection.documents),
            parts={name: part for name, part in parts.items() if name in learnt or save_segment is None},
            keeps_names=keeps_names,
            segments=() if save_segment is None else (segment,),
        )
        (temporary / MANIFEST).write_text(manifest_text(asdict(manifest)), encoding="utf-8")
    return manifest


def update_index(
    stored: StoredIndex,
    handle: int,
    documents: Sequence[Document],
    *,
    rows: Mapping[str, StoredRow],
    save_ranker: Callable[[Path], None],
    progress: Progress = silent,
) -> Manifest:
    """Write all parts that a change of documents affects into a new folder, then replace the manifest.

    Parts that stay the same are linked into the folder. If the process is killed, either the old or the new index
    remains, and the next change removes the files that are not needed. Processes that have the old index open can go
    on reading it. `handle` is the locked index directory (`atomic.locked_directory`); `rows` are the documents of
    the old catalogue that stay.
    """
    directory, old = stored.directory, stored.manifest
    sweep(handle, old)
    folder = next_folder(old)
    with atomic_update(directory, handle, folder, MANIFEST) as new:
        save_ranker(new)
        write_catalogue(new / CATALOGUE, documents, progress, rows)
        parts = {path.name: describe_part(path) for path in new.iterdir()}
        for name in old.parts.keys() - parts.keys():
            link(stored.parts / name, new / name)
        manifest = replace(
            old,
            format=FORMAT,
            lexgear=version("lexgear"),
            documents=len(documents),
            parts=dict(sorted({**old.parts, **parts}.items())),
            folder=folder,
        )
        (new / MANIFEST).write_text(manifest_text(asdict(manifest)), encoding="utf-8")
    sweep(handle, manifest)
    return manifest


class StoredIndex:
    """Index directory opened for reading: manifest, catalogue and the folder of parts."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.manifest = read_manifest(directory)
        self.parts = directory / self.manifest.folder
        if not self.manifest.segments:
            self.catalogue = SegmentedCatalogue([Catalogue(self.parts / CATALOGUE)])
        else:
            self.catalogue = SegmentedCatalogue([self._catalogue(one) for one in self.manifest.segments])

    def place(self, group: SegmentParts) -> PartsDirectory:
        """Return where the files of a segment, or of what was removed from it, are."""
        return PrefixedDirectory(self.directory / group.folder, group.prefix)

    def _catalogue(self, segment: SegmentEntry) -> Catalogue:
        removed = []
        if segment.removed is not None:
            path = self.place(segment.removed) / REMOVED
            removed = _removed(path, segment.stored.documents)
            if len(removed) != segment.removed.documents:
                raise _unfit(path)
        catalogue = Catalogue(self.place(segment.stored) / CATALOGUE, removed)
        if catalogue.size != segment.stored.documents:
            raise self._other_number(catalogue.size, segment.stored.documents, catalogue.path)
        return catalogue

    def law(self) -> LawTree:
        """Read the law of the index.

        Changes of documents keep the law but may move it to another folder.
        """
        return read_consistently(
            self.directory, lambda: read_law(self.directory / read_manifest(self.directory).folder / LAW)
        )

    def check(self, progress: Callable[[str], None] = lambda name: None, largest: int | None = None) -> None:
        """Verify size and checksum of every part; raise `InputError` for the first that is damaged.

        Of parts larger than `largest` bytes, only the size is verified.
        """
        for folder, name, part in self.manifest.files():
            progress(name)
            check_part(self.directory / folder / name, part, largest)
        if len(self.catalogue) != self.manifest.documents:
            raise self._other_number(len(self.catalogue), self.manifest.documents, self.catalogue.path)

    def _other_number(self, found: int, expected: int, path: Path) -> InputError:
        problem = f"{found} documents, but the manifest says {expected}"
        return InputError(problem, code=ErrorCode.INDEX_DAMAGED, file=path, remedy=REBUILD)


def _removed(path: Path, documents: int) -> list[int]:
    """Read the positions of the documents that were removed from a segment of so many documents."""
    try:
        positions = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise _unfit(path) from error
    if positions.dtype != np.int64 or positions.ndim != 1 or np.any((positions < 0) | (positions >= documents)):
        raise _unfit(path)
    found: list[int] = np.unique(positions).tolist()
    return found


def _unfit(path: Path) -> InputError:
    problem = "the list of removed documents does not fit the segment"
    return InputError(problem, code=ErrorCode.INDEX_DAMAGED, file=path, remedy=REBUILD)


def read_consistently(directory: Path, read: Callable[[], T]) -> T:
    """Return what `read` returns; call it again if it fails because another process changed the index meanwhile.

    Documents that are added and removed again leave the same manifest, so an equal one does not prove that nothing
    changed: the reading must fail several times in a row.
    """
    failures = 0
    while True:
        before = read_manifest(directory)
        try:
            return read()
        except Exception:
            failures = failures + 1 if read_manifest(directory) == before else 0
            if failures == MAX_FAILURES:
                raise


def next_folder(manifest: Manifest) -> str:
    """Return the name of a new folder of parts."""
    folders = [manifest.folder, *(folder for folder, _, _ in manifest.files())]
    numbers = [int(found[1]) for name in folders if (found := FOLDER.fullmatch(name))]
    return f"parts.{max(numbers, default=0) + 1}"


def sweep(handle: int, manifest: Manifest) -> None:
    """Remove files that do not belong to the manifest: of an earlier index, or of a change that was killed.

    Everything is addressed through the locked directory, so that another index that was moved to the same path in the
    meantime is not touched.
    """
    files = {(folder, name) for folder, name, _ in manifest.files()}
    folders, names = {folder for folder, _ in files}, manifest.file_names()
    with os.scandir(handle) as found:
        entries = [entry.name for entry in found]
    for entry in entries:
        if FOLDER.fullmatch(entry) and entry not in folders:
            shutil.rmtree(entry, ignore_errors=True, dir_fd=handle)
        elif entry in folders:
            _sweep_folder(handle, entry, {name for folder, name in files if folder == entry})
        elif entry in names and ("", entry) not in files:
            with suppress(OSError):
                os.unlink(entry, dir_fd=handle)


def _sweep_folder(handle: int, folder: str, kept: set[str]) -> None:
    with suppress(OSError):
        inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
        try:
            with os.scandir(inside) as entries:
                stale = [entry.name for entry in entries if entry.name not in kept]
            for name in stale:
                os.unlink(name, dir_fd=inside)
        finally:
            os.close(inside)


def link(old: Path, new: Path) -> None:
    """Link a file under another name; copy it if the file system has no links."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)
