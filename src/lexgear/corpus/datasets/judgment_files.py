"""Reader of judgments stored as one JSON file each, in a directory or in zip archives."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lexgear.errors import ErrorCode, InputError
from lexgear.files import parse_json, read_text


def read_candidates(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the JSON files below a directory with their objects; read zip archives only if there are no files."""
    unpacked = sorted(folder.rglob("*.json"))
    for file in unpacked:
        yield file, _object(file, read_text(file))
    for archive in () if unpacked else sorted(folder.glob("*.zip")):
        for member, text in _members(archive):
            yield archive / member, _object(archive / member, text)


def _members(archive: Path) -> Iterator[tuple[str, str]]:
    try:
        with zipfile.ZipFile(archive) as opened:
            for name in sorted(opened.namelist()):
                if name.endswith(".json") and not name.startswith("__MACOSX"):
                    yield name, opened.read(name).decode("utf-8-sig")
    except (zipfile.BadZipFile, EOFError) as error:
        raise _damaged("truncated or corrupt zip file", archive) from error
    except UnicodeDecodeError as error:
        raise _damaged("a file in it is not valid UTF-8", archive) from error


def _damaged(problem: str, archive: Path) -> InputError:
    return InputError(problem, code=ErrorCode.FILE_MALFORMED, file=archive, remedy="download it again")


def _object(file: Path, text: str) -> dict[str, Any]:
    row = parse_json(text, file)
    if not isinstance(row, dict):
        remedy = "each file holds one judgment as a JSON object"
        raise InputError("not a JSON object", code=ErrorCode.FILE_MALFORMED, file=file, remedy=remedy)
    return row
