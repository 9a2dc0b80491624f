"""A Word file as the ZIP package it is: few parts are unpacked, each counted while it swells."""

from __future__ import annotations

import io
import zlib
from types import TracebackType
from typing import Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from lexgear.serve.uploads.errors import UploadError, UploadProblem

MEMBERS = 5000
"""A long document with a thousand pictures has fewer; the list of millions would take minutes to read."""
UNPACKED = 32 * 2**20
"""Bytes of all parts that are read; 100,000 characters take five million with all that Word writes around them."""
RATIO = 200
"""To which a part may swell; the text of a document has 10 to 60, DEFLATE at most 1,032."""
FREE = 2**20
"""Bytes up to which nobody asks for the ratio: a list of parts repeats itself."""
_PIECE = 2**16
_LISTED = b"PK\x01\x02"
_LOCKED = 1
"""The flag of a part that has a password."""


class Package:
    """The parts of a ZIP file, by name."""

    def __init__(self, data: bytes) -> None:
        if data.count(_LISTED) > MEMBERS:
            raise UploadError(413, UploadProblem.EXPANDS)
        try:
            self._zip = ZipFile(io.BytesIO(data))
        except (BadZipFile, OSError, ValueError, NotImplementedError):
            raise UploadError(422, UploadProblem.DAMAGED_WORD) from None
        self.names = frozenset(self._zip.namelist())
        self._left = UNPACKED

    def part(self, name: str) -> bytes:
        """One part, unpacked within what the package may still unpack."""
        info = self._zip.getinfo(name)
        if info.flag_bits & _LOCKED:
            raise UploadError(422, UploadProblem.ENCRYPTED_WORD)
        if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise UploadError(415, UploadProblem.UNSUPPORTED)
        most = min(self._left, max(FREE, RATIO * info.compress_size))
        try:
            unpacked = self._read(info, most)
        except (BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
            raise UploadError(422, UploadProblem.DAMAGED_WORD) from None
        self._left -= len(unpacked)
        return unpacked

    def _read(self, info: ZipInfo, most: int) -> bytes:
        """What a part says of its size is not believed: it is unpacked piece by piece."""
        pieces, size = [], 0
        with self._zip.open(info) as file:
            while piece := file.read(_PIECE):
                size += len(piece)
                if size > most:
                    raise UploadError(413, UploadProblem.EXPANDS)
                pieces.append(piece)
        return b"".join(pieces)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._zip.close()
