import pytest
import rjieba
from hypothesis import given
from hypothesis import strategies as st

from lexgear.errors import InputError
from lexgear.lexical.words import french_words
from lexgear.rationale.token_lookup import WordTable
from lexgear.rationale.tokens import SEPARATOR, keys_of, tokens

WRITTEN = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def keys(text: str, language: str) -> list[str]:
    found = tokens(text, language).keys
    codes, starts = found.codes.tolist(), found.starts.tolist()
    return [
        "".join(map(chr, codes[start : start + length]))
        for start, length in zip(starts, found.lengths.tolist(), strict=True)
    ]


@given(WRITTEN | st.text("甲盗窃了手机，ab1。 \n"))
def test_chinese_tokens_are_rjiebas_and_lie_end_to_end(text: str) -> None:
    found = tokens(text, "zh")
    spans = zip(found.starts.tolist(), found.ends.tolist(), strict=True)
    assert [text[start:end] for start, end in spans] == rjieba.cut(text) == keys(text, "zh")


def test_punctuation_and_space_are_no_words() -> None:
    text = "甲，乙 3.5 ok。😀"
    found = tokens(text, "zh")
    words = [text[s:e] for s, e, word in zip(found.starts, found.ends, found.is_word, strict=True) if word]
    assert words == ["甲", "乙", "3.5", "ok"]


def test_a_token_longer_than_a_byte_can_count_keeps_its_place() -> None:
    text = "甲" + "a" * 1000 + "乙"
    assert tokens(text, "zh").ends.tolist() == [1, 1001, 1002]


@given(st.lists(st.text("甲盗窃手机1.a%。 \n", max_size=8), min_size=1, max_size=4))
def test_texts_joined_by_separators_are_cut_as_rjieba_cuts_the_whole(texts: list[str]) -> None:
    joined = SEPARATOR.join(texts)
    assert keys(joined, "zh") == rjieba.cut(joined)


def test_french_tokens_are_looked_up_by_the_stems_search_uses() -> None:
    text = "L'employeur a-t-il le droit de licencier les employe\u0301s ?"
    assert [key for key in keys(text, "fr") if key] == french_words(text)
    found = tokens(text, "fr")
    assert text[found.starts[-1] : found.ends[-1]] == "employe\u0301s"


def test_another_language_is_refused() -> None:
    with pytest.raises(InputError, match="'de'"):
        tokens("Das Recht", "de")


@given(
    st.lists(st.text("甲乙ab", min_size=1, max_size=4), unique=True, max_size=30),
    st.lists(st.text("甲乙ab", max_size=5), max_size=60),
)
def test_the_table_finds_what_a_dictionary_would(words: list[str], looked_up: list[str]) -> None:
    dictionary = {word: number for number, word in enumerate(words, start=1)}
    found = WordTable(words).numbers(keys_of(looked_up)).tolist()
    assert found == [dictionary.get(word, 0) for word in looked_up]


def test_thousands_of_words_are_told_apart() -> None:
    words = [f"词{number}" for number in range(6000)]
    table = WordTable(words[:3000])
    assert table.numbers(keys_of(words)).tolist() == [*range(1, 3001), *[0] * 3000]
    assert WordTable([]).numbers(keys_of(words)).tolist() == [0] * 6000
