"""Scores by past questions, compared with plain dictionaries."""

import numpy as np
import pytest

from lexgear.lexical.counts import WordCounts
from lexgear.lexical.word_index import CountedSegment, WordIndex, bm25_weights
from lexgear.rankers.document_ids import DocumentIds
from lexgear.rankers.lexgear.features.past_questions import SCALE, VOTE_SHARPNESS, PastQuestions
from lexgear.rankers.lexgear.features.training_queries import Question

DOCUMENTS = [["lease", "rent"], ["lease", "tax"], ["road", "speed"], ["road"]]
NAMES = DocumentIds(["a", "b", "c", "d"])
QUERIES = [["rent", "late", "rent"], ["speed", "road"], ["unheard"]]
ANSWERS = [("a", "b"), ("gone", "c"), ("d",)]
QUESTIONS = [Question(str(at), tuple(words), ANSWERS[at]) for at, words in enumerate(QUERIES)]


def words_of(documents: list[list[str]]) -> WordIndex:
    return WordIndex([CountedSegment.of(WordCounts.of(documents))], bm25_weights(1.5, 0.75))


@pytest.fixture
def past_questions() -> PastQuestions:
    return PastQuestions.of(words_of(DOCUMENTS), QUESTIONS, NAMES)


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


def test_a_document_scores_the_largest_cosine_and_its_share_of_the_vote(past_questions: PastQuestions) -> None:
    words = ["rent", "road", "tax"]
    near = np.array([cosine(words, QUERIES[0]), cosine(words, QUERIES[1]), 0.0])
    share, nearest = past_questions.scores(words)
    votes = np.where(near > 0, np.exp(VOTE_SHARPNESS * near), 0)
    votes /= votes.sum()
    assert nearest.tolist() == pytest.approx(SCALE * near[[0, 0, 1, 2]], abs=1e-5)
    assert share.tolist() == pytest.approx(SCALE * votes[[0, 0, 1, 2]], abs=1e-4)


def test_scores_are_bounded_however_many_queries_a_document_answered() -> None:
    many = [Question(str(at), ("rent", "late"), ("a",)) for at in range(500)]
    other = Question("other", ("road",), ("c",))
    found = PastQuestions.of(words_of(DOCUMENTS), [*many, other], NAMES)
    assert all(part.max() <= SCALE + 1e-5 for part in found.scores(["rent", "late"]))


def test_vectors_of_queries_count_as_much_as_their_words() -> None:
    vectors = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]], np.float32)
    corpus = words_of(DOCUMENTS)
    with_vectors = PastQuestions.of(corpus, QUESTIONS, NAMES, vectors)
    _, by_words = with_vectors.scores(["unheard"])
    _, by_both = with_vectors.scores(["unheard"], np.array([1.0, 0.0]))
    stretched = (1 - 1.6 / 3) / (1 - 1.6 / 3)  # the first query has the largest cosine, the others' mean is 0
    assert by_both[0] == pytest.approx(SCALE * stretched / 2)
    assert by_both[3] == pytest.approx(by_words[3] / 2)


def test_an_equal_training_query_counts_only_if_included(past_questions: PastQuestions) -> None:
    same = ["late", "rent", "rent"]
    share, nearest = past_questions.scores(same)
    assert nearest[0] == pytest.approx(SCALE)
    assert share[0] == pytest.approx(SCALE, rel=0.01)
    assert not any(part[0] for part in past_questions.scores(same, include_same=False))


def test_without_training_queries_nothing_is_scored() -> None:
    none = PastQuestions.of(words_of(DOCUMENTS), [], NAMES)
    assert not any(part.any() for part in none.scores(["rent"], np.array([1.0, 0.0])))


@pytest.mark.parametrize("words", [[], ["never"]])
def test_a_query_without_known_words_scores_zero(past_questions: PastQuestions, words: list[str]) -> None:
    assert not any(part.any() for part in past_questions.scores(words))


def test_an_answer_counts_again_when_its_document_is_added_again() -> None:
    weights = words_of(DOCUMENTS[:2])
    past_questions = [
        PastQuestions.of(weights, QUESTIONS, DocumentIds(names)).scores(QUERIES[0])[1]
        for names in (["a", "x"], ["a", "b"])
    ]
    assert past_questions[0].tolist() == pytest.approx([SCALE, 0])
    assert past_questions[1].tolist() == pytest.approx([SCALE, SCALE])
