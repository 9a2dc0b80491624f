"""Queries of old against plain dictionaries: a question asked again finds what answered it."""

from pathlib import Path

import numpy as np
import pytest

from lexgear.lexical.sparse import SparseWeights
from lexgear.rankers.asked import Asked

DOCUMENTS = [["lease", "rent"], ["lease", "tax"], ["road", "speed"], ["road"]]
QUERIES = [["rent", "late", "rent"], ["speed", "road"], ["unheard"]]
ANSWERS = [[0, 1], [2], [3]]


@pytest.fixture
def asked() -> Asked:
    return Asked.of(SparseWeights.bm25(DOCUMENTS, k1=1.5, b=0.75), QUERIES, ANSWERS)


def cosine(first: list[str], second: list[str]) -> float:
    """The same in plain dictionaries."""
    vectors = []
    for words in (first, second):
        rarity = {word: np.log(5 / (1 + sum(word in text for text in DOCUMENTS))) for word in words}
        known = {word: words.count(word) * rarity[word] for word in words if any(word in text for text in DOCUMENTS)}
        vectors.append(known)
    products = sum(value * vectors[1].get(word, 0.0) for word, value in vectors[0].items())
    lengths = [np.sqrt(sum(value**2 for value in vector.values())) for vector in vectors]
    return float(products / (lengths[0] * lengths[1]))


def test_a_document_is_worth_the_squared_cosines_to_the_queries_it_answered(asked: Asked) -> None:
    words = ["rent", "road", "tax"]
    expected = [cosine(words, QUERIES[0]) ** 2, cosine(words, QUERIES[0]) ** 2, cosine(words, QUERIES[1]) ** 2, 0.0]
    assert asked.scores(words).tolist() == pytest.approx(expected, abs=1e-6)


def test_the_same_question_scores_one(asked: Asked) -> None:
    assert asked.scores(["late", "rent"])[0] == pytest.approx(1.0)


@pytest.mark.parametrize("words", [[], ["unheard"]])
def test_a_query_without_known_words_was_never_asked(asked: Asked, words: list[str]) -> None:
    assert not asked.scores(words).any()


def test_without_training_queries_nothing_was_asked() -> None:
    nothing = Asked.of(SparseWeights.bm25(DOCUMENTS, k1=1.5, b=0.75), [], [])
    assert nothing.scores(["rent"]).tolist() == [0, 0, 0, 0]


def test_it_comes_back_from_disk(asked: Asked, tmp_path: Path) -> None:
    asked.save(tmp_path / "asked.npz")
    again = Asked.load(tmp_path / "asked.npz", asked.corpus)
    assert np.array_equal(again.scores(["rent", "speed"]), asked.scores(["rent", "speed"]))
