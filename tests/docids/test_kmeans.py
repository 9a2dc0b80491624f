"""k-means IDs: similar documents share digits, and every document has one ID."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.docids.kmeans import kmeans, kmeans_ids
from lexgear.errors import InputError


def blobs(count: int, size: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return well separated groups of points, members interleaved."""
    centres = np.random.default_rng(3).normal(size=(count, 8)) * 100
    noise = np.random.default_rng(4).normal(size=(count * size, 8))
    return np.tile(centres, (size, 1)) + noise


def test_documents_that_lie_together_share_their_first_digit() -> None:
    ids = kmeans_ids(blobs(5, 8), branching=5, leaf_size=8)
    first = [ids.document_paths(position)[0][0] for position in range(40)]
    assert [set(first[group::5]) for group in range(5)] == [{first[group]} for group in range(5)]
    assert len(set(first)) == 5


@settings(max_examples=40)
@given(
    documents=st.integers(0, 120),
    branching=st.integers(2, 6),
    leaf_size=st.integers(1, 6),
    values=st.integers(1, 40),
)
def test_every_document_has_one_id_of_its_own_and_clusters_stay_small(
    documents: int, branching: int, leaf_size: int, values: int
) -> None:
    vectors = np.random.default_rng(documents).integers(0, values, size=(documents, 1)).astype(float)
    ids = kmeans_ids(vectors, branching=branching, leaf_size=leaf_size)
    trie = ids.trie
    assert [trie.document[leaf].tolist() for leaf in map(trie.leaves_of, range(documents))] == [
        [position] for position in range(documents)
    ]
    for node in trie.internal_nodes.tolist():
        below = trie.document[trie.first_child[node] :][: trie.child_count[node]]
        assert (below >= 0).all() or (below < 0).all()
        assert len(below) <= (leaf_size if (below >= 0).any() else branching)
    assert trie.symbol.max() < ids.law_symbols == max(branching, leaf_size)


def test_the_same_seed_gives_the_same_ids_and_names_stay_with_their_documents() -> None:
    names = [f"c{number}" for number in range(300)]
    first, second = (kmeans_ids(blobs(30, 10), seed=5, ids=names) for _ in range(2))
    assert np.array_equal(first.trie.symbol, second.trie.symbol)
    assert np.array_equal(first.trie.document, second.trie.document)
    leaf = int(first.trie.leaves_of(17)[0])
    assert first.node_name(leaf) == "c17"
    assert first.format_id(leaf) == "-".join(["0", *map(str, first.document_paths(17)[0])])
    assert first.node_kind(int(first.trie.parent[leaf])) == "cluster"


def test_the_best_of_ten_k_means_is_the_best_of_all_splits() -> None:
    points = np.array([[0.0], [1.0], [5.0], [6.5], [20.0], [21.0], [22.0]], dtype=np.float32)

    def spread(groups: tuple[int, ...]) -> float:
        members = [points[np.array(groups) == group] for group in set(groups)]
        return float(sum(((part - part.mean()) ** 2).sum() for part in members))

    found = (spread(tuple(kmeans(points, 3, np.random.default_rng(seed)).tolist())) for seed in range(10))
    assert min(found) == pytest.approx(min(spread(groups) for groups in itertools.product(range(3), repeat=7)))


def test_a_cluster_of_copies_is_dealt_out_evenly() -> None:
    ids = kmeans_ids(np.ones((100, 3)), branching=10, leaf_size=10)
    assert [len(level) for level in ids.trie.levels()] == [1, 10, 100]


@pytest.mark.parametrize(
    ("vectors", "branching", "problem"),
    [
        (np.array([[1.0], [np.nan]]), 10, "without NaN"),
        (np.ones(3), 10, "one vector per document"),
        (np.ones((3, 1)), 1, "branching of at least 2"),
    ],
)
def test_vectors_that_cannot_be_split_are_refused(
    vectors: np.ndarray[tuple[int, ...], np.dtype[np.float64]], branching: int, problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        kmeans_ids(vectors, branching=branching)


def test_by_level_a_digit_has_its_own_symbol_at_every_level() -> None:
    shared = kmeans_ids(blobs(30, 10), branching=5, leaf_size=6)
    own = kmeans_ids(blobs(30, 10), branching=5, leaf_size=6, by_level=True)
    for position in range(300):
        [path], [digits] = own.document_paths(position), shared.document_paths(position)
        assert [own.names[symbol] for symbol in path] == [f"{level}-{digit}" for level, digit in enumerate(digits)]
    assert own.document_count == 300
