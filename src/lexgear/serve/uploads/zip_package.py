"""ZIP package of a Word file. Parts are unpacked piecewise, within limits."""

from __future__ import annotations

import io
import zlib
from types import TracebackType
from typing import Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from lexgear.serve.uploads.refusals import RefusedFileError, UploadProblem

MEMBERS = 5000
"""Maximum number of parts. A document with a thousand pictures has fewer; listing millions would take minutes."""
UNPACKED = 32 * 2**20
"""Maximum total size of the unpacked parts; 100,000 characters take five million bytes with Word's markup."""
RATIO = 200
"""Maximum compression ratio of a part; document texts have 10 to 60, DEFLATE reaches 1,032."""
FREE = 2**20
"""Size up to which the ratio is not checked, since lists of parts are repetitive."""
_PIECE = 2**16
_LISTED = b"PK\x01\x02"
_LOCKED = 1
"""Flag of an encrypted part."""


class ZipPackage:
    """Parts of a ZIP file by name."""

    def __init__(self, data: bytes) -> None:
        if data.count(_LISTED) > MEMBERS:
            raise RefusedFileError(413, UploadProblem.EXPANDS)
        try:
            self._zip = ZipFile(io.BytesIO(data))
        except (BadZipFile, OSError, ValueError, NotImplementedError):
            raise RefusedFileError(422, UploadProblem.DAMAGED_WORD) from None
        self.names = frozenset(self._zip.namelist())
        self._left = UNPACKED

    def part(self, name: str) -> bytes:
        """Unpack a part. Raises RefusedFileError if a limit is exceeded."""
        info = self._zip.getinfo(name)
        if info.flag_bits & _LOCKED:
            raise RefusedFileError(422, UploadProblem.ENCRYPTED_WORD)
        if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise RefusedFileError(415, UploadProblem.UNSUPPORTED)
        limit = min(self._left, max(FREE, RATIO * info.compress_size))
        try:
            unpacked = self._read(info, limit)
        except (BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
            raise RefusedFileError(422, UploadProblem.DAMAGED_WORD) from None
        self._left -= len(unpacked)
        return unpacked

    def _read(self, info: ZipInfo, limit: int) -> bytes:
        """Unpack piece by piece; the declared size of a part is not trusted."""
        pieces, size = [], 0
        with self._zip.open(info) as file:
            while piece := file.read(_PIECE):
                size += len(piece)
                if size > limit:
                    raise RefusedFileError(413, UploadProblem.EXPANDS)
                pieces.append(piece)
        return b"".join(pieces)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._zip.close()
