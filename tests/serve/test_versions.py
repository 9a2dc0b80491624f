"""A served index that changes: requests go on without a failure, and soon the new version answers them."""

import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Collection, Query
from lexgear.index.manifest import MANIFEST, manifest_sha256, read_manifest
from lexgear.rankers.words.bm25 import BM25
from lexgear.serve import versions
from lexgear.serve.app import create_app
from serve.running import running


@pytest.fixture
def directory(words_dir: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(words_dir, tmp_path / "index"))


@pytest.fixture
def address(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(versions, "POLL_SECONDS", 0.02)
    with running(create_app(directory)) as address:
        yield address


def wait_for(address: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        health: dict[str, Any] = httpx.get(f"{address}/health").json()
        if holds(health):
            return health


def is_served(directory: Path) -> Callable[[dict[str, Any]], bool]:
    expected = manifest_sha256(read_manifest(directory))
    return lambda health: bool(health["index"]["sha256"] == expected)


class Clients:
    """Clients that search and read without a pause, and what they were answered."""

    def __init__(self, address: str, text: str, case: str) -> None:
        self.address, self.text, self.case = address, text, case
        self.statuses: list[int] = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._ask) for _ in range(3)]

    def _ask(self) -> None:
        with httpx.Client(base_url=self.address, timeout=30) as client:
            while not self._stop.is_set():
                self.statuses.append(client.post("/api/v1/search", json={"text": self.text, "k": 5}).status_code)
                self.statuses.append(client.get(f"/cases/{self.case}").status_code)

    def __enter__(self) -> "Clients":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


def test_no_request_fails_while_documents_come_and_go_and_the_index_is_replaced(
    address: str, directory: Path, collection: Collection, unseen: list[Query]
) -> None:
    gone, kept = collection.documents[3], collection.documents[4].id
    with Clients(address, unseen[0].text, kept) as clients:
        Index.load(directory).remove([gone.id])
        assert wait_for(address, is_served(directory))["index"]["documents"] == len(collection.documents) - 1
        assert httpx.get(f"{address}/api/v1/cases/{gone.id}").json()["code"] == "removed_document"
        Index.load(directory).add([gone])
        wait_for(address, is_served(directory))
        assert httpx.get(f"{address}/api/v1/cases/{gone.id}").status_code == 200
        train(replace(collection, documents=collection.documents[:50]), BM25(), directory)
        assert wait_for(address, is_served(directory))["index"]["documents"] == 50
        found = httpx.post(f"{address}/api/v1/search", json={"text": unseen[0].text, "k": 60}).json()["hits"]
        assert {hit["id"] for hit in found} <= {document.id for document in collection.documents[:50]}
    assert set(clients.statuses) == {200}


def test_a_removed_case_is_gone_and_its_page_says_so(address: str, directory: Path, collection: Collection) -> None:
    gone = collection.documents[0].id
    Index.load(directory).remove([gone])
    wait_for(address, is_served(directory))
    page = httpx.get(f"{address}/cases/{gone}?lang=en", headers={"Accept": "text/html"})
    assert page.status_code == 410
    assert "This case was removed from the collection." in page.text
    assert httpx.get(f"{address}/cases/never-there").status_code == 404
    home = httpx.get(f"{address}/", headers={"Accept": "text/html"}).text
    assert f'data-sha256="{manifest_sha256(read_manifest(directory))}"' in home


def test_a_damaged_index_is_reported_and_the_old_one_goes_on_answering(
    address: str, directory: Path, collection: Collection
) -> None:
    whole = (directory / MANIFEST).read_text()
    (directory / MANIFEST).write_text(whole.replace('"documents": ', '"documents": 1', 1))
    health = wait_for(address, lambda health: health["warning"] is not None)
    assert (health["status"], health["warning"]) == ("ok", "index_damaged")
    assert httpx.get(f"{address}/api/v1/cases/{collection.documents[0].id}").status_code == 200
    (directory / MANIFEST).write_text(whole)
    wait_for(address, lambda health: health["warning"] is None)
