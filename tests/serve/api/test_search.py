"""Searches over HTTP: pages, filters, places of the law, several at once."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from lexgear.api import Index
from lexgear.corpus.records import Collection, Query
from lexgear.serve.app import create_app
from serve.conftest import HERE

TEXT = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元。"


def search(client: TestClient, **asked: Any) -> Any:
    answer = client.post("/api/v1/search", json={"text": TEXT, **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


def ids(answer: Any) -> list[str]:
    return [hit["id"] for hit in answer["hits"]]


def test_pages_laid_end_to_end_are_one_long_answer(client: TestClient) -> None:
    whole, offset = search(client, k=30), 0
    pages: list[Any] = []
    while offset is not None and len(pages) < 3:
        page = search(client, k=10, offset=offset)
        pages.append(page)
        offset = page["next_offset"]
    assert [name for page in pages for name in ids(page)] == ids(whole)
    assert [hit["rank"] for page in pages for hit in page["hits"]] == list(range(1, 31))


def test_the_last_page_says_that_it_is_the_last(client: TestClient, collection: Collection) -> None:
    last = search(client, k=100, offset=100)
    assert len(last["hits"]) == len(collection.documents) - 100
    assert last["next_offset"] is None
    assert search(client, k=5, offset=900) == {"hits": [], "offset": 900, "next_offset": None, "facets": None}


def test_a_place_of_the_law_keeps_what_hangs_below_it(client: TestClient, index: Index) -> None:
    chapter = "cn-criminal/2/5"
    inside = search(client, k=100, node=chapter)["hits"]
    assert inside
    assert all(any(step["id"] == chapter for path in hit["paths"] for step in path) for hit in inside)
    assert ids({"hits": inside}) == [
        hit.document.id
        for hit in index.search(TEXT, 160)
        if any(node.id == chapter for path in hit.paths for node in path)
    ]
    both = search(client, k=100, node=chapter, filters=["charge=盗窃罪"])["hits"]
    assert 0 < len(both) < len(inside)
    assert all("盗窃罪" in hit["charges"] for hit in both)


def test_texts_come_only_when_they_are_asked_for(client: TestClient) -> None:
    without, with_text = search(client)["hits"][0], search(client, include_text=True)["hits"][0]
    assert without["sections"] is None
    assert without["defendants"] is None
    assert with_text["sections"]["fact"]
    assert without == with_text | {"sections": None, "defendants": None}


def test_a_date_keeps_cases_and_must_be_one(client: TestClient) -> None:
    assert search(client, date="2019-03-05")["hits"] == search(client)["hits"]  # the sample has no dates in force
    assert client.post("/api/v1/search", json={"text": TEXT, "date": "2019-3-5"}).status_code == 422


def test_several_searches_in_one_request_are_answered_each_as_if_alone(client: TestClient, unseen: list[Query]) -> None:
    asked = [{"text": query.text, "k": 3} for query in unseen[:5]]
    together = client.post("/api/v1/search/batch", json={"searches": asked}).json()["answers"]
    assert together == [client.post("/api/v1/search", json=one).json() for one in asked]


def test_an_index_of_words_searches_and_says_that_it_cannot_judge(words_dir: Path) -> None:
    with TestClient(create_app(words_dir), HERE) as client:
        [hit] = search(client, k=1)["hits"]
        assert hit["explanation"]["words"] == pytest.approx(hit["score"], abs=1e-4)
        answer = client.post("/api/v1/judge", json={"text": TEXT})
        assert answer.status_code == 422
        assert answer.json()["code"] == "cannot_judge"
        assert answer.json()["parameters"] == {"ranker": "bm25"}
        assert client.post("/api/v1/rationale", json={"text": TEXT}).json()["sentences"]
        beside = client.post("/api/v1/compare", json={"text": TEXT, "with": hit["id"]}).json()
        assert beside["left"]["charges"] is None
        assert beside["charges"] == {"shared": None, "left_only": None, "right_only": None}
        assert client.get("/api/v1/index").json()["judges"] is False
