"""Strings in the texts of a catalogue, found with grams and by reading every text."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.corpus.records import Document
from lexgear.errors import InputError
from lexgear.index import catalogue_writing, grams
from lexgear.index.catalogue import Catalogue
from lexgear.index.catalogue_writing import merge_catalogues, write_catalogue
from lexgear.index.grams import write_grams

TEXTS = st.lists(st.text('盗窃自首累犯，。（）aAbBéÉßſΣς«» 0１\n\t"\\\\\ud800\U0001f600', max_size=20), max_size=8)
TERMS = st.text('盗窃自首，（aAbBéßςſs 0１"\\\\\U0001f600', min_size=1, max_size=5)


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Write grams into small catalogues too, in blocks of three documents."""
    monkeypatch.setattr(catalogue_writing, "write_grams", lambda database: write_grams(database, min_size=0))
    monkeypatch.setattr(grams, "BLOCK", 3)
    yield


@pytest.mark.usefixtures("always")
@settings(max_examples=200)
@given(texts=TEXTS, term=TERMS)
def test_the_documents_found_are_those_whose_text_contains_the_term(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], term: str
) -> None:
    path = tmp_path_factory.mktemp("any") / "catalogue.sqlite"
    write_catalogue(path, [Document(f"{place:04}", {"fact": text}) for place, text in enumerate(texts)])
    wanted = term.casefold()
    expected = {f"{place:04}" for place, text in enumerate(texts) if wanted in f"{place:04}\n{text.casefold()}"}
    with closing(Catalogue(path)) as catalogue:
        found = catalogue._text.containing(term)
        assert {f"{place:04}" for place in found} == expected


@pytest.mark.usefixtures("always")
def test_merged_segments_without_removed_documents_have_grams_of_their_own(tmp_path: Path) -> None:
    texts = ["主动投案自首", "系累犯", "自首情节", "入户盗窃", "自首"]
    write_catalogue(tmp_path / "a", [Document(f"a{at}", {"fact": text}) for at, text in enumerate(texts)])
    write_catalogue(tmp_path / "b", [Document(f"b{at}", {"fact": text}) for at, text in enumerate(texts)])
    merge_catalogues(tmp_path / "both", [Catalogue(tmp_path / "a", removed=[0]), Catalogue(tmp_path / "b")])
    assert Catalogue(tmp_path / "a", removed=[0]).select(["text=自首"]) == {"a2", "a4"}
    assert Catalogue(tmp_path / "both").select(["text=自首"]) == {"a2", "a4", "b0", "b2", "b4"}
    assert Catalogue(tmp_path / "both").select(["text=投案自首"]) == {"b0"}


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("packed", [b"", b"no stream", b"x\x9cK\xcfH-*\x06\x00"])
def test_damaged_grams_are_reported(tmp_path: Path, packed: bytes) -> None:
    write_catalogue(tmp_path / "a", [Document("a", {"fact": "自首"})])
    with closing(sqlite3.connect(tmp_path / "a")) as database, database:
        database.execute("UPDATE grams SET packed = ?", (packed,))
    with pytest.raises(InputError, match="damaged"):
        Catalogue(tmp_path / "a").select(["text=自首"])
