"""Highlights come from offsets: nothing is lost, nothing doubled, and masking moves them along."""

from hypothesis import given
from hypothesis import strategies as st

from lexgear.privacy.masking import Masked, Masker
from lexgear.serve.page.highlights import Mark, Run, runs

TEXT = "被告人李明辉翻墙进入商店。拿走现金。"
spans = st.lists(st.tuples(st.integers(-3, 25), st.integers(-3, 25)).map(lambda one: Mark(*one)), max_size=6)


def whole(found: list[Run]) -> str:
    return "".join(piece.text for run in found for piece in run.pieces)


def test_a_sentence_is_cut_out_by_its_offsets_and_a_word_within_it() -> None:
    found = runs(Masked(TEXT), [Mark(13, 18, "sentence")], [Mark(15, 17, "word"), Mark(6, 8, "word")])
    assert [[(piece.text, piece.mark is not None) for piece in run.pieces] for run in found] == [
        [("被告人李明辉", False), ("翻墙", True), ("进入商店。", False)],
        [("拿走", False), ("现金", True), ("。", False)],
    ]
    assert [run.mark is not None for run in found] == [False, True]


def test_marks_survive_masking() -> None:
    masked = Masker({"李明辉": "李某"}).mask(TEXT)
    found = runs(masked, [Mark(13, 18)], [Mark(6, 8), Mark(4, 5)])
    marked = [piece.text for run in found for piece in run.pieces if piece.mark]
    assert marked == ["李某", "翻墙"]  # a mark within a name is about the whole name, and shows no more of it
    assert [piece.text for run in found if run.mark for piece in run.pieces] == ["拿走现金。"]
    assert whole(found) == "被告人李某翻墙进入商店。拿走现金。"


def test_of_marks_that_overlap_the_first_stays() -> None:
    found = runs(Masked(TEXT), [Mark(0, 5, "first"), Mark(3, 9, "second"), Mark(5, 9, "third")])
    assert [run.mark.look for run in found if run.mark] == ["first", "third"]


@given(spans, spans, st.booleans())
def test_whatever_is_marked_the_text_stays_whole(outer: list[Mark], inner: list[Mark], is_masked: bool) -> None:
    text = (Masker({"李明辉": "李某", "商店": "某商店"}) if is_masked else Masker({})).mask(TEXT)
    assert whole(runs(text, outer, inner)) == text.text
