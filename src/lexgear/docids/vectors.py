"""One vector per document from its words, for k-means IDs without an encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.sparse import SparseWeights
from lexgear.lexical.words import segmenter

SIZE = 64
"""Dimensions; with ten clusters per level, more do not separate them better."""
NOISE_LEVEL = 1e-6
"""Singular values below this share of the largest are rounding noise."""


def word_vectors(texts: Sequence[str], language: str, size: int = SIZE) -> NDArray[np.float32]:
    """Return unit vectors by a truncated SVD of BM25 weights (latent semantic analysis), the same on every run.

    A text without words has the zero vector.
    """
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import svds

    cut = segmenter(language)
    words = [cut(text) for text in texts]
    if not any(words):
        return np.zeros((len(texts), 1), np.float32)
    weights = SparseWeights.bm25(words, k1=1.5, b=0.75)
    table = csc_matrix((weights.weights, weights.documents, weights.starts), (len(texts), len(weights.words)))
    table = table.astype(np.float64)
    most = min(table.shape) - 1
    if most < 1:
        return np.asarray(table.toarray(), dtype=np.float32)
    # The weights are positive, so a start vector of ones is never orthogonal to the leading direction.
    left, strengths, _ = svds(table, k=min(size, most), v0=np.ones(min(table.shape)), solver="arpack")
    order = np.argsort(-strengths, kind="stable")
    left, strengths = left[:, order], strengths[order]
    # Signs of singular vectors are arbitrary: the first of the largest entries becomes positive.
    largest = np.abs(left) > 0.999 * np.abs(left).max(axis=0)
    left = left * np.sign(left[largest.argmax(axis=0), np.arange(left.shape[1])])
    vectors = left * np.where(strengths > NOISE_LEVEL * strengths[0], strengths, 0.0)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.round(vectors / np.maximum(lengths, NOISE_LEVEL), 5), dtype=np.float32)
