import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.rationale.sentences import MAX_CHARACTERS, sentence_ends

PUNCTUATED = st.text(st.sampled_from('甲盗窃财物a1 \t\n\r。！？；!?;.…”’」』》）)«»"\0，,、\ud800😀ÉA'), max_size=80)
ONE_BY_ONE = re.compile(r"\0|[。！？；!?;\n][。！？；!?;\s”’」』》）)]*")


def pieces(text: str, language: str) -> list[str]:
    ends = sentence_ends(text, language).tolist()
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def test_chinese_sentences_keep_their_full_stops_and_closing_quotes() -> None:
    text = "甲说：“快跑！”随后逃离现场。\n\n乙报警；警察到场"
    assert pieces(text, "zh") == ["甲说：“快跑！”", "随后逃离现场。\n\n", "乙报警；", "警察到场"]


def test_a_decimal_point_does_not_end_a_chinese_sentence() -> None:
    assert pieces("涉案金额3.5万元。已退赔。", "zh") == ["涉案金额3.5万元。", "已退赔。"]


def test_french_abbreviations_and_lower_case_do_not_end_a_sentence() -> None:
    text = "L'art. 12 du bail lie M. Dupont, A. Durand, etc. et le juge. Le loyer (450.50 euros) est dû ! « Oui. » Fin"
    assert pieces(text, "fr") == [
        "L'art. 12 du bail lie M. Dupont, A. Durand, etc. et le juge. ",
        "Le loyer (450.50 euros) est dû ! ",
        "« Oui. » ",
        "Fin",
    ]


@pytest.mark.parametrize("language", ["zh", "fr"])
@given(text=PUNCTUATED | st.text(max_size=60))
def test_laid_end_to_end_the_sentences_are_the_text(text: str, language: str) -> None:
    assert "".join(pieces(text, language)) == text
    assert all(pieces(text, language))


@given(text=PUNCTUATED)
def test_the_array_splitter_agrees_with_a_regular_expression(text: str) -> None:
    ends = {match.end() for match in ONE_BY_ONE.finditer(text)} | ({len(text)} if text else set())
    assert sentence_ends(text, "zh").tolist() == sorted(ends)


@given(text=st.text(st.sampled_from("甲，, "), min_size=MAX_CHARACTERS + 1, max_size=5 * MAX_CHARACTERS))
def test_a_run_without_full_stops_is_cut_at_commas_where_it_has_them(text: str) -> None:
    found = pieces(text, "zh")
    assert "".join(found) == text
    assert all(0 < len(piece) <= MAX_CHARACTERS for piece in found)
    assert all(piece[-1] in "，, " for piece in found[:-1] if set(piece[MAX_CHARACTERS // 2 :]) & set("，, "))


@pytest.mark.parametrize("language", ["zh", "fr"])
@pytest.mark.parametrize("unit", ["甲", "!", " ", ". ", "art. ", "\n", "，"])
def test_ten_megabytes_without_a_sentence_are_read_to_the_end(unit: str, language: str) -> None:
    """A pattern that backtracks would never come to the end."""
    text = unit * (10_000_000 // len(unit.encode()))
    ends = sentence_ends(text, language)
    assert ends[-1] == len(text)
