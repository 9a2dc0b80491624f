"""Word vectors: similar texts have similar vectors, and the result is deterministic."""

import numpy as np
import pytest

from lexgear.corpus.sample.cases import sample_cases
from lexgear.docids.kmeans import kmeans_ids
from lexgear.docids.vectors import word_vectors
from lexgear.lexical.sparse import SparseWeights
from lexgear.lexical.words import chinese_words

DOCUMENTS = sample_cases().documents[:250]
TEXTS = [document.sections["fact"] for document in DOCUMENTS]


def test_they_are_the_best_vectors_of_their_size() -> None:
    """Eckart and Young: no other vectors approximate the weights better; a full SVD gives the same similarities."""
    vectors = word_vectors(TEXTS[:60], "zh", size=8)
    weights = SparseWeights.bm25([chinese_words(text) for text in TEXTS[:60]], k1=1.5, b=0.75)
    dense = np.stack([weights.sums([word]) for word in weights.words.values()], axis=1)
    left, strengths, _ = np.linalg.svd(dense, full_matrices=False)
    whole = left[:, :8] * strengths[:8]
    whole /= np.linalg.norm(whole, axis=1, keepdims=True)
    assert vectors @ vectors.T == pytest.approx(whole @ whole.T, abs=1e-3)


def test_cases_of_one_charge_lie_nearer_to_each_other_than_to_others() -> None:
    vectors = word_vectors(TEXTS, "zh")
    likeness = vectors @ vectors.T
    same = np.array([[set(a.charges) == set(b.charges) for b in DOCUMENTS] for a in DOCUMENTS])
    np.fill_diagonal(same, False)
    assert likeness[same].mean() > likeness[~same].mean() + 0.2


def test_the_same_texts_give_the_same_ids_every_time() -> None:
    first, second = (word_vectors(list(TEXTS), "zh") for _ in range(2))
    assert np.array_equal(first, second)
    assert np.array_equal(kmeans_ids(first).trie.symbol, kmeans_ids(second).trie.symbol)


@pytest.mark.parametrize("texts", [[], [""], ["。", ""], ["盗窃财物"], ["盗窃财物"] * 5, ["盗窃财物", "抢劫现金", ""]])
def test_no_collection_is_too_small(texts: list[str]) -> None:
    vectors = word_vectors(texts, "zh")
    assert np.isfinite(vectors).all()
    assert len(vectors) == len(texts)
    assert len(kmeans_ids(vectors).names) - kmeans_ids(vectors).law_symbols == len(texts)
