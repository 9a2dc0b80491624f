"""Adding and removing documents on disk: atomic in spite of kills, readers and other writers."""

import errno
import json
import os
import resource
import shutil
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from index.test_manifest import to_format_1
from index.test_store import CASES
from lexgear.api import Index, train
from lexgear.atomic import locked_directory
from lexgear.corpus.records import Document
from lexgear.errors import InputError
from lexgear.index.manifest import FORMAT, MANIFEST, manifest_text
from lexgear.index.store import StoredIndex
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.words.bm25 import BM25
from lexgear.settings import configure

NEW = (
    Document("d", {"fact": "翻墙进入商店，拿走现金和香烟。"}, charges=("盗窃罪",), date="2019-03-01"),
    Document("e", {"text": "一份没有罪名的文书，提到商店和现金。"}),
)
KNOWN = replace(CASES, documents=(*CASES.documents[:2], replace(CASES.documents[2], charges=())))
WITH_NEW = replace(KNOWN, documents=(*KNOWN.documents, *NEW))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("index") / "index"
    train(KNOWN, BM25(), directory)
    return directory


@pytest.fixture
def index(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "index"))


def ids(index: Path) -> tuple[str, ...]:
    stored = StoredIndex(index)
    stored.check()
    return stored.catalogue.ids()


def files(index: Path) -> dict[str, bytes]:
    """Return every part by the name it has in an index without changes."""
    found = [(name, index / folder / name) for folder, name, _ in StoredIndex(index).manifest.files()]
    return {name.removeprefix("segment.0-"): path.read_bytes() for name, path in found}


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_adding_documents_gives_the_index_built_with_all_documents(index: Path, tmp_path: Path) -> None:
    grown = Index.load(index)
    grown.add(NEW)
    whole = train(WITH_NEW, BM25(), tmp_path / "whole")
    for found in (grown, Index.load(index)):
        assert found.search("商店现金") == whole.search("商店现金")
        assert found.search("商店", filters=["date>2018"])[0].document in (NEW[0], CASES.documents[0])
    grown.compact()
    assert files(index) == files(tmp_path / "whole")


def test_a_change_writes_what_changes_and_nothing_else(index: Path) -> None:
    before = files(index)
    grown = Index.load(index)
    grown.add(NEW)
    assert {name: data for name, data in files(index).items() if name in before} == before
    assert names(index) == sorted([MANIFEST, "parts.1", *before])
    grown.remove(["a"])
    assert names(index / "parts.2") == ["removed.0-removed-words.npz", "removed.0-removed.npy"]
    assert [segment.live for segment in grown.stored.manifest.segments] == [2, 2]


def test_compaction_after_adding_and_removing_documents_restores_every_byte(built: Path, index: Path) -> None:
    grown = Index.load(index)
    grown.add(NEW)
    grown.remove(["e", "d"])
    assert grown.search("现金") == Index.load(built).search("现金")
    grown.compact()
    assert files(index) == files(built)
    assert names(index) == sorted([*names(built), "removed.json"])
    assert grown.search("现金") == Index.load(index).search("现金") == Index.load(built).search("现金")


def test_a_document_is_replaced_only_on_request(index: Path, tmp_path: Path) -> None:
    other = replace(CASES.documents[0], sections={"fact": "骑走一辆自行车。"}, charges=("抢夺罪",))
    before = files(index)
    with pytest.raises(InputError, match=r"the index already has a document 'a' \(nothing was added"):
        Index.load(index).add([*NEW, other])
    assert files(index) == before
    Index.load(index).add([other], replace=True)
    whole = replace(KNOWN, documents=(*KNOWN.documents[1:], other))
    train(whole, BM25(), tmp_path / "whole")
    assert Index.load(index).document("a") == other
    assert ids(index) == ids(tmp_path / "whole")
    Index.load(index).compact()
    assert files(index) == files(tmp_path / "whole")


def test_learnt_parts_are_not_written_again(tmp_path: Path) -> None:
    grown = train(WITH_NEW, Lexgear(configure(LexgearSettings, backbone="")), tmp_path / "index")
    before = {path.name: path.stat().st_ino for path in (tmp_path / "index").iterdir()}
    grown.remove(["d"])
    grown.compact()
    after = {path.name: path.stat().st_ino for path in (tmp_path / "index").iterdir() if path.is_file()}
    assert {"law.json", "law-idf.npz", "lexicon.json", "mixture.json"} <= after.keys()
    assert not {"catalogue.sqlite", "facts.npz", "words.npz"} & after.keys()
    assert all(before[name] == number for name, number in after.items() if name not in {MANIFEST, "removed.json"})
    assert grown.judge("翻墙进入商店，拿走现金五千余元。") == Index.load(tmp_path / "index").judge(
        "翻墙进入商店，拿走现金五千余元。"
    )


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (Document("x", {"text": "现金"}, charges=("飞行罪",)), "x: unknown charge '飞行罪'"),
        (Document("x", {"text": "现金"}, node="cn-criminal/9"), "x: the law has no node 'cn-criminal/9'"),
        (Document("x", {"text": " "}), "x: no text"),
        (NEW[0], "d: duplicate id"),
        (Document("\ud800", {"text": "现金"}), "cannot be stored"),
    ],
)
def test_a_document_that_cannot_be_used_is_named_and_none_is_added(
    index: Path, document: Document, problem: str
) -> None:
    before = files(index)
    with pytest.raises(InputError, match=problem):
        Index.load(index).add([NEW[0], document])
    assert files(index) == before
    assert names(index) == sorted([MANIFEST, *before])


