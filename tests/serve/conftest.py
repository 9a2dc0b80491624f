"""One small index, built once, and a client of a service over it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lexgear.api import Index, save, train
from lexgear.corpus.records import Collection, Query
from lexgear.corpus.sample.cases import sample_cases
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.words.bm25 import BM25
from lexgear.serve.app import create_app
from rankers.small import QUICK_LEXGEAR

HERE = "http://127.0.0.1"
"""Without an API key no other name is served."""


@pytest.fixture(scope="session")
def collection() -> Collection:
    """Some cases of the sample, and the queries that they answer."""
    whole = sample_cases()
    documents = whole.documents[:160]
    known = {document.id for document in documents}
    qrels = {query.id: _among(whole.qrels[query.id], known) for query in whole.queries[:60]}
    queries = tuple(query for query in whole.queries if qrels.get(query.id))
    labels = {query.id: qrels[query.id] for query in queries}
    return replace(whole, documents=documents, queries=queries, qrels=labels, pools={})


def _among(labels: Mapping[str, int], known: set[str]) -> dict[str, int]:
    return {name: grade for name, grade in labels.items() if name in known}


@pytest.fixture(scope="session")
def index_dir(collection: Collection, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of lexgear whose generator has a say in the walk, as it would have after more training."""
    directory = tmp_path_factory.mktemp("served") / "index"
    ranker = Lexgear(QUICK_LEXGEAR).fit(collection)
    ranker.inference.weights = replace(ranker.inference.weights, generator=0.2, content=0.3)
    save(collection, ranker, directory)
    return directory


@pytest.fixture(scope="session")
def words_dir(collection: Collection, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index that can search but not judge."""
    directory = tmp_path_factory.mktemp("served") / "words"
    train(collection, BM25(), directory)
    return directory


@pytest.fixture(scope="session")
def index(index_dir: Path) -> Index:
    return Index.load(index_dir)


@pytest.fixture(scope="session")
def client(index_dir: Path) -> Iterator[TestClient]:
    with TestClient(create_app(index_dir), HERE) as client:
        yield client


@pytest.fixture(scope="session")
def unseen(collection: Collection) -> list[Query]:
    """The test queries."""
    return [query for query in collection.queries if query.split == "test"]
