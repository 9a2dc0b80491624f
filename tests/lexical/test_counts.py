"""Word counts against plain dictionaries, whatever the order of additions and removals."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.errors import InputError
from lexgear.lexical import counts as word_counts
from lexgear.lexical import merging
from lexgear.lexical.counts import WordCounts, count_together, merged

texts = st.lists(st.lists(st.sampled_from("abcdefgh甲乙"), max_size=12), max_size=8)


def plain(counts: WordCounts) -> list[Counter[str]]:
    """Return one dictionary per document."""
    rows: list[Counter[str]] = [Counter() for _ in range(counts.document_count)]
    for number, word in enumerate(counts.words):
        for entry in range(counts.starts[number], counts.starts[number + 1]):
            rows[counts.documents[entry]][word] = int(counts.times[entry])
    return rows


def same(one: WordCounts, other: WordCounts) -> bool:
    """Compare all arrays byte by byte."""
    arrays = [(getattr(one, name), getattr(other, name)) for name in ("starts", "documents", "times")]
    alike = all(np.array_equal(first, second) and first.dtype == second.dtype for first, second in arrays)
    return alike and one.words == other.words and one.document_count == other.document_count


@given(texts)
def test_every_word_of_every_document_is_counted(documents: list[list[str]]) -> None:
    counts = WordCounts.of(documents)
    assert plain(counts) == [Counter(document) for document in documents]
    assert counts.lengths.tolist() == [len(document) for document in documents]
    assert list(counts.words) == sorted({word for document in documents for word in document})


@given(texts, texts)
def test_documents_that_come_later_are_counted_as_if_they_had_come_at_once(
    first: list[list[str]], later: list[list[str]]
) -> None:
    assert same(merged([WordCounts.of(first), WordCounts.of(later)]), WordCounts.of(first + later))


@given(texts, st.data())
def test_documents_that_go_leave_nothing_behind(documents: list[list[str]], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(documents)))) if documents else []
    kept = order[: data.draw(st.integers(0, len(documents)))]
    assert same(WordCounts.of(documents).rows(kept), WordCounts.of([documents[place] for place in kept]))
    emptied = [[] if place in kept else document for place, document in enumerate(documents)]
    assert same(WordCounts.of(documents).without(kept), WordCounts.of(emptied))


@given(st.lists(texts, max_size=4), st.data())
def test_live_documents_of_several_parts_are_merged_range_by_range(
    groups: list[list[list[str]]], data: st.DataObject
) -> None:
    masks = [data.draw(st.lists(st.booleans(), min_size=len(one), max_size=len(one))) for one in groups]
    live = [None if all(mask) and data.draw(st.booleans()) else np.array(mask, np.bool_) for mask in masks]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "POSTINGS_PER_BLOCK", 2)
        found = merged([WordCounts.of(one) for one in groups], live)
    kept = [
        text
        for one, mask in zip(groups, masks, strict=True)
        for text, is_live in zip(one, mask, strict=True)
        if is_live
    ]
    assert same(found, WordCounts.of(kept))


def test_counts_come_back_from_disk_however_large_they_are(tmp_path: Path) -> None:
    counts = WordCounts.of([["a"] * 300, ["b", "a"], []])
    counts.save(tmp_path / "counts.npz", more=np.arange(2))
    loaded, more = WordCounts.load(tmp_path / "counts.npz")
    assert same(loaded, counts)
    assert more["more"].tolist() == [0, 1]


def test_a_file_of_other_arrays_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "counts.npz", words=np.zeros(1))
    with pytest.raises(InputError, match=r"counts\.npz: the array 'starts' is missing \(build the index again\)"):
        WordCounts.load(tmp_path / "counts.npz")


@given(texts)
def test_texts_counted_together_are_counted_as_each_alone(documents: list[list[str]]) -> None:
    reversed_words = [document[::-1][:3] for document in documents]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_counts, "TEXTS_PER_BLOCK", 2)
        first, second = count_together(zip(documents, reversed_words, strict=True), 2)
    assert same(first, WordCounts.of(documents))
    assert same(second, WordCounts.of(reversed_words))
