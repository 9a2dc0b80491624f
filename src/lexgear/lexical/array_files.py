"""Array files (`.npz`) without pickle, mapped into memory when they are read; strings are stored as bytes."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from lexgear.errors import ErrorCode, InputError

ALIGNMENT = 64
"""Arrays start at multiples of this many bytes in the file, so that they can be used where they are mapped."""
PLAIN = "biuf"
"""Kinds of arrays: truth values, whole numbers with and without sign, fractions."""
_PADDING = 0xD935
"""Identifier of the padding in a local header, as Android's zipalign writes it."""
_HEADER, _ZIP64 = 30, 20
"""Bytes of a local header without name and extra field, and of the extra field that `zipfile` adds."""


def pack_strings(names: Sequence[str]) -> NDArray[np.uint8]:
    """Return strings as one array of bytes, one per line: needs no pickle and no padding."""
    return np.frombuffer("\n".join(names).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def unpack_strings(array: NDArray[np.uint8]) -> list[str]:
    """Return the strings packed by `pack_strings`."""
    if array.dtype != np.uint8:
        raise ValueError(f"texts as numbers of the type {array.dtype}")
    return array.tobytes().decode("utf-8", "surrogatepass").split("\n") if array.size else []


def save_arrays(path: Path, **arrays: NDArray[Any]) -> None:
    """Write an uncompressed `.npz` file whose arrays are aligned; the same arrays give the same bytes."""
    with path.open("wb") as file, ZipFile(file, "w", ZIP_STORED, allowZip64=True) as stored:
        for name, array in arrays.items():
            member = ZipInfo(f"{name}.npy")
            start = file.tell() + _HEADER + len(member.filename.encode()) + 4 + _ZIP64
            member.extra = struct.pack("<HH", _PADDING, -start % ALIGNMENT) + bytes(-start % ALIGNMENT)
            with stored.open(member, "w", force_zip64=True) as out:
                np.lib.format.write_array(out, np.asarray(array), allow_pickle=False)


def read_arrays(path: Path, needed: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Map the arrays of an `.npz` file; raise an InputError if one of the `needed` arrays is missing."""
    try:
        with path.open("rb") as file, ZipFile(file) as stored:
            members = {member.filename.removesuffix(".npy"): member for member in stored.infolist()}
            arrays = {name: _mapped(path, file, member) for name, member in members.items()}
    except FileNotFoundError as error:
        raise InputError("no such file", code=ErrorCode.FILE_MISSING, file=path) from error
    except Exception as error:
        remedy = "check the index, and build it again if it is damaged"
        raise InputError("unreadable array file", code=ErrorCode.INDEX_DAMAGED, file=path, remedy=remedy) from error
    if missing := [name for name in needed if name not in arrays]:
        problem = f"the array {missing[0]!r} is missing"
        raise InputError(problem, code=ErrorCode.INDEX_DAMAGED, file=path, remedy="build the index again")
    return arrays


def _mapped(path: Path, file: Any, member: ZipInfo) -> NDArray[Any]:
    """Return an array of an uncompressed member; arrays of earlier versions are not aligned and are copied."""
    if member.compress_type != ZIP_STORED:
        raise ValueError(f"{member.filename} is compressed")
    file.seek(member.header_offset + 26)
    name_length, extra_length = struct.unpack("<HH", file.read(4))
    start = member.header_offset + _HEADER + name_length + extra_length
    file.seek(start)
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran_order, dtype = read(file)
    size = dtype.itemsize * int(np.prod(shape, dtype=object))
    if dtype.kind not in PLAIN or dtype.itemsize > 8 or file.tell() + size > start + member.file_size:
        raise ValueError(f"{member.filename} is not a plain array")
    if not size:
        return np.zeros(shape, dtype)
    found = np.asarray(np.memmap(path, dtype, "r", file.tell(), shape, "F" if fortran_order else "C"))
    return found if file.tell() % ALIGNMENT == 0 else np.array(found, order="K")
