"""Collections whose documents stay on disk: the same bytes, the same documents, and few of them in memory."""

import gc
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.api.training import import_dataset
from lexgear.corpus.datasets.registry import read_collection
from lexgear.corpus.document_files import DocumentFile, in_order
from lexgear.corpus.id_set import IdSet
from lexgear.corpus.records import Document
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import load_collection, open_collection, save_collection
from lexgear.errors import InputError

COUNT = 1500


@pytest.fixture
def source(tmp_path: Path) -> Path:
    rows = [
        {"id": f"case-{number}", "fact": f"被告人王某{number}次入户窃取手机。", "verdict": "被告人王某犯盗窃罪。"}
        for number in range(COUNT)
    ]
    rows[7:7] = [{"id": "case-3", "fact": "重复的编号"}, {"id": "odd", "text": "\ud800甲"}]
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def written(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def documents_in_memory() -> int:
    gc.collect()
    return sum(type(thing) is Document for thing in gc.get_objects())


def test_an_import_writes_the_bytes_of_a_collection_in_memory(source: Path, tmp_path: Path) -> None:
    skipped = SkippedRecords()
    save_collection(read_collection("jsonl", source, skipped), tmp_path / "whole", skipped)
    import_dataset("jsonl", source, tmp_path / "streamed")
    assert written(tmp_path / "streamed") == written(tmp_path / "whole")


def test_an_import_holds_no_more_documents_than_a_partition(source: Path, tmp_path: Path) -> None:
    before, held = documents_in_memory(), []

    def look(done: int, total: int | None, note: str = "") -> None:
        if done in {COUNT // 2, COUNT + 2}:
            held.append(documents_in_memory() - before)

    collection = import_dataset("jsonl", source, tmp_path / "out", progress=look)
    assert len(collection.documents) == COUNT + 1
    assert len(held) == 2
    assert max(held) <= 2 * 200


def test_an_import_that_fails_leaves_nothing(source: Path, tmp_path: Path) -> None:
    with source.open("a", encoding="utf-8") as file:
        file.write("{damaged\n")
    with pytest.raises(InputError, match="not valid JSON"):
        import_dataset("jsonl", source, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["cases.jsonl"]


def test_labels_of_an_import_name_documents_on_disk(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "documents.jsonl").write_text('{"id": "1", "text": "甲"}\n{"id": "2", "text": "乙"}\n', encoding="utf-8")
    (folder / "queries.jsonl").write_text('{"id": "q", "text": "甲"}\n', encoding="utf-8")
    (folder / "qrels.trec").write_text("q 0 2 1\nq 0 3 1\n", encoding="utf-8")
    skipped = SkippedRecords()
    assert import_dataset("jsonl", folder, tmp_path / "out", skipped=skipped).qrels == {"q": {"2": 1}}
    assert [entry.reason for entry in skipped.entries] == ["label of an unknown document"]


def test_an_opened_collection_is_the_loaded_one(source: Path, tmp_path: Path) -> None:
    import_dataset("jsonl", source, tmp_path / "out")
    loaded, opened = load_collection(tmp_path / "out"), open_collection(tmp_path / "out")
    assert opened == loaded
    assert isinstance(opened.documents, DocumentFile)
    assert opened.documents.ids == tuple(document.id for document in loaded.documents)
    assert opened.documents.charged == sum(bool(document.charges) for document in loaded.documents)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Document]:
    out = tmp_path_factory.mktemp("opened") / "out"
    out.mkdir()
    (out / "cases.jsonl").write_text(
        "\n".join(f'{{"id": "{number}", "text": "文{number}"}}' for number in range(20)), encoding="utf-8"
    )
    import_dataset("jsonl", out / "cases.jsonl", out / "out")
    return open_collection(out / "out").documents


@given(at=st.slices(20))
def test_a_slice_of_a_file_is_that_of_a_tuple(opened: Sequence[Document], at: slice) -> None:
    assert opened[at] == tuple(opened)[at]


def test_positions_count_from_both_ends(opened: Sequence[Document]) -> None:
    assert (opened[0].id, opened[-1].id) == ("0", "19")
    with pytest.raises(IndexError):
        opened[20]


def test_documents_by_name_come_in_the_order_of_the_collection(opened: Sequence[Document]) -> None:
    assert [document.id for document in in_order(opened, ["11", "x", "2"])] == ["2", "11"]


def test_an_opened_collection_survives_its_replacement(source: Path, tmp_path: Path) -> None:
    import_dataset("jsonl", source, tmp_path / "out")
    opened = open_collection(tmp_path / "out").documents
    first = opened[0]
    source.write_text('{"id": "other", "text": "另一个案件。"}\n', encoding="utf-8")
    import_dataset("jsonl", source, tmp_path / "out")
    assert opened[0] == first


def test_a_file_that_is_written_over_is_refused(opened: Sequence[Document], tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text('{"id": "1", "text": "甲"}\n{"id": "2", "text": "乙"}\n', encoding="utf-8")
    import_dataset("jsonl", tmp_path / "cases.jsonl", tmp_path / "out")
    documents = open_collection(tmp_path / "out").documents
    (tmp_path / "out" / "documents.jsonl").write_text("short\n", encoding="utf-8")
    with pytest.raises(InputError, match="have changed"):
        documents[1]


@pytest.mark.parametrize("read", [load_collection, open_collection])
def test_a_repeated_id_is_named_with_both_lines(source: Path, tmp_path: Path, read: object) -> None:
    import_dataset("jsonl", source, tmp_path / "out")
    file = tmp_path / "out" / "documents.jsonl"
    first = file.read_text(encoding="utf-8").splitlines()[0]
    with file.open("a", encoding="utf-8") as documents:
        documents.write(first + "\n")
    with pytest.raises(InputError, match="already used on line 1"):
        read(tmp_path / "out")  # type: ignore[operator]


@given(names=st.lists(st.text(), max_size=50), others=st.lists(st.text(), max_size=20))
def test_an_id_set_knows_what_was_added(names: list[str], others: list[str]) -> None:
    ids = IdSet()
    for name in names:
        ids.add(name)
    assert [name in ids for name in names + others] == [name in set(names) for name in names + others]


def test_an_id_set_finds_no_id_across_two_others(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = {"a": bytes(2) + bytes(13) + b"\1", "b": bytes(2) + b"\2" * 14, "c": bytes(2) + b"\1" + b"\2" * 13}
    monkeypatch.setattr("lexgear.corpus.id_set._digest", digests.__getitem__)
    ids = IdSet()
    ids.add("a")
    ids.add("b")
    assert ["a" in ids, "b" in ids, "c" in ids] == [True, True, False]
