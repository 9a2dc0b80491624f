"""Text of a .docx file: the paragraphs of its main part. Runs in the confined process.

Entities are rejected; nothing is fetched or executed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate

from lexgear.serve.uploads.refusals import RefusedFileError, UploadProblem
from lexgear.serve.uploads.zip_package import ZipPackage

_TYPES = "[Content_Types].xml"
_MAIN = "wordprocessingml.document.main+xml"
_WITH_MACROS = "macroenabled"
_WORDS = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SKIPPED = frozenset(
    {(words, name) for words in _WORDS for name in ("del", "moveFrom")} | {(_COMPATIBILITY, "Fallback")}
)
"""Deleted or moved text, and fallbacks that repeat text for older programs."""
_DEEPEST = 256
"""Maximum nesting; a table in a table in a table has 30."""
_MOST_ELEMENTS = 500_000
"""Maximum number of elements: 100,000 runs of one character with their properties have as many. Takes half a second."""
_MOST_ATTRIBUTES = 2_000_000
"""Maximum number of attributes of all elements; a paragraph of Word has five."""
_LONGEST_NAMESPACE = 256
"""Maximum length of a namespace, which the parser copies for every element: 500,000 characters took a minute."""
_LONGEST_TAG = 2**18
"""Maximum number of bytes of one tag; the parser collects it before it reports anything."""
_PIECE = 2**16
"""Number of bytes that are parsed at once. The parser notices a refusal only at the end of a piece."""
_NAMESPACE_END = "\n"
"""Separator between namespace and name; no namespace contains it."""


def word_text(data: bytes, limit: int) -> str:
    """Return the text of a Word file; reading stops when it has more than `limit` characters."""
    with ZipPackage(data) as package:
        return _Body(limit).read(package.part(_main_part(package)))


def _main_part(package: ZipPackage) -> str:
    """Return the name of the main part, from the list of content types."""
    if _TYPES not in package.names:
        raise RefusedFileError(415, UploadProblem.UNSUPPORTED)
    types: dict[str, str] = {}

    def record(name: str, attributes: Mapping[str, str]) -> None:
        if name.endswith("Override"):
            types[attributes.get("PartName", "").lstrip("/")] = attributes.get("ContentType", "").lower()

    _parse(package.part(_TYPES), start=record)
    if any(_WITH_MACROS in kind for kind in types.values()) or any(
        name.lower().endswith("vbaproject.bin") for name in package.names
    ):
        raise RefusedFileError(415, UploadProblem.MACROS)
    found = next((name for name, kind in types.items() if kind.endswith(_MAIN)), None)
    if found is None:
        raise RefusedFileError(415, UploadProblem.UNSUPPORTED)
    if found not in package.names:
        raise RefusedFileError(422, UploadProblem.DAMAGED_WORD)
    return found


class _Body:
    """Collects the text of a document."""

    def __init__(self, limit: int) -> None:
        self.limit, self.length, self.depth, self.elements, self.attributes = limit, 0, 0, 0, 0
        self.pieces: list[str] = []
        self.writing = False
        self.skipping = 0
        """Depth of the element that is being skipped; 0 for none."""

    def read(self, part: bytes) -> str:
        _parse(part, start=self._start, end=self._end, text=self._text)
        return "".join(self.pieces)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self.depth, self.elements = self.depth + 1, self.elements + 1
        if self.depth > _DEEPEST:
            raise RefusedFileError(422, UploadProblem.DAMAGED_WORD)
        self.attributes += len(attributes)
        if self.elements > _MOST_ELEMENTS or self.attributes > _MOST_ATTRIBUTES:
            raise RefusedFileError(413, UploadProblem.EXPANDS)
        space, _, local = name.rpartition(_NAMESPACE_END)
        if not self.skipping and (space, local) in _SKIPPED:
            self.skipping = self.depth
        self.writing = space in _WORDS and local == "t" and not self.skipping
        if space in _WORDS and local in _BREAKS and not self.skipping:
            self._write(_BREAKS[local])

    def _end(self, name: str) -> None:
        self.writing = False
        if self.depth == self.skipping:
            self.skipping = 0
        self.depth -= 1
        space, _, local = name.rpartition(_NAMESPACE_END)
        if space in _WORDS and local == "p" and not self.skipping:
            self._write("\n")

    def _text(self, text: str) -> None:
        if self.writing:
            self._write(text)

    def _write(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text.strip())
        if self.length > self.limit:
            raise RefusedFileError(413, UploadProblem.LONG, limit=self.limit)


def _parse(
    part: bytes,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None] | None = None,
    text: Callable[[str], None] | None = None,
) -> None:
    """Parse XML. A DOCTYPE is rejected, so that there are no internal or external entities."""
    parser = ParserCreate(namespace_separator=_NAMESPACE_END)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _no_doctype
    parser.StartNamespaceDeclHandler = _no_long_namespace
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    try:
        for start_of_piece in range(0, len(part), _PIECE):
            parser.Parse(part[start_of_piece : start_of_piece + _PIECE], False)
            if start_of_piece - parser.CurrentByteIndex > _LONGEST_TAG:
                raise RefusedFileError(413, UploadProblem.EXPANDS)
        parser.Parse(b"", True)
    except (ExpatError, ValueError, LookupError):
        raise RefusedFileError(422, UploadProblem.DAMAGED_WORD) from None


def _no_long_namespace(prefix: str | None, namespace: str | None) -> None:
    if len(namespace or "") > _LONGEST_NAMESPACE:
        raise RefusedFileError(413, UploadProblem.EXPANDS)


def _no_doctype(*about: Any) -> None:
    raise RefusedFileError(422, UploadProblem.UNSAFE_WORD)
