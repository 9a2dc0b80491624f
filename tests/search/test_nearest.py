import sys

import numpy as np
import pytest

from lexgear.errors import InputError
from lexgear.search.nearest import FaissIndex

CHANCE = np.random.default_rng(0)
VECTORS = CHANCE.normal(size=(500, 16)).astype(np.float32)
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)
ASKED = VECTORS[:20] + 0.1 * CHANCE.normal(size=(20, 16)).astype(np.float32)


def test_faiss_finds_what_a_product_with_all_vectors_finds() -> None:
    index = FaissIndex(VECTORS, "faiss")
    for vector in ASKED:
        assert index.nearest(vector, 10).tolist() == np.argsort(-(VECTORS @ vector), kind="stable")[:10].tolist()


def test_the_graph_finds_nearly_all_of_them_and_the_same_every_time() -> None:
    first, again = FaissIndex(VECTORS, "hnsw"), FaissIndex(VECTORS, "hnsw")
    shares = []
    for vector in ASKED:
        found = first.nearest(vector, 10)
        assert found.tolist() == again.nearest(vector, 10).tolist()
        shares.append(np.isin(found, np.argsort(-(VECTORS @ vector))[:10]).mean())
    assert np.mean(shares) > 0.95


def test_no_more_are_found_than_there_are() -> None:
    assert sorted(FaissIndex(VECTORS[:3], "faiss").nearest(ASKED[0], 10).tolist()) == [0, 1, 2]


def test_without_faiss_one_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(InputError, match=r"needs faiss .*lexgear\[bench\].*index=exact"):
        FaissIndex(VECTORS, "faiss")
