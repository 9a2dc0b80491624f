"""From a data set to an index in Python."""

import json
from pathlib import Path

import pytest

import lexgear
from index.test_store import CASES
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.rankers.words.bm25 import BM25, BM25Settings


def test_a_ranker_is_given_by_name_with_settings_or_as_an_object(tmp_path: Path) -> None:
    named = lexgear.train(CASES, "bm25", tmp_path / "named", k1=0.9)
    made = lexgear.train(CASES, BM25(BM25Settings(k1=0.9)), out=tmp_path / "made")
    assert named.stored.manifest.settings == made.stored.manifest.settings
    assert named.stored.manifest.settings["k1"] == 0.9
    assert named.search("现金") == made.search("现金")


def test_settings_beside_a_ranker_that_is_made_are_refused(tmp_path: Path) -> None:
    with pytest.raises(lexgear.InputError, match="made already: k1"):
        lexgear.train(CASES, BM25(), tmp_path / "index", k1=0.9)
    with pytest.raises(lexgear.InputError, match="no directory for the index"):
        lexgear.train(CASES, "bm25")
    with pytest.raises(lexgear.InputError, match="no setting named 'k9'"):
        lexgear.train(CASES, "bm25", tmp_path / "index", k9=1)
    assert not (tmp_path / "index").exists()


def test_a_data_set_is_imported_and_kept_if_wanted(tmp_path: Path) -> None:
    source = tmp_path / "documents.jsonl"
    rows = [{"id": "a", "text": "拿走现金"}, {"text": "no id"}]
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    skipped = SkippedRecords()
    collection = lexgear.import_dataset("jsonl", source, skipped=skipped)
    assert [document.id for document in collection.documents] == ["a"]
    assert [entry.line for entry in skipped.entries] == [2]
    assert [path.name for path in tmp_path.iterdir()] == ["documents.jsonl"]
    lexgear.import_dataset("jsonl", str(source), tmp_path / "collection")
    assert lexgear.load_collection(str(tmp_path / "collection")) == collection
    with pytest.raises(lexgear.InputError, match=r"documents\.jsonl:2"):
        lexgear.import_dataset("jsonl", source, strict=True)


def test_runs_are_written_read_and_evaluated(tmp_path: Path) -> None:
    run = lexgear.train(CASES, "bm25", tmp_path / "index").run([lexgear.Query("q", "翻墙进入商店")])
    lexgear.write_run(str(tmp_path / "bm25.run"), run, "bm25")
    assert lexgear.read_run(str(tmp_path / "bm25.run")) == run
