import pytest

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


def test_json_names_every_field_of_a_part() -> None:
    rows = rationale_rows(RATIONALE)
    assert rows["words"][0] == {"kind": "word1", "text": "盗窃", "start": 3, "end": 5, "score": 2.0, "charge": "盗窃罪"}
    assert [row["text"] for row in rows["sentences"]] == ["甲入户。", "甲盗窃手机。", "乙报警。"]


@pytest.mark.parametrize("wrong", [{"k1": -1}, {"lambda3": -0.1}, {"order": "random"}])
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        RationaleSettings(**wrong)  # type: ignore[arg-type]
