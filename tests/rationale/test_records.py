import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.errors import InputError
from lexgear.rationale.records import Part, Rationale, RationaleSettings, rationale_rows


def sentence(text: str, score: float) -> Part:
    return Part("sentence", text, 0, len(text), score, "")


RATIONALE = Rationale(
    (Part("word1", "盗窃", 3, 5, 2.0, "盗窃罪"), Part("word2", "盗窃", 3, 5, 2.0, "盗窃罪")),
    (sentence("甲入户。", 0.5), sentence("甲盗窃手机。", 2.0), sentence("乙报警。", 0.1)),
)


def test_the_text_has_each_word_once_then_the_sentences() -> None:
    assert RATIONALE.text() == "盗窃 甲入户。 甲盗窃手机。 乙报警。"


def test_a_budget_drops_the_sentences_of_the_lowest_score_first() -> None:
    assert RATIONALE.text(budget=19) == RATIONALE.text()
    assert RATIONALE.text(budget=18) == "盗窃 甲入户。 甲盗窃手机。"
    assert RATIONALE.text(budget=13) == "盗窃 甲盗窃手机。"
    assert RATIONALE.text(budget=5) == "盗窃"
    assert RATIONALE.text(budget=0) == ""


def test_the_budget_is_counted_as_the_tokenizer_counts() -> None:
    assert RATIONALE.text(budget=2, count=lambda text: len(text.split())) == "盗窃 甲盗窃手机。"


@given(st.lists(st.tuples(st.text("甲乙", min_size=1, max_size=9), st.floats(0, 5)), max_size=8), st.integers(0, 60))
def test_no_sentence_is_dropped_that_would_still_fit(pairs: list[tuple[str, float]], budget: int) -> None:
    rationale = Rationale((), tuple(sentence(text, score) for text, score in pairs))
    text = rationale.text(budget)
    assert len(text) <= budget
    kept = len(text.split())
    if kept < len(pairs):
        ranked = sorted(range(len(pairs)), key=lambda place: -pairs[place][1])
        assert len(" ".join(pairs[place][0] for place in ranked[: kept + 1])) > budget


def test_json_names_every_field_of_a_part() -> None:
    rows = rationale_rows(RATIONALE)
    assert rows["words"][0] == {"kind": "word1", "text": "盗窃", "start": 3, "end": 5, "score": 2.0, "charge": "盗窃罪"}
    assert [row["text"] for row in rows["sentences"]] == ["甲入户。", "甲盗窃手机。", "乙报警。"]


@pytest.mark.parametrize("wrong", [{"k1": -1}, {"lambda3": -0.1}, {"order": "random"}])
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        RationaleSettings(**wrong)  # type: ignore[arg-type]
