"""The charge book is complete, plain and our own."""

import re
from pathlib import Path

import pytest

from lexgear.law.charge_book import charge_book
from lexgear.law.charges import shipped_charges
from shared_data import SHARED

BOOK = charge_book()
LONGEST_COMMON_RUN = 14


def test_every_charge_has_an_entry_and_every_entry_is_a_charge() -> None:
    assert sorted(BOOK) == sorted(shipped_charges().names)


def test_an_entry_is_one_to_three_sentences_and_words_of_facts() -> None:
    for name, entry in BOOK.items():
        assert 30 <= len(entry.definition) <= 200, name
        assert entry.definition.endswith("。"), name
        assert 1 <= entry.definition.count("。") <= 3, name
        assert 10 <= len(entry.expressions) == len(set(entry.expressions)) <= 24, name
        assert all(2 <= len(words) <= 8 and words.isalpha() and "罪" not in words for words in entry.expressions), name


@pytest.mark.parametrize("source", ["criminal_law.txt", "charge_elements_jurex.json"])
def test_definitions_do_not_repeat_the_wording_of_others(source: str) -> None:
    path = Path(SHARED) / "law-zh" / source
    if not path.is_file():
        pytest.skip(f"needs {path}")
    theirs = _letters(path.read_text("utf-8"))
    for name, entry in BOOK.items():
        ours = _letters(entry.definition).replace(_letters(name.removesuffix("罪")), "…")
        runs = (ours[at : at + LONGEST_COMMON_RUN] for at in range(len(ours) - LONGEST_COMMON_RUN + 1))
        assert not [run for run in runs if run in theirs], name


def _letters(text: str) -> str:
    return re.sub(r"[\s，。；、：,;:（）()]", "", text)