def test_unknown_ids_and_the_last_document_are_not_removed(index: Path) -> None:
    before = files(index)
    with pytest.raises(InputError, match=r"the index has no document 'z' \(nothing was removed\)"):
        Index.load(index).remove(["a", "z"])
    with pytest.raises(InputError, match="an index must have at least one document"):
        Index.load(index).remove(["a", "b", "c"])
    assert files(index) == before


class Deadly:
    """Audit hook that kills the process at its n-th operation on files of the index."""

    def __init__(self, index: Path, after: int) -> None:
        self.index, self.left = str(index), after

    def __call__(self, event: str, arguments: Sequence[Any]) -> None:
        changes = event in {"os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir", "shutil.rmtree"}
        if changes or (event in {"open", "sqlite3.connect"} and self.index in str(arguments[0])):
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def killed(index: Path, after: int) -> bool:
    """Add documents in a process that is killed on the way; return False if it ended before."""
    child = os.fork()
    if child == 0:
        try:
            grown = Index.load(index)
            sys.addaudithook(Deadly(index, after))
            grown.add(NEW)
            os._exit(0)
        except BaseException:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def test_a_kill_at_any_moment_leaves_the_old_index_or_the_new_one(built: Path, tmp_path: Path) -> None:
    found, moments = [], 0
    while True:
        moments += 1
        index = Path(shutil.copytree(built, tmp_path / str(moments)))
        if not killed(index, moments):
            break
        found.append(ids(index))
        later = Index.load(index)
        assert [hit.document.id for hit in later.search("现金", k=9)]
        if "d" in found[-1]:
            later.remove(["d", "e"])
        later.add(NEW)
        assert ids(index) == ("a", "b", "c", "d", "e")
        folders = {folder for folder, _, _ in later.stored.manifest.files()} - {""}
        assert {name for name in names(index) if name.startswith("parts")} == folders
    assert moments > 12
    assert set(found) == {("a", "b", "c"), ("a", "b", "c", "d", "e")}
    assert found == sorted(found)  # the old one up to a moment, from then on the new one


def test_an_open_index_stays_readable_after_a_change(index: Path) -> None:
    reader, before = Index.load(index), Index.load(index).search("现金", k=9)
    Index.load(index).add(NEW)
    assert reader.search("现金", k=9) == before
    reader.add([Document("f", {"text": "现金"})])  # on what is there now, not on what was
    assert ids(index) == ("a", "b", "c", "d", "e", "f")


def test_loading_during_a_change_never_fails(index: Path) -> None:
    problems: list[Exception] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            try:
                assert Index.load(index).search("现金")
            except Exception as error:  # whatever it is
                problems.append(error)

    reader = threading.Thread(target=look)
    reader.start()
    writer = Index.load(index)
    for _ in range(15):
        writer.add(NEW)
        writer.remove(["d", "e"])
    done.set()
    reader.join()
    assert problems == []


def test_a_second_change_at_the_same_time_is_refused(index: Path) -> None:
    with (
        locked_directory(index),
        pytest.raises(InputError, match=r"index: another process is changing it.*try again"),
    ):
        Index.load(index).add(NEW)
    Index.load(index).add(NEW)


def test_a_full_disk_leaves_the_index_as_it_was(index: Path) -> None:
    before = files(index)
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        with suppress(BaseException):
            Index.load(index).add(NEW)
            os._exit(0)
        os._exit(int(names(index) == sorted([MANIFEST, *before])))
    assert os.WEXITSTATUS(os.waitpid(child, 0)[1]) == 1
    assert files(index) == before
    Index.load(index).add(NEW)


@pytest.mark.parametrize("grown", [False, True])
def test_an_index_replaced_during_a_change_keeps_all_its_parts(
    index: Path, grown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Training waits for the change if the file system has locks; otherwise the change is refused."""
    monkeypatch.setattr("fcntl.flock", no_locks)
    changed = Index.load(index)
    if grown:  # parts in a folder: those beside the manifest count as leftovers
        changed.add(NEW[:1])
    with locked_directory(index) as handle:
        train(CASES, BM25(), index)
        with pytest.raises(InputError, match="another process has replaced it"):
            changed._update(handle, (), NEW[1:], lambda *_: None)
    assert ids(index) == ("a", "b", "c")
    assert not any(name.startswith("parts") for name in names(index))


def no_locks(handle: int, operation: int) -> None:
    raise OSError(errno.ENOTSUP, "no locks")


def test_foreign_files_in_an_index_directory_are_kept(index: Path) -> None:
    (index / "notes.txt").write_text("mine")
    (index / "parts.old").mkdir()
    Index.load(index).add(NEW)
    assert {"notes.txt", "parts.1", "parts.old"} <= set(names(index))


@pytest.mark.parametrize("folder", ["..", "parts.1/../..", "other", 7])
def test_a_manifest_with_an_invalid_folder_is_refused(index: Path, folder: object) -> None:
    fields = json.loads((index / MANIFEST).read_text())
    del fields["sha256"]
    (index / MANIFEST).write_text(manifest_text(fields | {"folder": folder}))
    with pytest.raises(InputError, match="not the manifest of an index"):
        Index.load(index)


def test_an_index_of_format_1_is_read_and_can_be_changed(index: Path) -> None:
    to_format_1(index)
    Index.load(index).add(NEW)
    assert StoredIndex(index).manifest.format == FORMAT
    assert ids(index) == ("a", "b", "c", "d", "e")
