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

from lexgear.atomic import atomic_directory, atomic_update
from lexgear.corpus.records import Collection, Document
from lexgear.corpus.store import read_law
from lexgear.errors import ErrorCode, InputError
from lexgear.files import write_json_list
from lexgear.index.catalogue import PART as CATALOGUE
from lexgear.index.catalogue import Catalogue, StoredRow, write_catalogue
from lexgear.index.manifest import (
    FOLDER,
    FORMAT,
    LAW,
    MANIFEST,
    MARKER,
    REBUILD,
    Manifest,
    check_part,
    describe_part,
    manifest_text,
    read_manifest,
)
from lexgear.law.tree import LawTree
from lexgear.progress import Progress, silent

T = TypeVar("T")


def write_index(
    directory: Path,
    collection: Collection,
    *,
    ranker: str,
    settings: Mapping[str, Any],
    keeps_names: bool,
    save_ranker: Callable[[Path], None],
    progress: Progress = silent,
) -> Manifest:
    """Write a new index atomically: the ranker's parts, the law, the catalogue and the manifest."""
    with atomic_directory(directory, MARKER) as temporary:
        save_ranker(temporary)
        write_json_list(temporary / LAW, collection.law.to_rows())
        write_catalogue(temporary / CATALOGUE, collection.documents, progress)
        parts = {path.name: describe_part(path) for path in sorted(temporary.iterdir())}
        manifest = Manifest(
            format=FORMAT,
            lexgear=version("lexgear"),
            ranker=ranker,
            settings=settings,
            collection=collection.name,
            language=collection.language,
            documents=len(collection.documents),
            parts=parts,
            keeps_names=keeps_names,
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
    """Write the parts that a change of documents affects into a new folder, then replace the manifest.

    Parts that stay the same are linked into the folder. If the process is killed, either the old or the new index
    remains, and the next change removes the files that are not needed. Processes that have the old index open can go
    on reading it. `handle` is the locked index directory (`atomic.locked_directory`); `rows` are the documents of
    the old catalogue that stay.
    """
    directory, old = stored.directory, stored.manifest
    _remove_stale_parts(handle, old)
    number = FOLDER.fullmatch(old.folder)
    folder = f"parts.{int(number[1]) + 1 if number else 1}"
    with atomic_update(directory, handle, folder, MANIFEST) as new:
        save_ranker(new)
        write_catalogue(new / CATALOGUE, documents, progress, rows)
        parts = {path.name: describe_part(path) for path in new.iterdir()}
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
        (new / MANIFEST).write_text(manifest_text(asdict(manifest)), encoding="utf-8")
    _remove_stale_parts(handle, manifest)
    return manifest


class StoredIndex:
    """Index directory opened for reading: manifest, catalogue and the folder of parts."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.manifest = read_manifest(directory)
        self.parts = directory / self.manifest.folder
        self.catalogue = Catalogue(self.parts / CATALOGUE)

    def law(self) -> LawTree:
        """Read the law of the index.

        Changes of documents keep the law but may move it to another folder.
        """
        return read_consistently(
            self.directory, lambda: read_law(self.directory / read_manifest(self.directory).folder / LAW)
        )

    def check(self, progress: Callable[[str], None] = lambda name: None) -> None:
        """Verify size and checksum of every part; raise `InputError` for the first that is damaged.

        Loading an index does this too: a catalogue of 70 MB takes a tenth of a second.
        """
        for name, part in self.manifest.parts.items():
            progress(name)
            check_part(self.parts / name, part)
        if len(self.catalogue) != self.manifest.documents:
            raise InputError(
                f"{len(self.catalogue)} documents, but the manifest says {self.manifest.documents}",
                code=ErrorCode.INDEX_DAMAGED,
                file=self.parts / CATALOGUE,
                remedy=REBUILD,
            )


def read_consistently(directory: Path, read: Callable[[], T]) -> T:
    """Return what `read` returns; call it again if it fails because another process changed the index meanwhile."""
    while True:
        before = read_manifest(directory)
        try:
            return read()
        except Exception:
            if read_manifest(directory) == before:
                raise


def _remove_stale_parts(handle: int, manifest: Manifest) -> None:
    """Remove parts that do not belong to the manifest: of an earlier index, or of a change that was killed.

    The locked directory is addressed by its file descriptor: by its path, the parts of an index that has replaced it
    meanwhile would be removed.
    """
    for name in os.listdir(handle):
        if FOLDER.fullmatch(name) and name != manifest.folder:
            shutil.rmtree(name, ignore_errors=True, dir_fd=handle)
        elif manifest.folder and name in manifest.parts:
            with suppress(OSError):
                os.unlink(name, dir_fd=handle)


def _link(old: Path, new: Path) -> None:
    """Link a file under another name; copy it if the file system has no links."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)
