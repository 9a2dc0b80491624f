"""Atomic writes of files and directories.

Content is written to a temporary sibling, synced and renamed, so a reader sees the old version or the new one, never a
part. Files and directories that lexgear did not write are never replaced. Locks are taken with `fcntl`, so this module
and the package need a POSIX system.
"""

from __future__ import annotations

import errno
import fcntl
import glob
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from lexgear.errors import ErrorCode, InputError
from lexgear.replacing import is_at, lock, replace_directory, restore_directory, sync

SUFFIX = ".part-of-lexgear"
"""Suffix of temporary siblings, such as `.run.txt.k3j9a2.part-of-lexgear`."""

_FREE_SPACE = "free some disk space and try again; nothing was changed"
_REMEDIES = {
    errno.ENOSPC: _FREE_SPACE,
    errno.EDQUOT: _FREE_SPACE,
    errno.EFBIG: "raise the limit on the size of files (ulimit -f) and try again; nothing was changed",
    errno.EMFILE: "raise the limit on the number of open files (ulimit -n) and try again; nothing was changed",
    errno.EIO: "check the disk and the limit on the size of files (ulimit -f), and try again; nothing was changed",
}
"""Remedies by the number of the error."""


class DirectoryMarker(NamedTuple):
    """A file with a known word in it, by which a directory that lexgear wrote is recognised."""

    file: str
    word: str

    def exists_in(self, directory: Path) -> bool:
        """Return whether the directory contains the marker file with its word."""
        try:
            return self.word in (directory / self.file).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False


def check_output(out: Path, marker: DirectoryMarker, *sources: Path) -> None:
    """Raise an InputError if writing the directory `out` would destroy something.

    That is: files that lexgear did not write, one of the `sources`, or the current directory. `atomic_directory` checks
    this as well; call it before hours of work.
    """
    with _write_errors(out):
        place = _resolve(out)
        if not place.exists():
            return
        if not place.is_dir():
            raise _occupied(out, "this is a file, not a directory")
        for needed in (*sources, Path.cwd()):
            if _resolve(needed).is_relative_to(place):
                raise _occupied(out, f"writing it would replace {needed}")
        if any(place.iterdir()) and not marker.exists_in(place):
            problem = f"the directory is not empty and was not written by lexgear (no {marker.file} in it)"
            raise _occupied(out, problem, "choose another directory or empty this one first")


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[str]]:
    """Open a text file for writing; it appears at `path` only once it is complete and on disk."""
    with _write_errors(path):
        place = _resolve(path)
        if place.exists() and not place.is_file():
            raise _occupied(path, "this is a directory or a device, not a file", "choose the path of a file")
        place.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(place)
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=SUFFIX, dir=place.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                lock(handle)
                yield file
                file.flush()
                os.fsync(handle)
                temporary.chmod(0o666 & ~_umask())
                temporary.replace(place)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextmanager
def atomic_directory(path: Path, marker: DirectoryMarker) -> Iterator[Path]:
    """Yield a temporary sibling of `path` to fill; sync it and move it to `path` at the end, or remove it on failure.

    An existing directory is replaced if it is empty or has the marker.
    """
    check_output(path, marker)
    with _write_errors(path):
        place = _resolve(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        restore_directory(place)
        _remove_leftovers(place)
        temporary = Path(tempfile.mkdtemp(prefix=f".{place.name}.", suffix=SUFFIX, dir=place.parent))
        handle = os.open(temporary, os.O_RDONLY)
        try:
            lock(handle)
            yield temporary
            temporary.chmod(0o777 & ~_umask())
            for written in sorted(temporary.rglob("*")):
                _make_readable(written)
                sync(written)
            os.fsync(handle)
            replace_directory(temporary, place)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        finally:
            os.close(handle)


@contextmanager
def locked_directory(directory: Path) -> Iterator[int]:
    """Lock a directory for one change at a time and yield its file descriptor.

    A second process gets an InputError. The lock ends with the process, so a killed one leaves none behind.
    """
    with _write_errors(directory):
        handle = os.open(directory, os.O_RDONLY)
    try:
        if not lock(handle):
            raise _busy(directory, "another process is changing it")
        check_at(handle, directory)
        yield handle
    finally:
        os.close(handle)


def check_at(handle: int, directory: Path) -> None:
    """Raise an InputError if a locked directory is no longer at its path."""
    if not is_at(handle, directory):
        raise _busy(directory, "another process has replaced it")


@contextmanager
def atomic_update(directory: Path, handle: int, folder: str, last: str) -> Iterator[Path]:
    """Yield a new subdirectory `folder` of a locked directory to fill; remove it on failure.

    Once the folder is on disk, its file `last` replaces the file of that name in the directory in one step; until then
    the directory is unchanged. The directory is addressed by its file descriptor `handle`, so that another directory
    moved to the same path in the meantime is not touched.
    """
    with _write_errors(directory):
        check_at(handle, directory)
        os.mkdir(folder, dir_fd=handle)
        new = directory / folder
        try:
            yield new
            check_at(handle, directory)
            for written in (*sorted(new.iterdir()), new):
                _make_readable(written)
                sync(written)
            check_at(handle, directory)
            os.rename(f"{folder}/{last}", last, src_dir_fd=handle, dst_dir_fd=handle)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True, dir_fd=handle)
            raise
        os.fsync(handle)


def _remove_leftovers(place: Path) -> None:
    """Remove temporary siblings that killed processes left behind; those of running processes are locked."""
    for left in place.parent.glob(f".{glob.escape(place.name)}.*{SUFFIX}"):
        with suppress(OSError):
            handle = os.open(left, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left) if left.is_dir() else left.unlink()
            finally:
                os.close(handle)


def _busy(directory: Path, problem: str) -> InputError:
    remedy = "try again when that process has finished"
    return InputError(problem, code=ErrorCode.INDEX_BUSY, file=directory, remedy=remedy)


def _occupied(path: Path, problem: str, remedy: str = "choose another directory") -> InputError:
    return InputError(problem, code=ErrorCode.OUTPUT_OCCUPIED, file=path, remedy=remedy)


@contextmanager
def _write_errors(path: Path) -> Iterator[None]:
    """Turn an OSError into an InputError that names the path."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}",
            code=ErrorCode.OUTPUT_UNWRITABLE,
            file=path,
            remedy=_REMEDIES.get(error.errno or 0, "choose a path that you may write to"),
        ) from error


def _resolve(path: Path) -> Path:
    """Return the path with links resolved, so that a link to an index stays a link."""
    return Path(os.path.realpath(path))


def _make_readable(path: Path) -> None:
    """Give a file the permissions of new files: safetensors lets only the owner read what it writes."""
    if path.is_file():
        with suppress(PermissionError):  # a link to a file of another owner
            path.chmod(0o666 & ~_umask())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
