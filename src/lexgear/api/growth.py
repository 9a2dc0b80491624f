"""Additions to and removals from an index whose ranker keeps its documents in segments."""

from __future__ import annotations

from collections.abc import Collection as Ids
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lexgear.corpus.records import Collection, Document
from lexgear.index.catalogue import Catalogue
from lexgear.index.catalogue_writing import merge_catalogues, write_catalogue
from lexgear.index.manifest import SegmentEntry
from lexgear.index.segments import KeptSegment, NewSegment, is_mostly_removed, merge_groups, update_segments
from lexgear.index.store import StoredIndex
from lexgear.progress import Progress
from lexgear.rankers.segmented import SegmentedRanker

Grown = TypeVar("Grown", bound=SegmentedRanker)


@dataclass(frozen=True)
class _Segment:
    """A segment of the changed index: as the ranker has it, and where its documents are."""

    features: Any
    entry: SegmentEntry | None
    """Its entry in the manifest; None if it is new or of an earlier format."""
    catalogue: Path | None = None
    documents: Sequence[Document] = ()
    """New documents, which are in no catalogue yet."""
    is_changed: bool = False
    """True if documents were removed from it now."""

    @property
    def live(self) -> int:
        return len(self.features) - len(self.features.removed)


def changed_index(
    stored: StoredIndex,
    ranker: Grown,
    handle: int,
    removed: Ids[str],
    new: Collection,
    *,
    compact: bool = False,
    progress: Progress,
) -> tuple[StoredIndex, Grown]:
    """Write an index without some documents and with new ones; return it with its ranker.

    With `compact`, all segments become one. An index of an earlier format is written as one segment, once.
    """
    entries: Sequence[SegmentEntry | None] = stored.manifest.segments or [None]
    segments = []
    for entry, features, catalogue in zip(entries, ranker.segments, stored.catalogue.parts, strict=True):
        gone = sorted(catalogue.positions(list(removed)).values()) if removed else []
        left = features.without(gone) if gone else features
        segments.append(_Segment(left, entry, catalogue.path, is_changed=bool(gone)))
    if new.documents:
        segments.append(_Segment(ranker.read_segment(new, progress), None, documents=new.documents))
    segments = [one for one in segments if one.live]
    earlier = not stored.manifest.segments
    compact = compact or earlier
    groups = _groups(segments, compact=compact)
    merged = [_merged(group, compact=compact) for group in groups]
    writes = [_write(group, features) for group, features in zip(groups, merged, strict=True)]
    update_segments(stored, handle, writes, ranker.save_learnt if earlier else None)
    return StoredIndex(stored.directory), ranker.with_segments(merged, progress)


def _groups(segments: Sequence[_Segment], *, compact: bool) -> list[list[_Segment]]:
    """Return which segments become one."""
    if compact:
        return [list(segments)]
    ranges = merge_groups([one.live for one in segments], [len(one.features.removed) for one in segments])
    return [[segments[at] for at in group] for group in ranges]


def _merged(group: Sequence[_Segment], *, compact: bool) -> Any:
    """Return the features of one segment, or of several merged ones, without removed documents."""
    [first, *others] = group
    removed = len(first.features.removed)
    if others or (removed and (compact or is_mostly_removed(first.live, removed))):
        return type(first.features).merged([one.features for one in group])
    return first.features


def _write(group: Sequence[_Segment], features: Any) -> NewSegment | KeptSegment:
    [first, *others] = group
    if others or first.entry is None or features is not first.features:
        return NewSegment(len(features), features.save, lambda path: _write_catalogue(path, group))
    if not first.is_changed:
        return KeptSegment(first.entry)
    return KeptSegment(first.entry, first.features.removed.tolist(), first.features.save_removed)


def _write_catalogue(path: Path, group: Sequence[_Segment]) -> None:
    """Write the catalogue of a merged segment; documents that are stored already are copied as they are."""
    if all(one.catalogue is None for one in group):
        write_catalogue(path, [document for one in group for document in one.documents])
        return
    catalogues, temporary = [], []
    for one in group:
        place = one.catalogue
        if place is None:
            place = path.with_name(f"{path.name}.new")
            temporary.append(place)
            write_catalogue(place, one.documents)
        catalogues.append(Catalogue(place, one.features.removed.tolist()))
    merge_catalogues(path, catalogues)
    for catalogue in catalogues:
        catalogue.close()
    for place in temporary:
        place.unlink()
