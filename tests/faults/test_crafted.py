"""An index with forged parts is refused in one clear line, or answers; it never hangs, crashes or fills the memory."""

import shutil
from pathlib import Path
from random import Random

import numpy as np
import pytest

from api.sharded_samples import trained
from faults.crafted import bomb, endless_view, forge, forgeries, no_documents, rewrite_arrays
from index.test_store import CASES
from lexgear.api import Index, train
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_json, write_json_list
from lexgear.index.catalogue import PART as CATALOGUE
from lexgear.index.manifest import MANIFEST
from lexgear.rankers.words.bm25 import BM25


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("crafted") / "index"
    train(CASES, BM25(), directory)
    return directory


def parts(index: Path) -> list[Path]:
    return sorted(path for path in index.rglob("*") if path.is_file() and path.name != MANIFEST)


@pytest.mark.parametrize("forgery", [endless_view, bomb, no_documents])
def test_a_forged_catalogue_is_refused(built: Path, tmp_path: Path, forgery: object) -> None:
    assert callable(forgery)
    index = Path(shutil.copytree(built, tmp_path / "index"))
    catalogue = next(path for path in parts(index) if path.name == CATALOGUE)
    forge(index, catalogue, forgery)
    with pytest.raises(InputError, match=r"the document catalogue is damaged \(build the index again") as refused:
        list(Index.load(index).stored.catalogue.documents())
    assert refused.value.code == ErrorCode.INDEX_DAMAGED


def test_an_array_with_a_value_that_is_no_number_is_refused(built: Path, tmp_path: Path) -> None:
    index = Path(shutil.copytree(built, tmp_path / "index"))
    arrays = [path for path in parts(index) if path.suffix in {".npz", ".npy"}]
    assert arrays
    for path in arrays:
        forge(index, path, lambda part: rewrite_arrays(part, lambda array: array * np.nan))
    with pytest.raises(InputError, match="do not fit together: an array holds a value that is not a number"):
        Index.load(index)


def test_every_forged_part_is_refused_in_one_line_or_read(built: Path, tmp_path: Path) -> None:
    tried = 0
    for at, part in enumerate(parts(built)):
        for number, (what, forgery) in enumerate(forgeries(part, Random(0))):
            index = Path(shutil.copytree(built, tmp_path / f"{at}-{number}"))
            forge(index, index / part.relative_to(built), forgery)
            try:
                loaded = Index.load(index)
                loaded.search("翻墙进入商店")
                list(loaded.stored.catalogue.documents())
            except InputError as error:
                assert error.code != ErrorCode.UNKNOWN_NAME, (part.name, what)
                assert "\n" not in str(error)
            tried += 1
    assert tried >= 10


LEARNT = ("concepts.npz", "model.safetensors", "places.npz", "query-matrix.npy", "question-vectors.npy", "vectors.npy")


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained("fr", tmp_path_factory.mktemp("learnt") / "index").stored.directory


def test_forged_parts_of_lexgear_are_refused_or_change_no_ranking(learnt: Path, tmp_path: Path) -> None:
    text = "le bail et le loyer"
    expected, outcomes = Index.load(learnt).search(text), []
    for part in parts(learnt):
        for what, forgery in forgeries(part, Random(0)) if part.name in LEARNT else ():
            index = Path(shutil.copytree(learnt, tmp_path / "index"))
            forge(index, index / part.relative_to(learnt), forgery)
            try:
                assert Index.load(index).search(text) == expected, (part.name, what)
                outcomes.append("same")
            except InputError as error:
                outcomes.append(str(error.code))
            shutil.rmtree(index)
    assert outcomes.count(ErrorCode.INDEX_DAMAGED) > 20
    assert set(outcomes) <= {"same", ErrorCode.INDEX_DAMAGED}


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("", "vocabulary", 1e30),
        ("", "encoder_layers", 10**7),
        ("", "dropout", float("nan")),
        ("", "gated", "yes"),
        ("reader", "eps", "small"),
        ("reader", "eps", -1.0),
        ("reader", "heads", "aaaa"),
        ("reader", "layers", True),
    ],
)
def test_sizes_of_an_encoder_that_cannot_be_are_refused(
    learnt: Path, tmp_path: Path, part: str, name: str, value: object
) -> None:
    index = Path(shutil.copytree(learnt, tmp_path / "index"))
    [row] = read_json(index / "backbone.json")
    changed = row | ({part: row[part] | {name: value}} if part else {name: value})
    forge(index, index / "backbone.json", lambda path: write_json_list(path, [changed]))
    with pytest.raises(InputError, match=f"do not fit together: the size '{name}' is") as refused:
        Index.load(index)
    assert refused.value.code == ErrorCode.INDEX_DAMAGED
