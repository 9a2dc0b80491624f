"""The `compact` command."""

from pathlib import Path

import pytest

from lexgear.api import Index, train
from lexgear.cli import app
from lexgear.corpus.records import Document
from lexgear.rankers.words.bm25 import BM25
from rankers.small import COLLECTION


def test_compact_merges_segments_and_says_how_many_there_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = train(COLLECTION, BM25(), tmp_path / "index")
    index.add([Document("new", {"text": "现金和香烟。"})])
    index.remove([COLLECTION.documents[0].id])
    before = index.search("现金", k=9)
    app(["compact", str(tmp_path / "index")], standalone_mode=False)
    assert "2 segments before, 1 now" in capsys.readouterr().out
    after = Index.load(tmp_path / "index")
    assert [segment.removed for segment in after.stored.manifest.segments] == [None]
    assert after.search("现金", k=9) == before
