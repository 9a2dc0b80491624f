from pathlib import Path

import pytest

from lexgear.errors import InputError
from lexgear.rankers.registry import RANKERS, make_ranker
from lexgear.rankers.words.bm25 import BM25Settings
from lexgear.settings import settings_from, settings_row


def test_settings_come_from_a_file_and_from_the_command_line_which_wins(tmp_path: Path) -> None:
    (tmp_path / "bm25.toml").write_text("k1 = 0.9\nb = 0.4\nheadings = false\n")
    ranker = make_ranker("bm25", tmp_path / "bm25.toml", ["k1=2", " fact_characters = 500"])
    assert ranker.settings == BM25Settings(k1=2.0, b=0.4, headings=False, fact_characters=500)


def test_settings_come_back_from_the_manifest() -> None:
    settings = BM25Settings(k1=0.7, headings=False)
    assert settings_from(BM25Settings, settings_row(settings)) == settings


@pytest.mark.parametrize(
    ("assignment", "problem"),
    [
        ("k2=1", "no setting named 'k2'"),
        ("k1", "is not key=value"),
        ("k1=much", r"'much' is not a number \(such as k1=1.5\)"),
        ("headings=1", r"is not true or false \(such as headings=True\)"),
        ("k1=-5", r"setting k1: -5.0 is out of range \(from 0 to 1000\)"),
        ("k1=nan", "setting k1: nan is out of range"),
        ("k1=inf", "setting k1: inf is out of range"),
        ("b=7", r"setting b: 7.0 is out of range \(from 0 to 1\)"),
        ("fact_characters=-1", r"setting fact_characters: -1 is out of range \(0 or more\)"),
    ],
)
def test_an_invalid_setting_is_refused_with_the_valid_values(assignment: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        make_ranker("bm25", None, [assignment])


@pytest.mark.parametrize(
    ("ranker", "assignment", "limits"),
    [
        ("query_likelihood", "mu=0", "from 1 to 1000000"),
        ("query_likelihood", "mu=1e300", "from 1 to 1000000"),
        ("query_likelihood", "fact_characters=-1", "0 or more"),
        ("gold_charge_random", "seed=-1", "0 or more"),
    ],
)
def test_no_ranker_takes_a_setting_out_of_range(ranker: str, assignment: str, limits: str) -> None:
    with pytest.raises(InputError, match=rf"{assignment.partition('=')[0]}: .* is out of range \({limits}\)"):
        make_ranker(ranker, None, [assignment])


def test_settings_made_in_python_are_checked_too() -> None:
    with pytest.raises(InputError, match="setting b: 2 is out of range"):
        BM25Settings(b=2)


def test_an_unknown_ranker_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="query_likelihood"):
        make_ranker("bm26")


def test_the_error_for_a_broken_config_file_names_file_problem_and_remedy(tmp_path: Path) -> None:
    for content, problem in {
        "k1 = = 2": "not valid TOML",
        "k2 = 1": "no setting named 'k2'",
        "b = 7": "setting b: 7.0 is out of range",
    }.items():
        (tmp_path / "x.toml").write_text(content)
        with pytest.raises(InputError, match=rf"x\.toml: {problem}.*\(.+\)$"):
            make_ranker("bm25", tmp_path / "x.toml", ["b=0.5"])


def test_every_registered_name_is_the_name_of_its_ranker() -> None:
    for name in RANKERS:
        assert RANKERS[name].name == name


def test_keyword_settings_override_other_sources() -> None:
    ranker = make_ranker("bm25", assignments=["k1=2", "b=0.5"], k1=0.9, headings=False)
    assert ranker.settings == BM25Settings(k1=0.9, b=0.5, headings=False)
