import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.errors import InputError
from lexgear.lexical import words
from lexgear.lexical.words import chinese_words, french_stop_words, french_words, line_by_line, segmenter


def test_chinese_words_are_longer_than_one_character() -> None:
    assert chinese_words("被告人在超市拿走现金，价值５０００元。") == [
        "被告人",
        "超市",
        "拿走",
        "现金",
        "价值",
        "5000",
    ]


def test_french_words_lose_elision_function_words_and_endings() -> None:
    assert french_words("L'employeur doit-il payer les heures supplémentaires ?") == [
        *("employeur", "pai", "heur", "supplementair"),
    ]
    assert french_words("les heures") == french_words("l'heure")


def test_a_question_typed_without_accents_has_the_same_words() -> None:
    assert french_words("hébergé à l'étranger, où réclamer ?") == french_words("heberge a l'etranger, ou reclamer ?")


def test_stop_words_are_lower_case_and_unique() -> None:
    assert {"le", "de", "que", "a", "etre"} <= french_stop_words()
    assert all(word == word.lower() for word in french_stop_words())


@pytest.mark.parametrize("text", ["", "。", "。" * 1000, "\ud800偷走手机", "\x00\x01", "🙂🙂", "﷽" * 50])
def test_every_text_can_be_segmented(text: str) -> None:
    for language in ("zh", "fr"):
        assert all(isinstance(word, str) for word in segmenter(language)(text))


@given(st.text(st.sampled_from("被告人盗窃手机，。\n\r 5０e\u0301L'été-é㎏"), max_size=60))
def test_words_do_not_cross_the_end_of_a_line(text: str) -> None:
    for language in ("zh", "fr"):
        assert line_by_line(segmenter(language))(text) == segmenter(language)(text)


def test_stems_of_clients_words_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    stemmed: list[str] = []

    class Stemmer:
        def stemWord(self, word: str) -> str:  # noqa: N802
            stemmed.append(word)
            return word

    monkeypatch.setattr("snowballstemmer.stemmer", lambda language: Stemmer())
    monkeypatch.setattr("lexgear.lexical.words._REMEMBERED_STEMS", 10)
    words._french_stem.cache_clear()
    try:
        long = "z" * 100
        french_words(f"secret secret {long} {long}")
        french_words(" ".join(f"mot{number}" for number in range(10)))
        french_words("secret")
    finally:
        words._french_stem.cache_clear()
    assert stemmed.count("secret") == 2
    assert stemmed.count(long) == 2


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(InputError, match="'de'"):
        segmenter("de")
