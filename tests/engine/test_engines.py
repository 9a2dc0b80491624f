"""Engines give the same results, whatever the number of workers and whatever dies."""

import importlib.util
import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import workers
from lexgear.api.training import import_dataset
from lexgear.corpus.datasets.partitions import FinishedPartitions, reading_by
from lexgear.corpus.datasets.registry import read_collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.engine.base import Actor, ActorType, Engine, WorkerLostError
from lexgear.engine.in_process import InProcessEngine
from lexgear.engine.opening import open_engine
from lexgear.engine.processes import ProcessEngine
from lexgear.engine.shared_files import check_seen
from lexgear.errors import ErrorCode, InputError
from lexgear.files import write_jsonl

needs_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
KINDS = ("in process", "processes", pytest.param("ray", marks=[needs_ray, pytest.mark.slow]))
OTHERS = KINDS[1:]


@pytest.fixture(scope="module")
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    kinds: dict[str, Callable[[], Engine]] = {
        "in process": InProcessEngine,
        "processes": lambda: ProcessEngine(2),
        "ray": lambda: open_engine("local"),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # workers import these tests
        with kinds[request.param]() as opened:
            yield opened


@pytest.mark.parametrize("engine", KINDS, indirect=True)
@settings(max_examples=10)
@given(partitions=st.lists(st.lists(st.integers(0, 1000), max_size=4), max_size=9))
def test_results_come_in_the_order_of_the_partitions(engine: Engine, partitions: list[list[int]]) -> None:
    assert list(engine.map(workers.squares, partitions)) == [workers.squares(numbers) for numbers in partitions]


@pytest.mark.parametrize("engine", KINDS, indirect=True)
@settings(max_examples=10)
@given(partitions=st.lists(st.lists(st.floats(-1e9, 1e9), max_size=4), min_size=1, max_size=9))
def test_sums_are_the_same_to_the_last_digit(engine: Engine, partitions: list[list[float]]) -> None:
    expected = InProcessEngine().reduce(workers.total, partitions, lambda one, other: one + other)
    assert engine.reduce(workers.total, partitions, lambda one, other: one + other) == expected


@pytest.mark.parametrize("engine", KINDS, indirect=True)
def test_an_error_has_its_code_and_comes_after_the_results_before_it(engine: Engine) -> None:
    results = engine.map(workers.refuse, [1, 2, 3, 4])
    assert [next(results), next(results)] == [1, 2]
    with pytest.raises(InputError, match="three is refused") as caught:
        next(results)
    assert caught.value.parameters == {"number": 3}


@pytest.mark.parametrize("engine", KINDS, indirect=True)
def test_if_reading_partitions_fails_the_results_before_come_first(engine: Engine) -> None:
    def partitions() -> Iterator[list[int]]:
        yield [2]
        raise InputError("unreadable")

    results = engine.map(workers.squares, partitions())
    assert next(results) == [4]
    with pytest.raises(InputError, match="unreadable"):
        next(results)


@pytest.mark.parametrize("engine", OTHERS, indirect=True)
def test_a_partition_whose_worker_dies_is_worked_on_again(engine: Engine, tmp_path: Path) -> None:
    notes = [str(tmp_path / name) for name in "abc"]
    assert list(engine.map(workers.die_once, notes)) == ["survived"] * 3


@pytest.mark.parametrize("engine", ["processes"], indirect=True)
def test_a_partition_that_kills_every_worker_is_reported(engine: Engine) -> None:
    with pytest.raises(WorkerLostError):
        list(engine.map(workers.die, [1]))


@pytest.mark.parametrize("engine", KINDS, indirect=True)
def test_an_actor_keeps_its_state_between_calls(engine: Engine) -> None:
    one, other = (engine.actor(ActorType(workers.Counter, (first,))) for first in (10, 20))
    assert [one.call("next", 1).result(), one.call("next", 2).result(), other.call("next", 1).result()] == [11, 13, 21]


def answer_of(actor: Actor, method: str, *arguments: Any) -> Any:
    """Return the answer of an actor that is being started again."""
    while True:
        try:
            return actor.call(method, *arguments).result()
        except WorkerLostError:
            continue


@pytest.mark.parametrize("engine", OTHERS, indirect=True)
def test_an_actor_that_dies_is_made_again(engine: Engine, tmp_path: Path) -> None:
    actor = engine.actor(ActorType(workers.Counter, (10,)))
    assert actor.call("next", 1).result() == 11
    with pytest.raises(WorkerLostError):
        actor.call("die_once", str(tmp_path / "note")).result()
    assert answer_of(actor, "die_once", str(tmp_path / "note")) == "survived"
    assert actor.call("next", 1).result() == 11


@pytest.mark.parametrize("engine", OTHERS, indirect=True)
def test_an_actor_that_cannot_be_made_says_why(engine: Engine) -> None:
    with pytest.raises(InputError, match="no such file"):
        engine.actor(ActorType(workers.Unmakeable)).call("next").result()


@pytest.mark.parametrize("engine", OTHERS, indirect=True)
def test_an_import_gives_the_bytes_of_one_process(engine: Engine, tmp_path: Path) -> None:
    source = tmp_path / "cases.jsonl"
    rows = [{"id": str(number), "text": f"被告人甲某犯盗窃罪，判处有期徒刑{number}个月。"} for number in range(1, 450)]
    write_jsonl(source, [*rows, {"id": "7", "text": "重复"}, {"text": "没有编号"}])
    skipped = SkippedRecords()
    with reading_by(engine, FinishedPartitions(tmp_path / "spread", source)):
        save_collection(read_collection("jsonl", source, skipped), tmp_path / "spread", skipped)
    import_dataset("jsonl", source, tmp_path / "alone")
    for name in ("documents.jsonl", "skipped.jsonl", "collection.json"):
        assert (tmp_path / "spread" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


def test_a_cluster_that_is_not_there_is_an_input_error() -> None:
    pytest.importorskip("ray")
    with pytest.raises(InputError, match="no Ray cluster at"):
        open_engine("not an address")


def test_an_address_where_nobody_listens_is_an_input_error() -> None:
    pytest.importorskip("ray")
    with socket.socket() as taken:  # bound, but not listening
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(InputError, match=r"no Ray cluster at '127\.0\.0\.1:.*refused") as caught:
            open_engine(f"127.0.0.1:{taken.getsockname()[1]}")
    assert caught.value.code == ErrorCode.CLUSTER_UNREACHABLE


def test_a_path_that_a_machine_does_not_see_names_the_machine(tmp_path: Path) -> None:
    check_seen(tmp_path)
    with pytest.raises(InputError, match=f"the machine {socket.gethostname()} does not see this path"):
        check_seen(tmp_path / "elsewhere")


def test_a_negative_number_of_workers_is_an_input_error() -> None:
    with pytest.raises(InputError, match="-1 workers"):
        open_engine(workers=-1)
