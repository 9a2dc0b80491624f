"""An import by several workers gives the bytes of one process, also if it is interrupted."""

import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.api.training import import_dataset
from lexgear.corpus.datasets import reader
from lexgear.corpus.datasets.partitions import FinishedPartitions, reading_by
from lexgear.corpus.datasets.registry import read_collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.engine.base import Engine
from lexgear.engine.in_process import InProcessEngine
from lexgear.errors import InputError

VERDICT = "被告人甲某犯盗窃罪，判处有期徒刑{}个月，并处罚金人民币一千元。"


def rows() -> list[dict[str, Any]]:
    """Judgments and records with every kind of fault, several times."""
    good = [
        {
            "id": f"case-{number}",
            "fact": f"被告人甲某{number}次入户窃取手机。",
            "verdict": VERDICT.format(number),
        }
        for number in range(1, 40)
    ]
    bad: list[dict[str, Any]] = [
        {"text": "没有编号"},
        {"id": "case-3", "text": "重复的编号"},
        {"id": "empty", "text": " "},
        {"id": "empty", "text": "同一编号，但有文字。", "charges": ["不存在的罪", "盗窃罪"]},
        {"id": "odd", "text": "罚金不是数", "penalty": {"kind": "fine", "fine": "许多"}},
    ]
    return [row for number, row in enumerate(good) for row in (row, *([bad[number // 8]] if number % 8 == 5 else []))]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows()), encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def small_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "ROWS_PER_PARTITION", 7)


def written(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.iterdir()}


class CountingEngine(InProcessEngine):
    """Counts the partitions that it reads, and fails at one of them."""

    def __init__(self, fails_at: int = sys.maxsize) -> None:
        self.read, self.fails_at = 0, fails_at

    def submit(self, function: Callable[[Any], Any], partition: Any) -> Future[Any]:
        self.read += not isinstance(partition, Path)
        if self.read == self.fails_at:
            raise KeyboardInterrupt
        return super().submit(function, partition)


def import_by(engine: Engine, source: Path, out: Path) -> None:
    skipped = SkippedRecords()
    with reading_by(engine, FinishedPartitions(out, source, "jsonl")):
        save_collection(read_collection("jsonl", source, skipped), out, skipped)


def test_workers_write_the_same_bytes_as_one_process(source: Path, tmp_path: Path) -> None:
    alone, together = SkippedRecords(), SkippedRecords()
    import_dataset("jsonl", source, tmp_path / "alone", skipped=alone)
    import_dataset("jsonl", source, tmp_path / "together", workers=2, skipped=together)
    assert written(tmp_path / "together") == written(tmp_path / "alone")
    assert together.entries == alone.entries
    assert {"no id": 1, "duplicate id": 1, "empty text": 1} | dict(alone.counts()) == dict(alone.counts())
    assert {path.name for path in tmp_path.iterdir()} == {"cases.jsonl", "alone", "together"}


def test_several_workers_need_a_directory(source: Path) -> None:
    with pytest.raises(InputError, match="no directory"):
        import_dataset("jsonl", source, workers=2)


@settings(max_examples=4)
@given(stops=st.lists(st.integers(1, 7), max_size=3))
def test_an_interrupted_import_continues_where_it_stopped(
    tmp_path_factory: pytest.TempPathFactory, stops: Sequence[int]
) -> None:
    folder = tmp_path_factory.mktemp("import")
    file = folder / "cases.jsonl"
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows()), encoding="utf-8")
    import_dataset("jsonl", file, folder / "alone")
    total = CountingEngine()
    import_by(total, file, folder / "whole")
    for stop in stops:
        with suppress(KeyboardInterrupt):
            import_by(CountingEngine(fails_at=stop), file, folder / "resumed")
    kept = len(list(folder.glob("resumed.import/*.jsonl")))
    last = CountingEngine()
    import_by(last, file, folder / "resumed")
    assert written(folder / "resumed") == written(folder / "whole") == written(folder / "alone")
    assert last.read == total.read - kept


def test_partitions_of_a_changed_source_are_not_used(source: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        import_by(CountingEngine(fails_at=4), source, tmp_path / "out")
    assert (tmp_path / "out.import").exists()
    source.write_text('{"id": "1", "text": "另一个案件。"}\n', encoding="utf-8")
    import_by(CountingEngine(), source, tmp_path / "out")
    assert '"documents": 1' in (tmp_path / "out" / "collection.json").read_text(encoding="utf-8")


def test_strict_mode_stops_at_the_same_record(source: Path, tmp_path: Path) -> None:
    with source.open("a", encoding="utf-8") as file:
        file.write("{damaged\n")
    messages = []
    for workers in (1, 2):
        with pytest.raises(InputError) as caught:
            import_dataset("jsonl", source, tmp_path / "out", strict=True, workers=workers)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert "no id" in messages[0]
