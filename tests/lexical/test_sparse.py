import math
from collections import Counter
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.errors import InputError
from lexgear.lexical.array_files import pack_strings, unpack_strings
from lexgear.lexical.sparse import SparseWeights

words = st.sampled_from("abcdefgh")
texts = st.lists(st.lists(words, max_size=12), min_size=1, max_size=8).filter(any)
queries = st.lists(words, max_size=6)


def brute_bm25(documents: list[list[str]], query: list[str], k1: float, b: float) -> list[float]:
    average = sum(map(len, documents)) / len(documents)
    scores = []
    for document in documents:
        counts, score = Counter(document), 0.0
        for word in query:
            holding = sum(word in other for other in documents)
            if holding:
                idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
                length = 1 - b + b * len(document) / average
                score += idf * counts[word] / (counts[word] + k1 * length)
        scores.append(score)
    return scores


@given(texts, queries)
def test_bm25_sums_equal_the_formula_worked_out_word_by_word(documents: list[list[str]], query: list[str]) -> None:
    weights = SparseWeights.bm25(documents, k1=1.5, b=0.75)
    expected = brute_bm25(documents, query, 1.5, 0.75)
    assert weights.sums(weights.known(query)) == pytest.approx(expected, abs=1e-4)


@given(texts, queries)
def test_bm25_sums_equal_those_of_bm25s(documents: list[list[str]], query: list[str]) -> None:
    weights = SparseWeights.bm25(documents, k1=1.2, b=0.6)
    theirs = bm25s.BM25(k1=1.2, b=0.6, method="lucene")
    theirs.index(documents, show_progress=False)
    known = [word for word in query if any(word in document for document in documents)]
    expected = theirs.get_scores(known) if known else np.zeros(len(documents))
    assert weights.sums(weights.known(query)) == pytest.approx(expected, abs=1e-5)


@given(st.lists(st.text(st.characters(exclude_characters="\n"), min_size=1)))
def test_strings_come_back_as_they_were(names: list[str]) -> None:
    assert unpack_strings(pack_strings(names)) == names


def test_weights_are_saved_as_plain_arrays(tmp_path: Path) -> None:
    weights = SparseWeights.bm25([["甲", "乙"], ["乙"]], k1=1.2, b=0.5)
    weights.save(tmp_path / "words.npz", more=np.arange(3))
    loaded, more = SparseWeights.load(tmp_path / "words.npz")
    assert loaded.words == weights.words
    assert np.array_equal(loaded.weights, weights.weights)
    assert more["more"].tolist() == [0, 1, 2]


def test_a_damaged_array_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words.npz").write_bytes(b"PK\x03\x04 nonsense")
    with pytest.raises(InputError, match=r"words\.npz"):
        SparseWeights.load(tmp_path / "words.npz")
