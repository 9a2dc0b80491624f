"""Changes of the documents of an index: new segments, lists of removed documents, and one new manifest.

Nothing is written but what changes. Segments are never changed: a document that is removed is listed beside its
segment, and disappears when segments are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path

import numpy as np

from lexgear.atomic import atomic_update
from lexgear.files import PartsDirectory, PrefixedDirectory
from lexgear.index.catalogue import PART as CATALOGUE
from lexgear.index.manifest import (
    FORMAT,
    MANIFEST,
    Manifest,
    Part,
    SegmentEntry,
    SegmentParts,
    describe_part,
    manifest_text,
)
from lexgear.index.store import REMOVED, StoredIndex, link, next_folder, sweep

MERGE_FACTOR = 8
"""Segments of one size class that are merged; the next size class holds this many times more documents."""


@dataclass(frozen=True)
class NewSegment:
    """A segment to write."""

    documents: int
    save: Callable[[PartsDirectory], None]
    write_catalogue: Callable[[Path], None]


@dataclass(frozen=True)
class KeptSegment:
    """A segment that stays; if `removed` is given, these are all its removed documents by position."""

    entry: SegmentEntry
    removed: Sequence[int] | None = None
    save_removed: Callable[[PartsDirectory], None] = lambda directory: None


def update_segments(
    stored: StoredIndex,
    handle: int,
    segments: Sequence[NewSegment | KeptSegment],
    save_learnt: Callable[[Path], None] | None = None,
) -> Manifest:
    """Write what is new into a new folder, then replace the manifest.

    `handle` is the locked index directory. If the process is killed, either the old or the new index remains, and the
    next change removes the files that are not needed. Processes that have the old index open can go on reading it.
    `save_learnt` is for an index of an earlier format: it writes learnt parts, and the others are linked.
    """
    directory, old = stored.directory, stored.manifest
    sweep(handle, old)
    folder = next_folder(old)
    with atomic_update(directory, handle, folder, MANIFEST) as new:
        manifest = replace(old, format=FORMAT, lexgear=version("lexgear"))
        if save_learnt is not None:
            save_learnt(new)
            learnt = _described(new, "")
            kept = [name for name in old.parts if name not in learnt and name not in _OF_DOCUMENTS]
            for name in kept:
                link(stored.parts / name, new / name)
            parts = {**learnt, **{name: old.parts[name] for name in kept}}
            manifest = replace(manifest, folder=folder, parts=dict(sorted(parts.items())))
        before = {path.name for path in new.iterdir()}
        entries = [_write(one, new, number, before) for number, one in enumerate(segments)]
        manifest = replace(manifest, segments=tuple(entries), documents=sum(one.live for one in entries))
        (new / MANIFEST).write_text(manifest_text(asdict(manifest)), encoding="utf-8")
    sweep(handle, manifest)
    return manifest


_OF_DOCUMENTS = frozenset(
    {CATALOGUE, "docids.npz", "words.npz", "facts.npz", "law-words.npz", "vectors.npy", "concept-vectors.npy"}
)
"""Parts of documents in earlier formats."""


def _write(one: NewSegment | KeptSegment, new: Path, number: int, before: set[str]) -> SegmentEntry:
    """Write a segment, or the list of what was removed from one, and return its entry in the manifest."""
    prefix = f"segment.{number}-" if isinstance(one, NewSegment) else f"removed.{number}-"
    place = PrefixedDirectory(new, prefix)
    if isinstance(one, NewSegment):
        one.save(place)
        one.write_catalogue(place / CATALOGUE)
        return SegmentEntry(SegmentParts(new.name, prefix, one.documents, _described(new, prefix)))
    if one.removed is None:
        return one.entry
    one.save_removed(place)
    np.save(place / REMOVED, np.array(sorted(one.removed), dtype=np.int64), allow_pickle=False)
    removed = SegmentParts(new.name, prefix, len(one.removed), _described(new, prefix))
    return SegmentEntry(one.entry.stored, removed)


def _described(new: Path, prefix: str) -> dict[str, Part]:
    paths = [path for path in sorted(new.iterdir()) if path.name.startswith(prefix)]
    return {path.name: describe_part(path) for path in paths}


def merge_groups(live: Sequence[int], removed: Sequence[int]) -> list[range]:
    """Return which adjacent segments become one, given their numbers of live and removed documents.

    The last segments are merged if at least `MERGE_FACTOR` of them belong to a size class or to smaller ones; a segment
    more than half of which was removed is written again. One by one, n documents are written about log n times each.

    >>> merge_groups([1000, 60, 1, 1, 1, 1, 1, 1, 1, 1], [0] * 10)
    [range(0, 1), range(1, 2), range(2, 10)]
    """
    classes = [_size_class(count) for count in live]
    first = len(live)
    for largest in sorted(set(classes)):
        run = len(live)
        while run and classes[run - 1] <= largest:
            run -= 1
        if len(live) - run >= MERGE_FACTOR:
            first = run
            break
    groups = [range(at, at + 1) for at in range(first)]
    return groups + ([range(first, len(live))] if first < len(live) else [])


def is_mostly_removed(live: int, removed: int) -> bool:
    """Return whether a segment should be written again without its removed documents."""
    return removed > live


def _size_class(documents: int) -> int:
    """Return how often a number of documents can be divided by the merge factor."""
    size = 0
    while documents >= MERGE_FACTOR:
        documents //= MERGE_FACTOR
        size += 1
    return size
