"""Reading and writing of text, JSON and JSON lines files, with clear errors."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from lexgear.errors import ErrorCode, InputError

_ROW = "write one JSON object per line"


class PartsDirectory(Protocol):
    """A place for the files of a ranker: a directory, or a view of one that adds a prefix to file names."""

    def __truediv__(self, name: str, /) -> Path:
        """Return the path of a file."""


@dataclass(frozen=True)
class PrefixedDirectory:
    """A view of a directory in which every file name has a prefix, so that several writers can share it."""

    directory: PartsDirectory
    prefix: str

    def __truediv__(self, name: str) -> Path:
        return self.directory / f"{self.prefix}{name}"


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, decompressed if its name ends in `.xz`, without a byte-order mark."""
    try:
        data = path.read_bytes()
        if path.suffix == ".xz":
            data = lzma.decompress(data)
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise unreadable_file_error(path, error) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _not_utf8(path, line) from error


def read_json(path: Path) -> Any:
    """Return the value in a JSON file."""
    return parse_json(read_text(path), path)


def parse_json(text: str, path: Path) -> Any:
    """Return the value in the text of a JSON file; `path` is for error messages."""
    return _parsed(text, path, None, "correct the file or write it again")


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSON lines file (or `.jsonl.xz`) with their line numbers; skip blank lines."""
    return ((number, row) for number, _, row in read_jsonl_spans(path))


def read_jsonl_spans(path: Path) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield the same as `read_jsonl`, with the number of bytes up to the end of each line."""
    end = 0
    for number, (size, line) in enumerate(_lines(path), start=1):
        end += size
        if not line.strip():
            continue
        row = _parsed(line, path, number, _ROW)
        if not isinstance(row, dict):
            raise InputError("not a JSON object", code=ErrorCode.FILE_MALFORMED, file=path, line=number, remedy=_ROW)
        yield number, end, row


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object per line, in readable UTF-8."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(dumps(row) + "\n")


def write_json_list(path: Path, rows: Iterable[Any]) -> None:
    """Write a JSON list with one row per line, so that differences show line by line."""
    body = ",\n".join(dumps(row) for row in rows)
    path.write_text(f"[\n{body}\n]\n" if body else "[]\n", encoding="utf-8")


def dumps(value: Any) -> str:
    """Return JSON on one line without escapes; only a lone surrogate, which UTF-8 cannot encode, is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() or not has_surrogate(text) else json.dumps(value)


def has_surrogate(text: str) -> bool:
    """Return whether a text holds a lone surrogate, which JSON can express but UTF-8 and SQLite cannot store."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def unreadable_file_error(path: Path, error: Exception) -> InputError:
    """Return the error for a file that could not be read."""
    if isinstance(error, FileNotFoundError):
        return InputError("no such file", code=ErrorCode.FILE_MISSING, file=path, remedy="check the path")
    if isinstance(error, IsADirectoryError):
        remedy = "give the path of a file in it"
        return InputError("this is a directory, not a file", code=ErrorCode.FILE_UNREADABLE, file=path, remedy=remedy)
    if isinstance(error, lzma.LZMAError | EOFError):
        remedy = "download or compress it again"
        return InputError("truncated or corrupt .xz file", code=ErrorCode.FILE_MALFORMED, file=path, remedy=remedy)
    problem = getattr(error, "strerror", None) or error
    remedy = "check the path and its permissions"
    return InputError(f"cannot be read: {problem}", code=ErrorCode.FILE_UNREADABLE, file=path, remedy=remedy)


def _not_utf8(path: Path, line: int) -> InputError:
    remedy = "save the file as UTF-8 and try again"
    return InputError("not valid UTF-8", code=ErrorCode.FILE_MALFORMED, file=path, line=line, remedy=remedy)


def _parsed(text: str, path: Path, line: int | None, remedy: str) -> Any:
    cause: Exception
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        problem, cause, line = f"not valid JSON: {error.msg}", error, line or error.lineno
    except RecursionError as error:
        problem, cause = "JSON nested too deeply", error
    except ValueError as error:  # the only other refusal: a number of more than 4,300 digits
        problem, cause = "a number in the JSON is too long", error
    raise InputError(problem, code=ErrorCode.FILE_MALFORMED, file=path, line=line, remedy=remedy) from cause


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the size in bytes and the text of each line."""
    number = 0
    try:
        with lzma.open(path, "rb") if path.suffix == ".xz" else path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                yield len(raw), raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, number) from error
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise unreadable_file_error(path, error) from error
