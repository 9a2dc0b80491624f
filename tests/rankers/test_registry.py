from pathlib import Path

import pytest

from lexgear.errors import InputError
from lexgear.rankers.bm25 import BM25Settings
from lexgear.rankers.registry import make_ranker, settings_from, settings_row


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
        ("k1=much", "'much' is not float"),
        ("headings=1", "is not bool"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_would_be_right(assignment: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        make_ranker("bm25", None, [assignment])


def test_an_unknown_ranker_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="query_likelihood"):
        make_ranker("bm26")


def test_a_broken_config_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("k1 = = 2")
    with pytest.raises(InputError, match=r"x\.toml"):
        make_ranker("bm25", tmp_path / "x.toml")
