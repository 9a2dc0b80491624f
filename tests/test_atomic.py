import errno
import os
import signal
import subprocess
import sys
import threading
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from lexgear.atomic import (
    DirectoryMarker,
    atomic_directory,
    atomic_file,
    atomic_update,
    check_output,
    locked_directory,
)
from lexgear.errors import InputError
from lexgear.index.manifest import read_manifest
from lexgear.replacing import lock, replace_directory, restore_directory, swap_directories

MARKER = DirectoryMarker("ours.json", '"made"')


def writing(path: Path, kind: str) -> AbstractContextManager[object]:
    return atomic_file(path) if kind == "file" else atomic_directory(path, MARKER)


def write(path: Path, **files: str) -> None:
    with atomic_directory(path, MARKER) as temporary:
        (temporary / "ours.json").write_text('{"made": 1}')
        for name, text in files.items():
            (temporary / name).write_text(text)


def names(directory: Path) -> list[str]:
    return sorted(child.name for child in directory.iterdir())


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "run.txt"
    with atomic_file(path) as file:
        file.write("first")
    with pytest.raises(KeyError), atomic_file(path) as file:
        file.write("second")
        raise KeyError
    assert path.read_text() == "first"
    assert names(path.parent) == ["run.txt"]


def test_a_directory_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "index"
    write(path, old="old")
    write(path, new="new")
    assert names(path) == ["new", "ours.json"]
    with pytest.raises(ZeroDivisionError), atomic_directory(path, MARKER) as temporary:
        (temporary / "half").write_text("x")
        raise ZeroDivisionError
    assert names(path) == ["new", "ours.json"]
    assert names(tmp_path) == ["index"]


def test_files_in_a_directory_have_the_permissions_of_new_files(tmp_path: Path) -> None:
    (tmp_path / "ordinary").touch()
    with atomic_directory(tmp_path / "out", MARKER) as directory:
        (directory / MARKER.file).write_text(MARKER.word)
        (directory / "weights").touch(0o600)
    expected = (tmp_path / "ordinary").stat().st_mode
    assert {path.stat().st_mode for path in (tmp_path / "out").iterdir()} == {expected}


def test_a_directory_of_somebody_else_is_never_replaced(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("years of work")
    for mark in ("", "{}", None):
        with pytest.raises(InputError, match=r"precious: .*not written by lexgear.*choose another directory"):
            write(precious)
        assert (precious / "thesis.txt").read_text() == "years of work"
        if mark is not None:
            (precious / "ours.json").write_text(mark)  # the same file name with other content


def test_an_empty_directory_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path / "empty", new="new")
    assert (tmp_path / "empty" / "new").read_text() == "new"


def test_what_is_being_read_is_never_replaced(tmp_path: Path) -> None:
    write(tmp_path / "collection", **{"documents.jsonl": "{}"})
    (tmp_path / "link").symlink_to("collection")
    for source in ("collection", "collection/documents.jsonl", "link/documents.jsonl"):
        with pytest.raises(InputError, match=r"would replace .*choose another directory"):
            check_output(tmp_path / "collection", MARKER, tmp_path / source)
    check_output(tmp_path / "collection", MARKER, tmp_path / "other.jsonl")
    check_output(tmp_path / "collection" / "index", MARKER, tmp_path / "collection")


def test_the_working_directory_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "index")
    monkeypatch.chdir(tmp_path / "index")
    with pytest.raises(InputError, match="would replace"):
        write(Path())
    assert names(tmp_path) == ["index"]


def test_a_link_to_a_directory_or_file_stays_a_link(tmp_path: Path) -> None:
    write(tmp_path / "disk", old="old")
    (tmp_path / "index").symlink_to("disk")
    (tmp_path / "run").symlink_to("run-1")
    write(tmp_path / "index", new="new")
    with atomic_file(tmp_path / "run") as file:
        file.write("ranked")
    assert names(tmp_path) == ["disk", "index", "run", "run-1"]
    assert names(tmp_path / "disk") == ["new", "ours.json"]
    assert (tmp_path / "index").is_symlink()
    assert (tmp_path / "run").is_symlink()


