"""A keyword in an index with forged grams is refused in one line or finds nothing; there is never a traceback."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.crafted import forge
from faults.crafted_grams import REFUSED, WITHOUT_HITS
from index.test_store import CASES
from lexgear.api import Index, train
from lexgear.cli import main
from lexgear.index import catalogue_writing
from lexgear.index.catalogue import PART
from lexgear.index.grams import write_grams
from lexgear.rankers.words.bm25 import BM25

TEXT = "翻墙进入商店，拿走现金"
KEYWORDS = ("店", "商店", "翻墙进入", "现金")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    directory = tmp_path_factory.mktemp("grams") / "index"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(catalogue_writing, "write_grams", lambda database: write_grams(database, min_size=0))
        train(CASES, BM25(), directory)
    assert [len(Index.load(directory).search(TEXT, filters=[f"text={one}"])) for one in KEYWORDS] == [2, 2, 1, 3]
    yield directory


def forged(built: Path, directory: Path, name: str) -> Path:
    index = Path(shutil.copytree(built, directory / "index"))
    [catalogue] = index.rglob(PART)
    forge(index, catalogue, {**REFUSED, **WITHOUT_HITS}[name])
    return index


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("keyword", KEYWORDS)
def test_lists_that_do_not_fit_are_refused_in_one_line(
    built: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    keyword: str,
) -> None:
    index = forged(built, tmp_path, name)
    monkeypatch.setattr("sys.argv", ["lexgear", "search", str(index), "--text", TEXT, "--keywords", keyword])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "catalogue.sqlite: the document catalogue is damaged (build the index again)" in line


@pytest.mark.parametrize("name", WITHOUT_HITS)
@pytest.mark.parametrize("keyword", KEYWORDS)
def test_lists_of_other_documents_find_nothing(built: Path, tmp_path: Path, name: str, keyword: str) -> None:
    index = forged(built, tmp_path, name)
    assert Index.load(index).search(TEXT, filters=[f"text={keyword}"]) == []
