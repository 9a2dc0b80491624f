"""Fixtures: one `lexgear` trained briefly on the whole sample, shared by all tests."""

import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Collection, Query
from lexgear.corpus.sample.cases import sample_cases
from lexgear.rankers.lexgear.ranker import Lexgear
from rankers.small import QUICK_LEXGEAR


@pytest.fixture(scope="session")
def sample() -> Collection:
    return sample_cases()


@pytest.fixture(scope="session")
def index(sample: Collection, tmp_path_factory: pytest.TempPathFactory) -> Index:
    return train(sample, Lexgear(QUICK_LEXGEAR), tmp_path_factory.mktemp("lexgear") / "index")


@pytest.fixture(scope="session")
def ranker(index: Index) -> Lexgear:
    assert isinstance(index.ranker, Lexgear)
    return index.ranker


@pytest.fixture(scope="session")
def unseen(sample: Collection) -> list[Query]:
    """The test queries."""
    return [query for query in sample.queries if query.split == "test"]
