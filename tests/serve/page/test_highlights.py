"""Highlights come from offsets: nothing is lost and nothing doubled."""

from hypothesis import given
from hypothesis import strategies as st

from lexgear.serve.page.highlights import Mark, Run, runs

TEXT = "被告人李明辉翻墙进入商店。拿走现金。"
spans = st.lists(st.tuples(st.integers(-3, 25), st.integers(-3, 25)).map(lambda one: Mark(*one)), max_size=6)


def whole(found: list[Run]) -> str:
    return "".join(piece.text for run in found for piece in run.pieces)


def test_a_sentence_is_cut_out_by_its_offsets_and_a_word_within_it() -> None:
    found = runs(TEXT, [Mark(13, 18, "sentence")], [Mark(15, 17, "word"), Mark(6, 8, "word")])
    assert [[(piece.text, piece.mark is not None) for piece in run.pieces] for run in found] == [
        [("被告人李明辉", False), ("翻墙", True), ("进入商店。", False)],
        [("拿走", False), ("现金", True), ("。", False)],
    ]
    assert [run.mark is not None for run in found] == [False, True]


def test_of_marks_that_overlap_the_first_stays() -> None:
    found = runs(TEXT, [Mark(0, 5, "first"), Mark(3, 9, "second"), Mark(5, 9, "third")])
    assert [run.mark.look for run in found if run.mark] == ["first", "third"]


@given(spans, spans)
def test_whatever_is_marked_the_text_stays_whole(outer: list[Mark], inner: list[Mark]) -> None:
    assert whole(runs(TEXT, outer, inner)) == TEXT
