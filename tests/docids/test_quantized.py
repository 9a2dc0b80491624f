"""Product quantisation: codes stand for vectors, IDs are the codes."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from lexgear.docids.quantized import Codebook, number_duplicates, quantized_ids
from lexgear.errors import InputError

CHANCE = np.random.default_rng(7)
VECTORS = (CHANCE.normal(size=(12, 10))[CHANCE.integers(0, 12, 300)] + CHANCE.normal(size=(300, 10)) / 9).astype("f4")


def error(of: NDArray[np.float32]) -> float:
    return float(np.square(of - VECTORS).sum(axis=1).mean())


def test_codes_reconstruct_their_vectors() -> None:
    book = Codebook.of(VECTORS, subspaces=3, codewords=16)
    codes = book.encode(VECTORS)
    assert codes.shape == (300, 3)
    assert [words.shape[1] for words in book.words] == [4, 3, 3]
    drawn = np.column_stack([np.random.default_rng(1).permutation(column) for column in codes.T])
    assert error(book.decode(codes)) < 0.05 * error(book.decode(drawn))
    assert np.array_equal(book.encode(book.decode(codes)), codes)


def test_no_other_code_is_nearer() -> None:
    book = Codebook.of(VECTORS, subspaces=2, codewords=4)
    every = np.array(np.meshgrid(*(range(len(words)) for words in book.words))).reshape(2, -1).T
    distances = np.square(VECTORS[:, None] - book.decode(every)[None]).sum(axis=2)
    assert np.array_equal(every[distances.argmin(axis=1)], book.encode(VECTORS))


def test_more_code_words_or_more_subspaces_lose_less() -> None:
    few, more, finer = (
        Codebook.of(VECTORS, subspaces=subspaces, codewords=codewords)
        for subspaces, codewords in ((2, 2), (2, 12), (5, 12))
    )
    lost = [error(book.decode(book.encode(VECTORS))) for book in (few, more, finer)]
    assert lost == sorted(lost, reverse=True)


def test_ids_are_codes_with_symbols_of_their_own_in_every_place_and_ties_are_numbered() -> None:
    codes = Codebook.of(VECTORS, subspaces=3, codewords=5).encode(VECTORS)
    ids = quantized_ids(codes, ids=[f"c{place}" for place in range(len(codes))])
    times = Counter(map(tuple, codes.tolist()))
    assert max(times.values()) > 1
    symbols: list[set[int]] = [set(), set(), set(), set()]
    for place, code in enumerate(codes.tolist()):
        [path] = ids.document_paths(place)
        assert [ids.names[symbol] for symbol in path[:3]] == [f"{at}/{word}" for at, word in enumerate(code)]
        assert len(path) == (4 if times[tuple(code)] > 1 else 3)
        for at, symbol in enumerate(path):
            symbols[at].add(symbol)
        assert ids.node_name(int(ids.trie.leaves_of(place)[0])) == f"c{place}"
    assert sum(map(len, symbols)) == len(set().union(*symbols)) <= ids.law_symbols
    assert len({tuple(ids.document_paths(place)[0]) for place in range(len(codes))}) == len(codes)


def test_vectors_all_alike_and_vectors_of_one_dimension_have_ids_too() -> None:
    alike = Codebook.of(np.ones((3, 1)), subspaces=4, codewords=8)
    assert quantized_ids(alike.encode(np.ones((3, 1)))).document_count == 3


def test_paths_that_others_share_or_go_on_from_are_numbered() -> None:
    assert number_duplicates([("a",), ("a", "b"), ("c",), ("c",), ("d",)]) == [0, -1, 0, 1, -1]


@pytest.mark.parametrize(
    ("vectors", "subspaces", "problem"),
    [
        (np.array([[1.0], [np.nan]]), 1, "without NaN"),
        (np.ones(3), 1, "one vector per document"),
        (np.ones((3, 1)), 0, "one sub-space"),
    ],
)
def test_vectors_that_cannot_be_quantised_are_refused(
    vectors: NDArray[np.float64], subspaces: int, problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        Codebook.of(vectors, subspaces=subspaces, codewords=4)
    with pytest.raises(InputError, match="1 document ids for 2 codes"):
        quantized_ids(np.zeros((2, 1), np.int64), ids=["a"])
