"""Training on documents that stay on disk, with arrays in temporary files, gives the bytes of training in memory."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from api.sharded_samples import collection
from api.test_parallel_training import parts, ranker
from lexgear.api import resumable, train
from lexgear.corpus.records import Collection, Document
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import load_collection, open_collection, save_collection
from lexgear.engine.base import Engine
from lexgear.engine.current import working_on
from lexgear.engine.in_process import InProcessEngine
from lexgear.engine.processes import ProcessEngine
from lexgear.errors import InputError
from lexgear.lexical import counts, merging, spilling
from lexgear.rankers import reading
from lexgear.rankers.registry import make_ranker
from lexgear.rankers.words.bm25 import BM25

pytestmark = pytest.mark.slow


@contextmanager
def everything_spilled() -> Iterator[None]:
    """Count a few texts at once and keep every array in a file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spilling, "SPILLED_FROM", 1)
        patch.setattr(counts, "TEXTS_PER_BLOCK", 20)
        patch.setattr(merging, "POSTINGS_PER_BLOCK", 100)
        patch.setattr(reading, "DOCUMENTS_PER_PARTITION", 15)
        patch.setattr(reading, "PARTITIONS_PER_BLOCK", 2)
        yield


@pytest.fixture(scope="module", params=["zh", "fr"])
def stored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    language: str = request.param
    place = tmp_path_factory.mktemp(language) / language
    save_collection(collection(language), place, SkippedRecords())
    return place


@pytest.fixture(scope="module")
def in_memory(stored: Path) -> dict[str, bytes]:
    return trained(load_collection(stored), stored, "memory")


def trained(documents: Collection, stored: Path, name: str) -> dict[str, bytes]:
    out = stored.with_name(name)
    train(documents, ranker(stored.name), out)
    return parts(out)


@pytest.mark.parametrize("make_engine", [InProcessEngine, partial(ProcessEngine, 2)], ids=["one", "two"])
def test_an_index_of_documents_on_disk_is_that_of_documents_in_memory(
    stored: Path, in_memory: dict[str, bytes], make_engine: Callable[[], Engine]
) -> None:
    with everything_spilled(), make_engine() as engine, working_on(engine):
        assert trained(open_collection(stored), stored, f"disk-{engine.workers}") == in_memory


def test_arrays_in_files_change_nothing(stored: Path, in_memory: dict[str, bytes]) -> None:
    with everything_spilled():
        assert trained(load_collection(stored), stored, "spilled") == in_memory


def test_nothing_is_left_of_temporary_files(tmp_path: Path) -> None:
    with everything_spilled():
        train(collection("zh"), BM25(), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    with everything_spilled(), pytest.raises(InputError, match="no temporary file of 0 MB can be written"):
        train(collection("zh"), BM25(), tmp_path / "out")


def test_words_are_counted_with_a_few_documents_in_memory(tmp_path: Path) -> None:
    whole = collection("zh")
    many = [
        Document(f"{copy}-{one.id}", one.sections, charges=one.charges) for copy in range(8) for one in whole.documents
    ]
    save_collection(Collection("many", "zh", many, law=whole.law), tmp_path / "many", SkippedRecords())
    del many
    opened = open_collection(tmp_path / "many")
    before, most = _documents_in_memory(), 0

    def look(done: int, total: int | None, note: str = "") -> None:
        nonlocal most
        if done % 100 == 0:
            most = max(most, _documents_in_memory() - before)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "DOCUMENTS_PER_PARTITION", 50)
        patch.setattr("lexgear.corpus.document_files.DOCUMENTS_PER_BLOCK", 50)
        train(opened, BM25(), tmp_path / "out", look)
    assert 0 < most <= 4 * 50


@pytest.mark.parametrize("epochs", [0, 1])
def test_checkpoints_are_kept_of_training_in_epochs_alone(stored: Path, epochs: int) -> None:
    with resumable(
        open_collection(stored), make_ranker("lexgear", epochs=epochs), stored.with_name("out")
    ) as workspace:
        assert (workspace is not None) == bool(epochs)


def test_a_ranker_that_is_trained_on_the_documents_gets_them_in_memory(stored: Path) -> None:
    class Looks(BM25):
        """A ranker that reads its documents in any order."""

        def reads_documents_in_order(self) -> bool:
            return False

        def _fit(self, collection: Collection, progress: object) -> "Looks":
            assert isinstance(collection.documents, tuple)
            return self

    Looks().fit(open_collection(stored))


def _documents_in_memory() -> int:
    gc.collect()
    return sum(type(thing) is Document for thing in gc.get_objects())
