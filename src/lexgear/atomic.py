"""Written whole or not at all: filled beside its place, synced, then put there; never over what is not ours."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import glob
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from lexgear.errors import InputError

SUFFIX = ".part-of-lexgear"
"""Of what is still being written: `.run.txt.k3j9a2.part-of-lexgear`, beside its place."""


class DirectoryMarker(NamedTuple):
    """How a directory of ours is told from a stranger's: a file in it that holds a word."""

    file: str
    word: str

    def exists_in(self, directory: Path) -> bool:
        """Whether the directory bears the mark."""
        try:
            return self.word in (directory / self.file).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False


def check_output(out: Path, mark: DirectoryMarker, *sources: Path) -> None:
    """Refuses to write a directory where something would be lost: a stranger's files, or what is being read.

    `atomic_directory` asks this too; ask before hours of work.
    """
    with _told(out):
        place = _place(out)
        if not place.exists():
            return
        if not place.is_dir():
            raise InputError("a file stands where the directory should go", file=out, remedy="choose another --out")
        for needed in (*sources, Path.cwd()):
            if _place(needed).is_relative_to(place):
                raise InputError(f"it would replace {needed}", file=out, remedy="choose another --out")
        if any(place.iterdir()) and not mark.exists_in(place):
            raise InputError(
                f"not empty, and not ours: it has no {mark.file} of lexgear",
                file=out,
                remedy="choose another --out, or empty it first",
            )


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[str]]:
    """A text file to write to that appears under `path` only when all of it is on disk."""
    with _told(path):
        place = _place(path)
        if place.exists() and not place.is_file():
            raise InputError("a directory or a device, not a file", file=path, remedy="name a file to write")
        place.parent.mkdir(parents=True, exist_ok=True)
        _sweep(place)
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=SUFFIX, dir=place.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                _lock(handle)
                yield file
                file.flush()
                os.fsync(handle)
                temporary.chmod(0o666 & ~_umask())
                temporary.replace(place)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextmanager
def atomic_directory(path: Path, mark: DirectoryMarker) -> Iterator[Path]:
    """A temporary sibling of `path` to fill; synced and put in its place at the end, removed if anything fails.

    An empty directory or one with the mark is replaced: a reader sees the old one or the new one.
    """
    check_output(path, mark)
    with _told(path):
        place = _place(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        _sweep(place)
        temporary = Path(tempfile.mkdtemp(prefix=f".{place.name}.", suffix=SUFFIX, dir=place.parent))
        handle = os.open(temporary, os.O_RDONLY)
        try:
            _lock(handle)
            yield temporary
            temporary.chmod(0o777 & ~_umask())
            for written in sorted(temporary.rglob("*")):
                _sync(written)
            os.fsync(handle)
            replace_directory(temporary, place)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        finally:
            os.close(handle)


@contextmanager
def locked_directory(directory: Path) -> Iterator[int]:
    """The directory, open for one change at a time: a second process is told so, and a killed one leaves no lock."""
    with _told(directory):
        handle = os.open(directory, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                problem = "somebody else is adding or removing documents"
                raise InputError(problem, file=directory, remedy="try again when that is done") from error
        yield handle
    finally:
        os.close(handle)


@contextmanager
def atomic_update(directory: Path, handle: int, folder: str, last: str) -> Iterator[Path]:
    """A folder to fill inside a directory that is being changed, removed if anything fails.

    When all of it is on disk, its file `last` replaces that of the directory, in one step: until then the directory
    is as it was. It is named by its handle, so that one which somebody puts in its place meanwhile stays untouched.
    """
    with _told(directory):
        new = directory / folder
        new.mkdir()
        try:
            yield new
            for written in (*sorted(new.iterdir()), new):
                _sync(written)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        try:
            os.rename(f"{folder}/{last}", last, src_dir_fd=handle, dst_dir_fd=handle)
        except OSError:
            shutil.rmtree(new, ignore_errors=True)
            raise
        os.fsync(handle)


def swap_directories(one: Path, other: Path) -> bool:
    """Swaps two directories in one step, as Linux can; False where the system or the file system cannot."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if sys.platform == "linux" else None
    if rename is None:
        return False
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    if rename(here, os.fsencode(one), here, os.fsencode(other), swap) == 0:
        return True
    number = ctypes.get_errno()
    if number in {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP}:
        return False
    raise OSError(number, os.strerror(number), str(other))


def replace_directory(new: Path, place: Path, swap: Callable[[Path, Path], bool] = swap_directories) -> None:
    """Moves a directory to where another may stand, which is removed only once the new one is there."""
    retired = place.with_name(f".{place.name}.old-of-lexgear")
    if not place.exists():
        new.rename(place)
    elif swap(new, place):
        shutil.rmtree(new, ignore_errors=True)
    else:
        shutil.rmtree(retired, ignore_errors=True)
        place.rename(retired)
        try:
            new.rename(place)
        except BaseException as error:
            with suppress(OSError):
                retired.rename(place)
            if not place.exists():
                raise InputError(
                    f"cannot be written: {error}", file=place, remedy=f"the old one is {retired}"
                ) from error
            raise
    shutil.rmtree(retired, ignore_errors=True)
    _sync(place.parent)


def _sweep(place: Path) -> None:
    """Removes what a killed write of the same place left behind; a living one holds its lock."""
    for left in place.parent.glob(f".{glob.escape(place.name)}.*{SUFFIX}"):
        with suppress(OSError):
            handle = os.open(left, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left) if left.is_dir() else left.unlink()
            finally:
                os.close(handle)


def _lock(handle: int) -> None:
    with suppress(OSError):  # a file system without locks cannot be swept either
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        raise InputError(
            f"cannot be written: {error.strerror or error}",
            file=path,
            remedy="free some space and run the command again; nothing was changed"
            if full
            else "choose a path that you may write to",
        ) from error


def _place(path: Path) -> Path:
    """The path with its links followed, so that a link to an index stays one."""
    return Path(os.path.realpath(path))


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
