"""Rationales within a budget: the best sentences stay, in document order."""

from hypothesis import given
from hypothesis import strategies as st

from lexgear.rationale.budget import WORDS_SHARE, fitted_texts
from lexgear.rationale.records import Part, Rationale


def rationale(sentences: list[tuple[str, float]], words: tuple[str, ...] = ()) -> Rationale:
    return Rationale(
        tuple(Part("word1", word, 0, len(word), 1.0, "") for word in words),
        tuple(Part("sentence", text, 0, len(text), score, "") for text, score in sentences),
    )


def fitted(one: Rationale, budget: int) -> str:
    [text] = fitted_texts([one], budget, lambda pieces: [len(piece) for piece in pieces])
    return text


THEFT = rationale([("甲入户。", 0.5), ("甲盗窃手机。", 2.0), ("乙报警。", 0.1)], ("盗窃", "盗窃", "手机"))


def test_everything_is_kept_if_it_fits() -> None:
    assert fitted(THEFT, 18) == "盗窃 手机 甲入户。 甲盗窃手机。 乙报警。"


def test_the_lowest_scores_are_dropped_first_and_the_order_is_that_of_the_document() -> None:
    assert fitted(THEFT, 14) == "盗窃 手机 甲入户。 甲盗窃手机。"
    assert fitted(THEFT, 8) == "盗窃 甲盗窃手机。"


def test_a_long_sentence_makes_way_for_the_next_best_that_fits() -> None:
    assert fitted(rationale([("短。", 3.0), ("一个很长的句子。", 2.0), ("更短。", 1.0)]), 6) == "短。 更短。"


def test_a_repeated_sentence_is_read_once_and_leaves_room_for_the_next_best() -> None:
    repeated = rationale([("车已追回。", 2.0), ("甲盗窃。", 1.0), ("车已追回。", 2.0)])
    assert fitted(repeated, 10) == "车已追回。 甲盗窃。"
    assert repeated.text() == "车已追回。 甲盗窃。"


def test_the_best_sentence_is_kept_even_if_it_alone_is_too_long() -> None:
    assert fitted(rationale([("乙报警。", 0.1), ("甲盗窃手机。", 2.0)]), 4) == "甲盗窃手机。"


@given(
    st.lists(st.tuples(st.text("甲乙", min_size=1, max_size=9), st.floats(0, 5)), min_size=1, max_size=8),
    st.lists(st.text("丙丁", min_size=1, max_size=4), max_size=8),
    st.integers(1, 60),
)
def test_the_best_sentence_is_always_there_and_words_leave_room(
    pairs: list[tuple[str, float]], words: list[str], budget: int
) -> None:
    pieces = fitted(rationale(pairs, tuple(words)), budget).split()
    kept = [piece for piece in pieces if piece[0] in "甲乙"]
    best = max(range(len(pairs)), key=lambda place: (pairs[place][1], -place))
    assert pairs[best][0] in kept
    assert sum(map(len, pieces)) - sum(map(len, kept)) <= budget * WORDS_SHARE
    assert len(kept) == 1 or sum(map(len, pieces)) <= budget


def test_many_rationales_are_fitted_one_by_one() -> None:
    [first, empty, second] = fitted_texts([THEFT, rationale([]), THEFT], 8, lambda pieces: [*map(len, pieces)])
    assert (first, empty, second) == (fitted(THEFT, 8), "", fitted(THEFT, 8))
