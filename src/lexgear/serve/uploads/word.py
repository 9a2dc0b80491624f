"""The text of a .docx: its main part, paragraph by paragraph; no entity is defined, nothing is fetched or run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate

from lexgear.serve.uploads.errors import UploadError, UploadProblem
from lexgear.serve.uploads.zip_package import Package

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
"""What was deleted, or moved elsewhere, and what an older program would show a second time."""
_DEEPEST = 256
"""Elements inside each other; a table within a table within a table has 30."""
_MOST_ELEMENTS = 500_000
"""100,000 characters have at most as many in runs of one character each, with their properties; takes half a second."""
_NAMESPACE_END = "\n"
"""Between a namespace and a name, as no address has it."""


def word_text(data: bytes, most: int) -> str:
    """The text of a Word file, read until it has more than `most` characters."""
    with Package(data) as package:
        return _Body(most).read(package.part(_main_part(package)))


def _main_part(package: Package) -> str:
    """Where the text is; by the list of parts and their types, which every such file has."""
    if _TYPES not in package.names:
        raise UploadError(415, UploadProblem.UNSUPPORTED)
    types: dict[str, str] = {}

    def note(name: str, attributes: Mapping[str, str]) -> None:
        if name.endswith("Override"):
            types[attributes.get("PartName", "").lstrip("/")] = attributes.get("ContentType", "").lower()

    _parse(package.part(_TYPES), start=note)
    if any(_WITH_MACROS in kind for kind in types.values()) or any(
        name.lower().endswith("vbaproject.bin") for name in package.names
    ):
        raise UploadError(415, UploadProblem.MACROS)
    found = next((name for name, kind in types.items() if kind.endswith(_MAIN)), None)
    if found is None:
        raise UploadError(415, UploadProblem.UNSUPPORTED)
    if found not in package.names:
        raise UploadError(422, UploadProblem.DAMAGED_WORD)
    return found


class _Body:
    """Gathers what is written in a document."""

    def __init__(self, most: int) -> None:
        self.most, self.length, self.depth, self.elements = most, 0, 0, 0
        self.pieces: list[str] = []
        self.writing = False
        self.skipping = 0
        """Depth from which on nothing is read; 0 for none."""

    def read(self, part: bytes) -> str:
        _parse(part, start=self._start, end=self._end, text=self._text)
        return "".join(self.pieces)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self.depth, self.elements = self.depth + 1, self.elements + 1
        if self.depth > _DEEPEST:
            raise UploadError(422, UploadProblem.DAMAGED_WORD)
        if self.elements > _MOST_ELEMENTS:
            raise UploadError(413, UploadProblem.EXPANDS)
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
        if self.length > self.most:
            raise UploadError(413, UploadProblem.LONG, limit=self.most)


def _parse(
    part: bytes,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None] | None = None,
    text: Callable[[str], None] | None = None,
) -> None:
    """Reads XML whole. A DOCTYPE is refused: without one there are no entities, of its own or from elsewhere."""
    parser = ParserCreate(namespace_separator=_NAMESPACE_END)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _no_doctype
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    try:
        parser.Parse(part, True)
    except (ExpatError, ValueError, LookupError):
        raise UploadError(422, UploadProblem.DAMAGED_WORD) from None


def _no_doctype(*about: Any) -> None:
    raise UploadError(422, UploadProblem.UNSAFE_WORD)
