"""Files in, with clear errors; JSON out, in readable UTF-8."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lexgear.errors import InputError


def read_text(path: Path) -> str:
    """The text of a file, unpacked where its name ends in `.xz`; a byte-order mark is dropped."""
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
        raise InputError(
            "not valid UTF-8", file=path, line=line, remedy="save the file as UTF-8 and try again"
        ) from error


def read_json(path: Path) -> Any:
    """The value in a JSON file."""
    return parse_json(read_text(path), path)


def parse_json(text: str, path: Path) -> Any:
    """The value in the text of a JSON file."""
    return _parsed(text, path, None, "mend it, or have it written again")


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON lines file (or `.jsonl.xz`), each with its line number; blank lines pass."""
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        row = _parsed(line, path, number, "one JSON object a line")
        if not isinstance(row, dict):
            raise InputError("not a JSON object", file=path, line=number, remedy="one JSON object a line")
        yield number, row


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes one JSON object a line, in readable UTF-8."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(dumps(row) + "\n")


def write_json_list(path: Path, rows: Iterable[Any]) -> None:
    """Writes a JSON list, one row a line, so that changes show line by line."""
    body = ",\n".join(dumps(row) for row in rows)
    path.write_text(f"[\n{body}\n]\n" if body else "[]\n", encoding="utf-8")


def dumps(value: Any) -> str:
    """JSON on one line, characters as they are; a lone surrogate is escaped, since UTF-8 has none."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() or not has_surrogate(text) else json.dumps(value)


def has_surrogate(text: str) -> bool:
    """Whether half a character stands in a text: JSON can say it, but neither UTF-8 nor SQLite can hold it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def unreadable_file_error(path: Path, error: Exception) -> InputError:
    """What to tell of a file that could not be read."""
    if isinstance(error, FileNotFoundError):
        return InputError("no such file", file=path, remedy="check the path")
    if isinstance(error, IsADirectoryError):
        return InputError("a directory, not a file", file=path, remedy="name the file in it")
    if isinstance(error, lzma.LZMAError | EOFError):
        return InputError("truncated or corrupt .xz file", file=path, remedy="fetch or pack it again")
    problem = getattr(error, "strerror", None) or error
    return InputError(f"cannot be read: {problem}", file=path, remedy="check the path and who may read it")


def _parsed(text: str, path: Path, line: int | None, remedy: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not valid JSON: {error.msg}", file=path, line=line or error.lineno, remedy=remedy) from error
    except RecursionError as error:
        raise InputError("JSON nested too deeply", file=path, line=line, remedy=remedy) from error
    except ValueError as error:  # the one other thing Python refuses: a number of more than 4,300 digits
        raise InputError("JSON with too long a number", file=path, line=line, remedy=remedy) from error


def _lines(path: Path) -> Iterator[str]:
    number = 0
    try:
        with lzma.open(path, "rb") if path.suffix == ".xz" else path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            "not valid UTF-8", file=path, line=number, remedy="save the file as UTF-8 and try again"
        ) from error
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise unreadable_file_error(path, error) from error