def test_a_reader_sees_a_directory_at_every_moment(tmp_path: Path) -> None:
    path = tmp_path / "index"
    write(path)
    if not swap_directories(path, path):
        pytest.skip("this file system cannot swap directories")
    missing, done = [], threading.Event()

    def look() -> None:
        while not done.is_set():
            missing.extend([1] if not path.exists() else [])

    reader = threading.Thread(target=look)
    reader.start()
    for _ in range(200):
        write(path)
    done.set()
    reader.join()
    assert not missing


def cannot(new: Path, place: Path) -> bool:
    """A system that cannot swap two directories."""
    return False


def test_without_an_exchange_the_new_one_comes_all_the_same(tmp_path: Path) -> None:
    write(tmp_path / "index", old="old")
    write(tmp_path / "next", new="new")
    replace_directory(tmp_path / "next", tmp_path / "index", cannot)
    assert names(tmp_path) == ["index"]
    assert names(tmp_path / "index") == ["new", "ours.json"]


def test_without_an_exchange_a_failure_brings_the_old_one_back(tmp_path: Path) -> None:
    write(tmp_path / "index", old="old")
    with pytest.raises(FileNotFoundError):
        replace_directory(tmp_path / "nowhere", tmp_path / "index", cannot)
    assert names(tmp_path) == ["index"]
    assert names(tmp_path / "index") == ["old", "ours.json"]


KILLED_BETWEEN_RENAMES = """
import os, signal, sys
from pathlib import Path
from lexgear.replacing import replace_directory

class Killing(type(Path())):
    def rename(self, target):
        os.kill(os.getpid(), signal.SIGKILL)

replace_directory(Killing(sys.argv[1]), Path(sys.argv[2]), lambda new, place: False)
"""


def test_without_an_exchange_a_kill_between_the_renames_is_undone_by_whoever_comes_next(tmp_path: Path) -> None:
    for come_next in (restore_directory, lambda path: write(path, new="new")):
        write(tmp_path / "index", old="old")
        write(tmp_path / "next")
        arguments = [sys.executable, "-c", KILLED_BETWEEN_RENAMES, str(tmp_path / "next"), str(tmp_path / "index")]
        assert subprocess.run(arguments, check=False).returncode == -signal.SIGKILL
        assert names(tmp_path) == [".index.old-of-lexgear", "next"]
        come_next(tmp_path / "index")
        assert names(tmp_path) == ["index", "next"]
    assert names(tmp_path / "index") == ["new", "ours.json"]


def test_a_previous_version_is_left_alone_while_its_replacement_is_at_work(tmp_path: Path) -> None:
    retired = tmp_path / ".index.old-of-lexgear"
    write(retired, old="old")
    with locked_directory(retired):
        assert not restore_directory(tmp_path / "index")
        with pytest.raises(InputError, match=r"rename the previous version, .*\.index\.old-of-lexgear, to index"):
            read_manifest(tmp_path / "index")
    assert restore_directory(tmp_path / "index")
    assert names(tmp_path / "index") == ["old", "ours.json"]


def test_a_directory_is_not_replaced_while_it_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, waiting = tmp_path / "index", threading.Event()
    write(path, old="old")

    def announce(handle: int, *, wait: bool = False) -> bool:
        if wait:
            waiting.set()
        return lock(handle, wait=wait)

    monkeypatch.setattr("lexgear.replacing.lock", announce)
    writer = threading.Thread(target=write, args=(path,), kwargs={"new": "new"})
    with locked_directory(path) as handle:
        writer.start()
        waiting.wait()
        with atomic_update(path, handle, "parts.1", "ours.json") as folder:
            (folder / "ours.json").write_text('"made"')
        assert names(path) == ["old", "ours.json", "parts.1"]
    writer.join()
    assert names(path) == ["new", "ours.json"]


