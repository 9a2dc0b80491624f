"""Files in, with clear errors; files out, whole or not at all."""

from __future__ import annotations

import json
import lzma
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from lexgear.errors import InputError


def read_text(path: Path) -> str:
    """The text of a file, unpacked where its name ends in `.xz`; a byte-order mark is dropped."""
    try:
        data = path.read_bytes()
        if path.suffix == ".xz":
            data = lzma.decompress(data)
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise _unreadable(path, error) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(
            "not valid UTF-8", file=path, line=line, remedy="save the file as UTF-8 and try again"
        ) from error


def read_json(path: Path) -> Any:
    """The value in a JSON file."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"not valid JSON: {error.msg}", file=path, line=error.lineno) from error


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON lines file (or `.jsonl.xz`), each with its line number; blank lines pass."""
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(
                f"not valid JSON: {error.msg}", file=path, line=number, remedy="one JSON object a line"
            ) from error
        if not isinstance(row, dict):
            raise InputError("not a JSON object", file=path, line=number, remedy="one JSON object a line")
        yield number, row


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes one JSON object a line, in readable UTF-8."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(dumps(row) + "\n")


def dumps(value: Any) -> str:
    """JSON on one line, characters as they are; a lone surrogate is escaped, since UTF-8 has none."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() or not _has_surrogate(text) else json.dumps(value)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A text file to write to that appears under `path` only when all of it is on disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritable(path, error) from error
        raise


@contextmanager
def whole_directory(path: Path) -> Iterator[Path]:
    """A temporary sibling of `path` to fill; synced and renamed at the end, removed if anything fails.

    A directory already at `path` is replaced: a reader sees the old one or the new one.
    """
    path = path.absolute()
    if path.exists() and not path.is_dir():
        raise InputError("a file stands where the directory should go", file=path, remedy="choose another --out")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        yield temporary
        temporary.chmod(0o777 & ~_umask())
        for written in sorted(temporary.rglob("*")):
            _sync(written)
        _sync(temporary)
        _swap(temporary, path)
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if isinstance(error, OSError):
            raise _unwritable(path, error) from error
        raise


def _swap(temporary: Path, path: Path) -> None:
    if path.exists():
        retired = Path(tempfile.mkdtemp(prefix=f".{path.name}.old.", dir=path.parent))
        path.rename(retired / path.name)
        try:
            temporary.rename(path)
        except OSError:
            (retired / path.name).rename(path)
            raise
        finally:
            shutil.rmtree(retired, ignore_errors=True)
    else:
        temporary.rename(path)
    _sync(path.parent)


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
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError("no such file", file=path, remedy="check the path")
    if isinstance(error, IsADirectoryError):
        return InputError("a directory, not a file", file=path, remedy="name the file in it")
    if isinstance(error, lzma.LZMAError | EOFError):
        return InputError("truncated or corrupt .xz file", file=path, remedy="fetch or pack it again")
    return InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=path)


def _unwritable(path: Path, error: OSError) -> InputError:
    remedy = "free some space and run the command again; nothing was changed" if error.errno == 28 else ""
    return InputError(f"cannot be written: {error.strerror or error}", file=path, remedy=remedy)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _has_surrogate(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
