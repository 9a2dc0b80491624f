"""Scores by past questions, compared with plain dictionaries."""

import numpy as np
import pytest

from lexgear.lexical.sparse import SparseWeights
from lexgear.rankers.lexgear.features.past_questions import SCALE, PastQuestions
from lexgear.rankers.lexgear.features.training_queries import Question

DOCUMENTS = [["lease", "rent"], ["lease", "tax"], ["road", "speed"], ["road"]]
NAMES = ["a", "b", "c", "d"]
QUERIES = [["rent", "late", "rent"], ["speed", "road"], ["unheard"]]
ANSWERS = [("a", "b"), ("gone", "c"), ("d",)]
QUESTIONS = [Question(str(at), tuple(words), ANSWERS[at]) for at, words in enumerate(QUERIES)]


@pytest.fixture
def past_questions() -> PastQuestions:
    return PastQuestions.of(SparseWeights.bm25(DOCUMENTS, k1=1.5, b=0.75), QUESTIONS, NAMES)


def cosine(first: list[str], second: list[str]) -> float:
    """Return the TF-IDF cosine, computed with plain dictionaries."""
    texts = [set(text) for text in [*DOCUMENTS, *QUERIES]]
    vectors = []
    for words in (first, second):
        found_in = {word: sum(word in text for text in texts) for word in words}
        known = {word: found for word, found in found_in.items() if found}
        vectors.append(
            {word: (1 + np.log(words.count(word))) * np.log(8 / (1 + found)) for word, found in known.items()}
        )
    products = sum(value * vectors[1].get(word, 0.0) for word, value in vectors[0].items())
    lengths = [np.sqrt(sum(value**2 for value in vector.values())) for vector in vectors]
    return float(products / (lengths[0] * lengths[1]))


def test_a_document_scores_the_squared_and_the_largest_cosine_of_its_queries(
    past_questions: PastQuestions,
) -> None:
    words = ["rent", "road", "tax"]
    near = np.array([cosine(words, QUERIES[0]), cosine(words, QUERIES[0]), cosine(words, QUERIES[1]), 0.0])
    summed, nearest = past_questions.scores(words)
    assert summed.tolist() == pytest.approx(SCALE * near**2, abs=1e-5)
    assert nearest.tolist() == pytest.approx(SCALE * near, abs=1e-5)


def test_a_document_with_two_queries_has_the_sum_and_the_largest_of_both() -> None:
    twice = [Question("1", ("rent", "late"), ("a",)), Question("2", ("rent", "tax"), ("a",))]
    summed, nearest = PastQuestions.of(SparseWeights.bm25(DOCUMENTS, k1=1.5, b=0.75), twice, NAMES).scores(
        ["rent", "tax"]
    )
    assert nearest[0] == pytest.approx(SCALE)
    assert SCALE < summed[0] < 2 * SCALE


def test_an_equal_training_query_counts_only_if_included(past_questions: PastQuestions) -> None:
    same = ["late", "rent", "rent"]
    assert [part[0] for part in past_questions.scores(same)] == pytest.approx([SCALE, SCALE])
    assert not any(part.any() for part in past_questions.scores(same, include_same=False))


@pytest.mark.parametrize("words", [[], ["never"]])
def test_a_query_without_known_words_scores_zero(past_questions: PastQuestions, words: list[str]) -> None:
    assert not any(part.any() for part in past_questions.scores(words))


def test_without_training_queries_all_scores_are_zero() -> None:
    nothing = PastQuestions.of(SparseWeights.bm25(DOCUMENTS, k1=1.5, b=0.75), [], NAMES)
    assert [part.tolist() for part in nothing.scores(["rent"])] == [[0, 0, 0, 0], [0, 0, 0, 0]]


def test_an_answer_counts_again_when_its_document_is_added_again() -> None:
    weights = SparseWeights.bm25(DOCUMENTS[:2], k1=1.5, b=0.75)
    past_questions = [
        PastQuestions.of(weights, QUESTIONS, names).scores(QUERIES[0])[1] for names in (["a", "x"], ["a", "b"])
    ]
    assert past_questions[0].tolist() == pytest.approx([SCALE, 0])
    assert past_questions[1].tolist() == pytest.approx([SCALE, SCALE])
