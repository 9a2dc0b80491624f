"""Every text stands in every language, with the same blanks to fill."""

import re
from importlib.resources import files
from string import Formatter

import pytest

from lexgear.errors import InputError
from lexgear.report.model import Tier, Use
from lexgear.wording.translations import LANGUAGES, texts

CATALOGUES = sorted(path.name for path in files("lexgear.wording").iterdir() if (path / "en.toml").is_file())


def blanks(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name})


def test_there_are_catalogues_for_reports_and_uploads() -> None:
    assert {"report", "uploads"} <= {*CATALOGUES}


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_keys_and_blanks(name: str, language: str) -> None:
    ours, theirs = texts(name, language).entries, texts(name, "en").entries
    assert ours.keys() == theirs.keys()
    assert {key: blanks(text) for key, text in ours.items()} == {key: blanks(text) for key, text in theirs.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_choice_and_tier_of_a_report_has_a_name(language: str) -> None:
    said = texts("report", language)
    for key in (*(f"use.{use}" for use in Use), *(f"tier.{tier}" for tier in Tier)):
        assert said(key)


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert [texts("report", language).number(1234567) for language in LANGUAGES] == [
        *("1,234,567", "1\u202f234\u202f567", "1,234,567"),
    ]


def test_one_case_is_not_called_cases() -> None:
    assert texts("page", "en")("law.cases", cases=1) == "1 case"
    assert texts("page", "en")("law.cases", cases=0) == "0 cases"
    assert [texts("page", "fr")("law.cases", cases=cases) for cases in (0, 1, 2)] == [
        *("0 affaire", "1 affaire", "2 affaires"),
    ]


def test_french_signs_stay_with_their_words_and_apostrophes_are_typographic() -> None:
    written = [text for name in CATALOGUES for text in texts(name, "fr").entries.values()]
    assert not [text for text in written if "'" in text or re.search(" [:;!?»%]|« ", text)]
    assert texts("page", "fr")("percent", share="5") == "5\N{NO-BREAK SPACE}%"


def test_a_value_with_braces_is_no_blank() -> None:
    assert texts("report", "en")("search.method_text", ranker="{by}") == "search by the facts as text, ranked by {by}"


def test_another_language_is_refused() -> None:
    with pytest.raises(InputError, match="zh, fr, en"):
        texts("report", "de")
