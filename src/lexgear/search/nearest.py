"""Nearest vectors with faiss (Johnson et al., 2021): exhaustive, or by an HNSW graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.errors import ErrorCode, InputError

INDEXES = ("exact", "faiss", "hnsw")
"""Vector search methods: exhaustive with numpy, exhaustive with faiss, or faiss HNSW."""
NEIGHBOURS, BREADTH = 32, 200
"""HNSW parameters: links per vector, and candidates during construction and search."""


class FaissIndex:
    """Index of vectors for the largest inner products."""

    def __init__(self, vectors: NDArray[np.float32], kind: str) -> None:
        faiss = _faiss()
        width = vectors.shape[1]
        if kind == "hnsw":
            self._index = faiss.IndexHNSWFlat(width, NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
            self._index.hnsw.efConstruction = BREADTH
        else:
            self._index = faiss.IndexFlatIP(width)
        # One thread: with several, the links depend on the order of insertion.
        threads = faiss.omp_get_max_threads()
        faiss.omp_set_num_threads(1)
        self._index.add(np.ascontiguousarray(vectors, dtype=np.float32))
        faiss.omp_set_num_threads(threads)
        self._hnsw = kind == "hnsw"

    def nearest(self, vector: NDArray[np.float32], k: int) -> NDArray[np.int64]:
        """Return the positions of the k nearest vectors, or of all if there are fewer."""
        if self._hnsw:
            self._index.hnsw.efSearch = max(BREADTH, k)
        _, found = self._index.search(np.ascontiguousarray(vector[None], dtype=np.float32), k)
        positions: NDArray[np.int64] = found[0][found[0] >= 0]
        return positions


def _faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise InputError(
            "the vector index needs faiss",
            code=ErrorCode.MISSING_DEPENDENCY,
            remedy="pip install 'lexgear[bench]', or use the setting index=exact",
            package="faiss-cpu",
        ) from error
    return faiss