def test_a_directory_that_was_replaced_without_locks_is_not_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fcntl.flock", no_locks)
    path = tmp_path / "index"
    write(path, old="old")
    with (
        pytest.raises(InputError, match="another process has replaced it"),
        locked_directory(path) as handle,
        atomic_update(path, handle, "parts.1", "ours.json") as folder,
    ):
        (folder / "ours.json").write_text("of the old one")
        write(path, new="new")
    assert names(path) == ["new", "ours.json"]
    assert names(tmp_path) == ["index"]


def no_locks(handle: int, operation: int) -> None:
    raise OSError(errno.ENOTSUP, "no locks")


KILLED = """
import sys, time
from pathlib import Path
from lexgear.atomic import DirectoryMarker, atomic_directory, atomic_file
path, kind = Path(sys.argv[1]), sys.argv[2]
with atomic_file(path) if kind == "file" else atomic_directory(path, DirectoryMarker("ours.json", "made")):
    print("writing", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("kind", ["file", "directory"])
def test_what_a_killed_write_left_goes_with_the_next_one_and_a_living_one_stays(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "out[1]"
    arguments = [sys.executable, "-c", KILLED, str(path), kind]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "writing\n"
        with pytest.raises(ZeroDivisionError), writing(path, kind):
            raise ZeroDivisionError
        [left] = names(tmp_path)
        assert left.startswith(".out[1].")
        writer.send_signal(signal.SIGKILL)
    with writing(path, kind):
        pass
    assert names(tmp_path) == ["out[1]"]


def test_nothing_but_our_own_leftovers_is_swept(tmp_path: Path) -> None:
    for name in (".run", ".run.old", ".run.swp", "run.part-of-lexgear", ".other.x.part-of-lexgear"):
        (tmp_path / name).write_text("mine")
    with atomic_file(tmp_path / "run"):
        pass
    assert len(names(tmp_path)) == 6


@pytest.mark.parametrize("kind", ["file", "directory"])
def test_a_full_disk_is_reported_and_leaves_the_previous_version(tmp_path: Path, kind: str) -> None:
    with (
        pytest.raises(InputError, match=r"No space left on device \(free some"),
        writing(tmp_path / "a", kind),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert names(tmp_path) == []


def test_a_full_disk_for_real(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with pytest.raises(InputError, match="No space left"), atomic_file(tmp_path / "run.txt"), full.open("w") as file:
        file.write("x" * 100_000)
    assert names(tmp_path) == []


def test_a_file_in_the_way_of_a_directory_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(InputError, match="this is a file, not a directory"):
        write(tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("kind", ["file", "directory"])
@pytest.mark.parametrize("place", ["taken/x/run", "taken/run", "/proc/x/run", "x" * 300])
def test_a_place_where_nothing_can_be_written_is_one_clear_error(tmp_path: Path, place: str, kind: str) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(InputError, match=r"cannot be written: .* \(choose a path"), writing(tmp_path / place, kind):
        pytest.fail("there is nothing to write to")
    assert names(tmp_path) == ["taken"]


def test_a_file_never_replaces_a_directory_or_a_device(tmp_path: Path) -> None:
    for path in (tmp_path, Path(os.devnull)):
        with pytest.raises(InputError, match="this is a directory or a device, not a file"), atomic_file(path):
            pytest.fail("there is nothing to write to")


def test_a_limit_on_the_size_of_files_is_named_as_what_it_is(tmp_path: Path) -> None:
    """In a process of its own, since a limit cannot be raised again."""
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from lexgear.atomic import atomic_file\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "with atomic_file(Path(sys.argv[1])) as file:\n"
        "    file.write('x' * 10_000)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "run"], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(
        "(raise the limit on the size of files (ulimit -f) and try again; nothing was changed)"
    )
    assert list(tmp_path.iterdir()) == []
