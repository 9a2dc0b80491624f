"""Manifest of an index: format version, settings, and size and SHA-256 of every part."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lexgear.atomic import DirectoryMarker
from lexgear.errors import ErrorCode, InputError
from lexgear.files import parse_json, read_text, unreadable_file_error
from lexgear.index.catalogue import PART as CATALOGUE
from lexgear.replacing import remedy_if_missing, restore_directory

FORMAT = 4
"""Raised when an older lexgear could not read what is written. Format 1 has no folders of parts; the words of formats 1
and 2 include person names; up to format 3 all documents are in one set of parts."""
MANIFEST = "manifest.json"
MARKER = DirectoryMarker(MANIFEST, '"lexgear"')
LAW = "law.json"
CHECKSUM = "sha256"
"""Field of the manifest with the checksum of the manifest itself, computed while the field is empty."""
_TEXTS = dict.fromkeys(("lexgear", "ranker", "collection", "language"), str)
_FIELDS = {
    "format": int,
    **_TEXTS,
    "folder": str,
    "settings": dict,
    "documents": int,
    "parts": dict,
    "keeps_names": bool,
    "segments": list,
}
_SEGMENT_FIELDS = {"folder": str, "prefix": str, "documents": int, "parts": dict}
_PART_FIELDS = {"sha256": str, "size": int}
SHARDS = "shards"
"""Field of the manifest of a sharded index, which lists the directories of the shards."""
REBUILD = "build the index again"
FOLDER = re.compile(r"parts\.([0-9]+)")
"""Folders of parts: `parts.1`, `parts.2`, …"""


@dataclass(frozen=True, slots=True)
class Part:
    """Expected checksum and size of a file of the index."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class SegmentParts:
    """Files of a segment, or of the list of documents that were removed from it."""

    folder: str
    """Folder of the files; empty if they are beside the manifest."""
    prefix: str
    """Beginning of the names of the files."""
    documents: int
    parts: Mapping[str, Part]


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """A segment: documents that are never changed, and those of them that were removed since."""

    stored: SegmentParts
    removed: SegmentParts | None = None

    @property
    def live(self) -> int:
        """Number of documents that were not removed."""
        return self.stored.documents - (self.removed.documents if self.removed else 0)


@dataclass(frozen=True, slots=True)
class Manifest:
    """Description of an index, read before any part."""

    format: int
    lexgear: str
    """Version of lexgear that wrote the index."""
    ranker: str
    settings: Mapping[str, Any]
    collection: str
    language: str
    documents: int
    parts: Mapping[str, Part]
    folder: str = ""
    """Folder of the parts: empty if they are beside the manifest, `parts.N` after they were written again."""
    keeps_names: bool = False
    """True if the ranker reads person names; otherwise it reads placeholders instead."""
    segments: tuple[SegmentEntry, ...] = ()
    """Segments in order of arrival; empty if the documents are among the parts."""

    def files(self) -> Iterator[tuple[str, str, Part]]:
        """Yield folder, name, checksum and size of every file of the index."""
        for name, part in self.parts.items():
            yield self.folder, name, part
        for segment in self.segments:
            for group in (segment.stored, segment.removed):
                if group is not None:
                    for name, part in group.parts.items():
                        yield group.folder, name, part

    def file_names(self) -> set[str]:
        """Return the names that files of this or an earlier version of the index have beside the manifest."""
        groups = [group for one in self.segments for group in (one.stored, one.removed) if group is not None]
        return set(self.parts).union(*({name.removeprefix(group.prefix) for name in group.parts} for group in groups))


def manifest_text(fields: Mapping[str, Any]) -> str:
    """Return the text of a manifest, with its own checksum as the last field."""
    text = json.dumps({**fields, CHECKSUM: ""}, ensure_ascii=False, indent=2) + "\n"
    return f'"{_sha256(text)}"'.join(text.rsplit('""', 1))


def read_manifest(directory: Path) -> Manifest:
    """Read the manifest of an index; raise `InputError` if it is missing, too new, damaged or incomplete.

    A directory of shards has the manifest of all of them together.
    """
    fields = read_fields(directory)
    if SHARDS in fields:
        from lexgear.index.shards import combined_manifest, shard_directories

        return combined_manifest(shard_directories(directory))
    return _manifest(fields, directory / MANIFEST)


