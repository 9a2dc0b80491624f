"""Training by several workers gives the bytes of training by one."""

import importlib.util
from pathlib import Path

import pytest

from api.sharded_samples import collection
from lexgear.api.sharding import save_shards
from lexgear.engine.base import Engine
from lexgear.engine.current import working_on
from lexgear.engine.in_process import InProcessEngine
from lexgear.engine.opening import open_engine
from lexgear.engine.processes import ProcessEngine
from lexgear.rankers import reading
from lexgear.rankers.base import Ranker
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.words.bm25 import BM25
from lexgear.settings import configure

pytestmark = pytest.mark.slow
SHARDS = 2
needs_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")


@pytest.fixture(autouse=True)
def small_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide a hundred documents into four partitions."""
    monkeypatch.setattr(reading, "DOCUMENTS_PER_PARTITION", 30)


def ranker(language: str) -> Ranker:
    """Return a ranker by charges, words and concepts for Chinese, with an encoder as well for French."""
    return Lexgear(configure(LexgearSettings, **({"backbone": ""} if language == "zh" else {})))


def parts(directory: Path) -> dict[str, bytes]:
    files = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}


def trained_parts(language: str, engine: Engine, out: Path, untrained: Ranker | None = None) -> dict[str, bytes]:
    documents = collection(language)
    with engine, working_on(engine):
        fitted = (untrained or ranker(language)).fit(documents)
        save_shards(documents, fitted, out, SHARDS, engine=engine)
    return parts(out)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    place = tmp_path_factory.mktemp("alone")
    return {language: trained_parts(language, InProcessEngine(), place / language) for language in ("zh", "fr")}


@pytest.mark.parametrize(("language", "workers"), [("zh", 1), ("fr", 2), ("zh", 3)])
def test_the_index_does_not_depend_on_the_number_of_workers(
    alone: dict[str, dict[str, bytes]], language: str, workers: int, tmp_path: Path
) -> None:
    assert trained_parts(language, ProcessEngine(workers), tmp_path / "out") == alone[language]


def test_word_rankers_are_trained_by_several_workers_too(tmp_path: Path) -> None:
    one = trained_parts("zh", InProcessEngine(), tmp_path / "one", BM25())
    assert trained_parts("zh", ProcessEngine(2), tmp_path / "two", BM25()) == one


@needs_ray
@pytest.mark.cluster
def test_a_cluster_gives_the_same_index(alone: dict[str, dict[str, bytes]], tmp_path: Path) -> None:
    assert trained_parts("fr", open_engine("local"), tmp_path / "out") == alone["fr"]
