"""Word indexes: shared words, and arrays that do not fit together."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.errors import ErrorCode, InputError
from lexgear.lexical.array_files import read_arrays, save_arrays
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.word_index import CountedSegment, WordIndex, bm25_weights

texts = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=12), min_size=1, max_size=8)


def index_of(*parts: list[list[str]]) -> WordIndex:
    return WordIndex([CountedSegment.of(WordCounts.of(part)) for part in parts], bm25_weights(1.5, 0.75))


@given(texts, texts, st.lists(st.sampled_from("abcdefghi"), max_size=9))
def test_shared_words_of_a_document_add_up_to_its_score(
    first: list[list[str]], second: list[list[str]], query: list[str]
) -> None:
    index, documents = index_of(first, second), [*first, *second]
    scores = index.sums(query)
    order = list(reversed(range(len(documents))))
    for position, shared in zip(order, index.shared(query, order, 100), strict=True):
        assert {word for word, _ in shared} == set(query) & set(documents[position])
        assert sum(weight for _, weight in shared) == pytest.approx(float(scores[position]), abs=1e-5)
        assert [weight for _, weight in shared] == sorted((weight for _, weight in shared), reverse=True)


def test_only_the_words_that_add_most_are_returned() -> None:
    index = index_of([["rent", "tax", "road"], ["tax"], ["tax", "road"]])
    [shared] = index.shared(Counter({"rent": 1, "tax": 1, "road": 2}).elements(), [0], 2)
    assert [word for word, _ in shared] == ["rent", "road"]


@pytest.mark.parametrize("wrong", [-1, 3, 2**31 - 1])
def test_a_document_that_does_not_exist_is_reported_when_its_word_is_first_used(tmp_path: Path, wrong: int) -> None:
    WordCounts.of([["rent", "tax"], ["tax"], ["road"]]).save(tmp_path / "words.npz")
    arrays = {name: np.array(array) for name, array in read_arrays(tmp_path / "words.npz", ()).items()}
    arrays["documents"][-1] = wrong  # of the word "tax"
    save_arrays(tmp_path / "words.npz", **arrays)
    counts, _ = WordCounts.load(tmp_path / "words.npz")
    index = WordIndex([CountedSegment.of(counts)], bm25_weights(1.5, 0.75))
    assert index.sums(["rent", "road"]).tolist() != [0, 0, 0]
    for use in (lambda: index.sums(["tax"]), lambda: index.shared(["tax"], [0], 1), counts.checked):
        with pytest.raises(InputError) as found:
            use()
        assert found.value.code == ErrorCode.INDEX_DAMAGED


@pytest.mark.parametrize(("name", "wrong"), [("lengths", [1, -1, 1]), ("lengths", [1]), ("totals", [-1, 1, 1])])
def test_numbers_of_words_that_cannot_be_are_reported_on_loading(tmp_path: Path, name: str, wrong: list[int]) -> None:
    WordCounts.of([["rent", "tax"], ["tax"], ["road"]]).save(tmp_path / "words.npz")
    arrays = dict(read_arrays(tmp_path / "words.npz", ())) | {name: np.array(wrong, np.int64)}
    save_arrays(tmp_path / "other.npz", **arrays)
    with pytest.raises(InputError, match=f"the array '{name}'"):
        WordCounts.load(tmp_path / "other.npz")
