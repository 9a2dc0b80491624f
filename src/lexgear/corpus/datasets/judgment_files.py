"""Judgments kept one JSON file each, in a folder or in zip files."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lexgear.errors import InputError
from lexgear.files import read_text


def read_candidates(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The files below a folder with their objects; zip files are opened only where nothing is unpacked."""
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
        raise InputError("truncated or corrupt zip file", file=archive, remedy="fetch it again") from error
    except UnicodeDecodeError as error:
        raise InputError("a file in it is not valid UTF-8", file=archive, remedy="fetch it again") from error


def _object(file: Path, text: str) -> dict[str, Any]:
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not valid JSON: {error.msg}", file=file, line=error.lineno) from error
    if not isinstance(row, dict):
        raise InputError("not a JSON object", file=file, remedy="one judgment a file")
    return row
