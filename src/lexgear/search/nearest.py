"""The nearest vectors by faiss (Johnson et al., 2021): all of them compared, or a graph of neighbours walked (HNSW)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.errors import InputError

INDEXES = ("exact", "faiss", "hnsw")
"""How vectors are searched: numpy's product with all of them, faiss's, or faiss's graph."""
NEIGHBOURS, BREADTH = 32, 200
"""Of HNSW: links a vector, and how many are kept in sight while building and searching."""


class FaissIndex:
    """Positions of the vectors with the largest inner products."""

    def __init__(self, vectors: NDArray[np.float32], kind: str) -> None:
        faiss = _faiss()
        width = vectors.shape[1]
        if kind == "hnsw":
            self._index = faiss.IndexHNSWFlat(width, NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
            self._index.hnsw.efConstruction = BREADTH
        else:
            self._index = faiss.IndexFlatIP(width)
        # One thread: links that two threads draw at once depend on which of them is first.
        threads = faiss.omp_get_max_threads()
        faiss.omp_set_num_threads(1)
        self._index.add(np.ascontiguousarray(vectors, dtype=np.float32))
        faiss.omp_set_num_threads(threads)
        self._hnsw = kind == "hnsw"

    def nearest(self, vector: NDArray[np.float32], k: int) -> NDArray[np.int64]:
        """The positions of the k nearest, or of all where there are fewer."""
        if self._hnsw:
            self._index.hnsw.efSearch = max(BREADTH, k)
        _, found = self._index.search(np.ascontiguousarray(vector[None], dtype=np.float32), k)
        positions: NDArray[np.int64] = found[0][found[0] >= 0]
        return positions


def _faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        problem = "an index of faiss needs faiss"
        raise InputError(problem, remedy="pip install 'lexgear[bench]', or set index=exact") from error
    return faiss
