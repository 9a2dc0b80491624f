"""Replacement of a directory by another one, and the locks that keep writers apart.

A lock belongs to a directory, not to its path: whoever has locked one checks that it is still at its path.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lexgear.errors import ErrorCode, InputError


def lock(handle: int, *, wait: bool = False) -> bool:
    """Lock an open directory or file; return False if another process has locked it. The lock ends with the process.

    On file systems without locks nothing is locked, and the answer is True.
    """
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def is_at(handle: int, path: Path) -> bool:
    """Return whether an open directory is the one at a path."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False


def swap_directories(one: Path, other: Path) -> bool:
    """Swap two directories in one step; return False if the system or the file system cannot (Linux can)."""
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
    """Move the directory `new` to `place`; an existing directory there is removed only after the move.

    A process that is changing the existing directory is waited for.
    """
    while not _move(new, place, swap):  # another process was faster: replace what it has written
        pass
    sync(place.parent)


def restore_directory(place: Path) -> bool:
    """Bring back the previous version of a directory if a process was killed between the two renames that replace it.

    Returns whether there is a directory at `place`. A process that is still at work has locked the previous version.
    """
    if place.exists():
        return True
    place = Path(os.path.realpath(place))
    retired = retired_version(place)
    if not retired.is_dir():
        return False
    with suppress(OSError):  # not permitted, or no locks
        handle = os.open(retired, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if is_at(handle, retired) and not place.exists():
                retired.rename(place)
                sync(place.parent)
        finally:
            os.close(handle)
    return place.exists()


def remedy_if_missing(place: Path) -> str:
    """Return what to do about a directory that is not there."""
    retired = retired_version(Path(os.path.realpath(place)))
    if not retired.is_dir():
        return "check the path"
    return f"its replacement was interrupted; rename the previous version, {retired}, to {place.name}"


def retired_version(place: Path) -> Path:
    """Return the path of the previous version of a directory while it is being replaced in two steps."""
    return place.with_name(f".{place.name}.old-of-lexgear")


def sync(path: Path) -> None:
    """Write a file or directory to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _move(new: Path, place: Path, swap: Callable[[Path, Path], bool]) -> bool:
    """Move a directory to its place; return False if another one has come there meanwhile."""
    with _existing(place) as exists:
        if not exists:
            try:
                new.rename(place)
            except OSError as error:
                if error.errno in {errno.ENOTEMPTY, errno.EEXIST} and place.is_dir():
                    return False
                raise
        elif swap(new, place):
            shutil.rmtree(new, ignore_errors=True)
        else:
            _move_in_two_steps(new, place)
        shutil.rmtree(retired_version(place), ignore_errors=True)
    return True


def _move_in_two_steps(new: Path, place: Path) -> None:
    retired = retired_version(place)
    shutil.rmtree(retired, ignore_errors=True)
    place.rename(retired)
    try:
        new.rename(place)
    except BaseException as error:
        with suppress(OSError):
            retired.rename(place)
        if not place.exists():
            raise InputError(
                f"cannot be written: {error}",
                code=ErrorCode.OUTPUT_UNWRITABLE,
                file=place,
                remedy=f"the previous version is {retired}",
            ) from error
        raise


@contextmanager
def _existing(place: Path) -> Iterator[bool]:
    """Wait until the directory at `place` can be locked and yield True; yield False if there is none."""
    while True:
        try:
            handle = os.open(place, os.O_RDONLY)
        except FileNotFoundError:
            yield False
            return
        try:
            lock(handle, wait=True)
            if is_at(handle, place):
                yield True
                return
        finally:
            os.close(handle)
