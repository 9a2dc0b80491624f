import json
import lzma
import re
from pathlib import Path

import pytest

from lexgear.corpus.datasets.registry import DATASETS, read_collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError

ROOT = Path(__file__).resolve().parents[3]


def test_every_data_set_has_its_row_and_its_section_in_the_docs() -> None:
    page = (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[`([\w-]+)`\]\(", page, flags=re.MULTILINE) == list(DATASETS)
    sections = re.findall(r"^## ([\w-]+)", page, flags=re.MULTILINE)
    assert [name for name in sections if name in DATASETS] == list(DATASETS)


def test_an_unknown_name_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no data set named 'lecard3' .one of lecard, lecardv2, elam"):
        read_collection("lecard3", tmp_path, SkippedRecords())


@pytest.mark.parametrize("name", DATASETS)
def test_a_source_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{re.escape(str(tmp_path))}/nowhere: no such file or directory"):
        read_collection(name, tmp_path / "nowhere", SkippedRecords())


@pytest.mark.parametrize("name", DATASETS)
def test_the_error_for_an_empty_directory_names_the_missing_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{re.escape(str(tmp_path))}: no .* in it"):
        read_collection(name, tmp_path, SkippedRecords())


@pytest.mark.parametrize("name", ["lecard", "lecardv2", "elam", "bsard", "stard", "servicepublic", "cases-zh"])
def test_a_file_where_a_directory_should_be_is_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("{}")
    with pytest.raises(InputError, match="file: "):
        read_collection(name, file, SkippedRecords())


PACKED = {
    "lecard": "cases",
    "cail2018": "cases",
    "bsard": "articles",
    "stard": "articles",
    "servicepublic": "articles",
    "cases-zh": "cases",
    "jsonl": "documents",
}


@pytest.mark.parametrize(("name", "stem"), PACKED.items())
def test_damaged_files_are_named_with_the_line_where_there_is_one(name: str, stem: str, tmp_path: Path) -> None:
    file = tmp_path / f"{stem}.jsonl.xz"
    good = json.dumps({"id": "1"}).encode() + b"\n"
    damages = {
        "truncated or corrupt .xz file": lzma.compress(good * 1000)[:-20],
        ":2: not valid UTF-8": lzma.compress(good + b'{"id": "\xff"}\n'),
        ":2: not a JSON object": lzma.compress(good + b"[]\n"),
        ":3: not valid JSON": lzma.compress(good + b"\n{\n"),
    }
    for problem, contents in damages.items():
        file.write_bytes(contents)
        with pytest.raises(InputError, match=f"{stem}.jsonl.xz:? ?{problem}"):
            read_collection(name, tmp_path, SkippedRecords())


def test_sources_are_refused_for_a_data_set_that_has_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the data set stard does not have several sources"):
        read_collection("stard", tmp_path, SkippedRecords(), sources=["legalattack"])
