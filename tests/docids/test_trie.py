"""Array trie: every path leads to its document, every document to its paths, and there are no other nodes."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.docids.trie import NAMES, Trie
from lexgear.errors import InputError

Ids = dict[tuple[int, ...], int]
LEAF = 100
"""First document symbol, so that no ID is a prefix of another."""


@st.composite
def document_ids(draw: st.DrawFn) -> Ids:
    """Up to 40 IDs of one to five symbols, each the ID of one of up to 12 documents."""
    prefixes = draw(st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=40))
    owners = [draw(st.integers(0, 11)) for _ in prefixes]
    return {(*prefix, LEAF + owner): owner for prefix, owner in zip(prefixes, owners, strict=True)}


def built(ids: Ids, *bare: tuple[int, ...]) -> Trie:
    rows = [*ids, *bare]
    paths = np.full((len(rows), max(map(len, rows), default=0)), -1)
    for row, path in zip(paths, rows, strict=True):
        row[: len(path)] = path
    return Trie.build(paths, np.array([*ids.values(), *(-1 for _ in bare)], dtype=int))


def dict_trie(ids: Ids) -> set[tuple[int, ...]]:
    """Return all nodes as the set of all prefixes of IDs: a second implementation."""
    return {()} | {path[:length] for path in ids for length in range(1, len(path) + 1)}


@given(document_ids())
def test_every_path_leads_to_its_document_and_every_document_to_its_paths(ids: Ids) -> None:
    trie = built(ids)
    assert {trie.path(int(leaf)): int(trie.document[leaf]) for leaf in np.flatnonzero(trie.leaf_mask)} == ids
    for document in range(12):
        paths = [trie.path(leaf) for leaf in trie.leaves_of(document).tolist()]
        assert sorted(paths) == sorted(path for path, owner in ids.items() if owner == document)


@given(document_ids())
def test_walking_down_by_children_reaches_every_beginning_of_an_id_and_nothing_else(ids: Ids) -> None:
    trie = built(ids)
    reached: list[tuple[int, ...]] = []
    stack: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while stack:
        node, path = stack.pop()
        reached.append(path)
        below = trie.children(node)
        symbols = [int(trie.symbol[child]) for child in below]
        assert symbols == sorted(set(symbols))
        assert all(trie.parent[child] == node for child in below)
        stack += [(child, (*path, symbol)) for child, symbol in zip(below, symbols, strict=True)]
    assert len(reached) == trie.node_count
    assert set(reached) == dict_trie(ids)


@given(document_ids())
def test_nodes_are_numbered_level_by_level(ids: Ids) -> None:
    trie = built(ids)
    levels = trie.levels()
    assert [node for level in levels for node in level] == list(range(trie.node_count))
    for depth, level in enumerate(levels):
        assert all(len(trie.path(node)) == trie.depth[node] == depth for node in level)


@given(document_ids())
def test_siblings_are_ranked_from_the_first_child(ids: Ids) -> None:
    trie = built(ids)
    assert (trie.sibling_rank(0), trie.sibling_count(0)) == (0, 1)
    for node in range(trie.node_count):
        below = trie.children(node)
        assert [trie.sibling_rank(child) for child in below] == list(range(len(below)))
        assert {trie.sibling_count(child) for child in below} <= {len(below)}


@settings(max_examples=40)
@given(ids=document_ids())
def test_a_trie_saved_and_loaded_is_the_same(ids: Ids, tmp_path_factory: pytest.TempPathFactory) -> None:
    trie, file = built(ids), tmp_path_factory.mktemp("trie") / "docids.npz"
    trie.save(file)
    loaded = Trie.load(file)
    for name in NAMES:
        before, after = getattr(trie, name), getattr(loaded, name)
        assert before.dtype == after.dtype == np.int32
        assert np.array_equal(before, after)


def test_paths_without_a_document_keep_their_nodes() -> None:
    trie = built({(1, LEAF): 0}, (1,), (2, 3), (2, 3))
    assert trie.node_count == 5
    assert np.count_nonzero(trie.leaf_mask) == 1
    assert [trie.path(node) for node in trie.internal_nodes.tolist()] == [(), (1,), (2,), (2, 3)]


def test_without_documents_only_the_root_is_left() -> None:
    trie = built({})
    assert (trie.node_count, trie.levels(), list(trie.children(0))) == (1, (range(1),), [])
    assert trie.leaves_of(0).tolist() == []


@pytest.mark.parametrize(
    ("paths", "problem"),
    [
        ([[1, 7], [1, 7]], "several documents"),
        ([[1, -1], [1, 7]], "is a prefix of another"),
        ([[-1, -1], [1, 7]], "is a prefix of another"),
        ([[-1, 1], [1, 7]], "a gap"),
    ],
)
def test_ids_that_cannot_be_told_apart_are_refused(paths: list[list[int]], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Trie.build(np.array(paths), np.array([0, 1]))


def test_a_file_that_is_no_trie_is_named(tmp_path: Path) -> None:
    file = tmp_path / "docids.npz"
    with pytest.raises(InputError, match=r"docids\.npz: no such file"):
        Trie.load(file)
    file.write_bytes(b"not an archive")
    with pytest.raises(InputError, match=r"docids\.npz: unreadable array file"):
        Trie.load(file)


def test_many_documents_are_built_in_bulk_at_no_more_than_32_bytes_a_node() -> None:
    documents = 200_000
    charge = np.arange(documents) * 7919 % 400
    paths = np.stack([charge // 100, 4 + charge // 10, 50 + charge, 500 + np.arange(documents)], axis=1)
    trie = Trie.build(paths, np.arange(documents))
    assert [len(level) for level in trie.levels()] == [1, 4, 40, 400, documents]
    assert trie.path(int(trie.leaves_of(123_456)[0])) == tuple(paths[123_456].tolist())
    assert sum(getattr(trie, name).nbytes for name in NAMES) <= 32 * trie.node_count
