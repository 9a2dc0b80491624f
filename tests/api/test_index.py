"""The index as users of the library see it: searching one text and many, and bad arguments."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from index.test_store import CASES
from lexgear import Document, ErrorCode, Hit, Index, InputError, Query, train
from lexgear.index.catalogue import Catalogue

TEXT = "翻墙进入商店，拿走现金"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return train(CASES, "bm25", tmp_path_factory.mktemp("index") / "index")


@pytest.fixture
def index(built: Index, tmp_path: Path) -> Index:
    return Index.load(shutil.copytree(built.stored.directory, tmp_path / "index"))


def plain(hits: list[Hit]) -> list[Hit]:
    """Hits without explanations and factors, which searching many texts leaves out."""
    return [replace(hit, explanation=None, query_factors=None) for hit in hits]


def test_many_texts_are_searched_like_one(index: Index) -> None:
    texts, filters = [TEXT, "持刀", "现金"], ["level=intermediate"]
    assert index.search_many(texts, k=2) == [plain(index.search(text, k=2)) for text in texts]
    assert index.search_many([TEXT], filters=filters) == [plain(index.search(TEXT, filters=filters))]
    assert index.search_many([]) == []


def test_documents_that_a_query_was_drawn_from_are_left_out(index: Index) -> None:
    [hits] = index.search_many([Query("q", TEXT, own_documents=("a",))])
    assert [hit.document.id for hit in hits] == ["b", "c"]
    assert [hit.rank for hit in hits] == [1, 2]


def test_a_run_holds_the_scores_of_the_hits(index: Index) -> None:
    queries = [Query("q", TEXT), Query("r", "。")]
    run = index.run(queries)
    assert run == {"q": {hit.document.id: hit.score for hit in index.search(TEXT)}, "r": {}}


def test_a_hit_and_an_index_say_what_they_are(index: Index) -> None:
    [hit] = index.search(TEXT, k=1)
    assert isinstance(hit, Hit)
    assert repr(hit).startswith(f"Hit(rank=1, score={hit.score:.5g}, id='a', places=['中华人民共和国刑法 › ")
    assert "翻墙" not in repr(hit)  # the text would bury the rest
    assert repr(index) == f"Index({str(index.stored.directory)!r}, ranker='bm25', documents=3)"
    assert len(index) == 3


def refusal(index: Index, method: str, *arguments: Any, **keywords: Any) -> ErrorCode:
    with pytest.raises(InputError) as refused:
        getattr(index, method)(*arguments, **keywords)
    return refused.value.code


@pytest.mark.parametrize("k", [-1, 0, 2.5, "3", None, True])
def test_k_is_a_whole_number_from_1(index: Index, k: Any) -> None:
    for method, asked in {"search": TEXT, "search_many": [TEXT], "run": [Query("q", TEXT)]}.items():
        assert refusal(index, method, asked, k=k) is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("filters", "code"),
    [
        ([""], ErrorCode.INVALID_FILTER),
        ([" "], ErrorCode.INVALID_FILTER),
        (["charge="], ErrorCode.INVALID_FILTER),
        (["charge=飞行罪"], ErrorCode.UNKNOWN_CHARGE),
        ("charge=盗窃罪", ErrorCode.INVALID_ARGUMENT),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(index: Index, filters: Any, code: ErrorCode) -> None:
    assert refusal(index, "search", TEXT, filters=filters) is code
    assert refusal(index, "search_many", [TEXT], filters=filters) is code


def test_unknown_ids_are_refused(index: Index) -> None:
    assert index.document("a") == CASES.documents[0]
    assert refusal(index, "document", "z") is ErrorCode.UNKNOWN_DOCUMENT
    assert refusal(index, "remove", ["a", "z"]) is ErrorCode.UNKNOWN_DOCUMENT
    assert refusal(index, "remove", "a") is ErrorCode.INVALID_ARGUMENT
    assert refusal(index, "add", [CASES.documents[0]]) is ErrorCode.DUPLICATE_ID


def test_texts_are_strings(index: Index) -> None:
    assert refusal(index, "search", [TEXT]) is ErrorCode.INVALID_ARGUMENT
    assert refusal(index, "search_many", TEXT) is ErrorCode.INVALID_ARGUMENT
    assert refusal(index, "search_many", [None]) is ErrorCode.INVALID_ARGUMENT


def test_an_index_that_cannot_judge_says_so(index: Index) -> None:
    assert refusal(index, "judge", TEXT) is ErrorCode.CANNOT_JUDGE


def test_an_index_that_was_changed_elsewhere_is_read_again_before_a_change(index: Index) -> None:
    assert index.search("自行车") == []
    other = Index.load(index.stored.directory)
    other.remove(["b"])
    index.remove(["c"])
    assert [hit.document.id for hit in index.search("现金")] == ["a"]
    assert Index.load(index.stored.directory).search("现金") == index.search("现金")
    assert index.search("现金")[0].places


def test_articles_are_searched_as_of_a_date(index: Index) -> None:
    old = Document("old", {"text": "拿走他人现金的，处罚款。"}, in_force_until="2015-10-31")
    new = Document("new", {"text": "拿走他人现金的，处罚款。"}, in_force_from="2015-11-01")
    index.add([old, new])

    def found(day: date | str | None) -> set[str]:
        return {hit.document.id for hit in index.search("现金", date=day)}

    assert found(None) >= {"old", "new"}
    assert found("2015-10-31") == found(None) - {"new"}
    assert found(date(2015, 11, 1)) == found(None) - {"old"}  # cases have no such dates and stay
    assert index.search_many(["现金"], date="2015-10-31") == [plain(index.search("现金", date="2015-10-31"))]
    in_force = {hit.document.id: hit.in_force for hit in index.search("现金")}
    assert in_force == dict.fromkeys("abc", "") | {
        "old": "in force until 2015-10-31",
        "new": "in force since 2015-11-01",
    }
    assert refusal(index, "search", TEXT, date="2015-11") is ErrorCode.INVALID_FILTER


def test_an_index_of_an_earlier_version_is_searched_as_of_a_date(index: Index) -> None:
    path = index.stored.parts / "catalogue.sqlite"
    with closing(sqlite3.connect(path)) as database:
        for column in ("in_force_from", "in_force_until"):
            database.execute(f"ALTER TABLE documents DROP COLUMN {column}")
        database.commit()
    assert Catalogue(path).select(["in_force=1999-01-01"]) == {"a", "b", "c"}