def read_fields(directory: Path) -> dict[str, Any]:
    """Read the fields of a manifest; raise `InputError` if it is missing, too new or does not match its checksum."""
    path = directory / MANIFEST
    if not restore_directory(directory) or not directory.is_dir():
        remedy = remedy_if_missing(directory)
        raise InputError("no such index", code=ErrorCode.NOT_AN_INDEX, file=directory, remedy=remedy)
    if not path.is_file():
        raise InputError(
            "not an index: it has no manifest.json",
            code=ErrorCode.NOT_AN_INDEX,
            file=directory,
            remedy="give the directory of an index",
        )
    text = read_text(path)  # once only: another process may replace it at any time
    fields = parse_json(text, path)
    written = fields.get("format") if isinstance(fields, dict) else None
    if type(written) is not int or written < 1:
        raise InputError("not the manifest of an index", code=ErrorCode.NOT_AN_INDEX, file=path, remedy=REBUILD)
    if written > FORMAT:
        raise InputError(
            f"the index has format {written}, this version of lexgear reads formats up to {FORMAT}",
            code=ErrorCode.INDEX_TOO_NEW,
            file=path,
            remedy="upgrade lexgear",
            format=written,
        )
    checksum = fields.pop(CHECKSUM, None)
    if not isinstance(checksum, str) or _sha256(text.replace(checksum, "", 1)) != checksum:
        raise _damaged("the manifest is damaged: it does not match its own checksum", path)
    return dict(fields)


def check_part(path: Path, part: Part, largest: int | None = None) -> None:
    """Raise `InputError` if a part is missing, truncated or changed.

    Of parts larger than `largest` bytes, only the size is checked.
    """
    if not path.is_file():
        raise _damaged("this part of the index is missing", path)
    if largest is not None and part.size > largest and path.stat().st_size == part.size:
        return
    try:
        found = describe_part(path)
    except OSError as error:
        raise unreadable_file_error(path, error) from error
    if found != part:
        what = "size" if found.size != part.size else "checksum"
        raise _damaged(f"this part is damaged: its {what} is not that in the manifest", path)


def _manifest(fields: dict[str, Any], path: Path) -> Manifest:
    """Return the manifest of these fields; each must be present and of its type."""
    problem = InputError("not the manifest of an index", code=ErrorCode.NOT_AN_INDEX, file=path, remedy=REBUILD)
    if fields["format"] == 1:
        fields = {**fields, "folder": ""}
    if fields["format"] < 3:
        fields = {**fields, "keeps_names": True}
    if fields["format"] < 4:
        fields = {**fields, "segments": []}
    if not _has_types(fields, _FIELDS) or not _is_folder(fields["folder"]):
        raise problem
    parts, segments = _parts(fields["parts"]), [_segment(one) for one in fields["segments"]]
    needed = {LAW} if segments else {LAW, CATALOGUE}
    if parts is None or not needed <= parts.keys() or None in segments:
        raise problem
    return Manifest(**fields | {"parts": parts, "segments": tuple(segments)})


def _segment(fields: Any) -> SegmentEntry | None:
    """Return the segment of these fields; None if they make no sense."""
    if not isinstance(fields, dict) or fields.keys() != {"stored", "removed"}:
        return None
    stored = _segment_parts(fields["stored"])
    removed = _segment_parts(fields["removed"]) if fields["removed"] is not None else None
    if stored is None or f"{stored.prefix}{CATALOGUE}" not in stored.parts:
        return None
    if fields["removed"] is not None and (removed is None or not 0 < removed.documents <= stored.documents):
        return None
    return SegmentEntry(stored, removed)


def _segment_parts(fields: Any) -> SegmentParts | None:
    if not _has_types(fields, _SEGMENT_FIELDS) or not _is_folder(fields["folder"]):
        return None
    parts = _parts(fields["parts"])
    if parts is None or fields["documents"] < 0 or not all(name.startswith(fields["prefix"]) for name in parts):
        return None
    return SegmentParts(**fields | {"parts": parts})


def _parts(fields: Any) -> dict[str, Part] | None:
    """Return parts by name; None if a name is a path or a field is missing."""
    if any(name != Path(name).name for name in fields):
        return None
    if not all(_has_types(part, _PART_FIELDS) for part in fields.values()):
        return None
    return {name: Part(**part) for name, part in fields.items()}


def _is_folder(name: str) -> bool:
    return not name or FOLDER.fullmatch(name) is not None


def _has_types(fields: Any, types: Mapping[str, type]) -> bool:
    return isinstance(fields, dict) and {name: type(value) for name, value in fields.items()} == types


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _damaged(problem: str, path: Path) -> InputError:
    return InputError(problem, code=ErrorCode.INDEX_DAMAGED, file=path, remedy=REBUILD)


def describe_part(path: Path) -> Part:
    """Return size and checksum of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return Part(digest.hexdigest(), path.stat().st_size)


def manifest_sha256(manifest: Manifest) -> str:
    """Return what `sha256sum INDEX/manifest.json` prints. It identifies the index, down to every byte of its parts.

    The checksum is of the manifest as it was read: the index on disk may have changed since.
    """
    fields = asdict(manifest)
    if manifest.format == 1:
        del fields["folder"]
    if manifest.format < 3:
        del fields["keeps_names"]
    if manifest.format < 4:
        del fields["segments"]
    return _sha256(manifest_text(fields))
