"""Gradients by several workers give the weights of one process, to the last bit."""

import importlib.util
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from lexgear.engine.base import ActorType, WorkerLostError
from lexgear.engine.current import working_on
from lexgear.engine.in_process import InProcessEngine, LocalObject
from lexgear.engine.opening import open_engine
from lexgear.engine.processes import ProcessEngine
from lexgear.errors import InputError
from lexgear.progress import Progress
from lexgear.rankers.registry import make_ranker
from lexgear.training import gradient_workers
from lexgear.training.gradient_workers import GradientWorker
from lexgear.training.loop import DivergedError, Loop, LoopSettings
from training.noisy_fit import Fit, Net
from training.small_collection import TINY, small_collection

SETTINGS = LoopSettings(epochs=3, batch_size=4, learning_rate=0.05, gradient_accumulation=4)


def loop(bad: int = -1, settings: LoopSettings = SETTINGS) -> Loop:
    torch.manual_seed(1)
    model = Net()
    return Loop(model, Fit(model, torch.randn(30, 3), bad), 30, settings)


def state(model: nn.Module) -> dict[str, list[float]]:
    return {name: value.flatten().tolist() for name, value in model.state_dict().items()}


class ThreeWorkers(InProcessEngine):
    """Engine whose actors are three objects in this process, each with a copy of the model."""

    workers = 3

    def __init__(self) -> None:
        self.placed: list[LocalObject] = []

    def actor(self, kind: ActorType, place: int = 0) -> LocalObject:
        self.placed.append(super().actor(kind, place))
        return self.placed[-1]


@pytest.fixture
def spread() -> Iterator[ThreeWorkers]:
    engine, threads = ThreeWorkers(), torch.get_num_threads()
    with working_on(engine):
        yield engine
    torch.set_num_threads(threads)


def test_weights_and_log_are_those_of_one_process(spread: ThreeWorkers) -> None:
    many = loop()
    many.run()
    assert len(spread.placed) == 3
    with working_on(InProcessEngine()):
        alone = loop()
        alone.run()
    assert state(many.model) == state(alone.model)
    assert many.log == alone.log
    assert many.log[-1]["tokens"] == 90


def test_the_batches_of_a_step_do_not_share_random_numbers() -> None:
    one = loop()
    batches = one._batches(1, 4, [np.arange(4)] * 3, np.random.default_rng(0))
    assert len({batch.seed for batch in batches}) == 3
    assert len({batch.rng.random() for batch in batches}) == 3
    again = one._batches(1, 4, [np.arange(4)] * 3, np.random.default_rng(0))
    assert [batch.seed for batch in again] == [batch.seed for batch in batches]


def test_a_loss_that_is_no_number_stops_with_its_examples(spread: ThreeWorkers) -> None:
    with pytest.raises(DivergedError, match=r"epoch 1, step \d+ \(examples \[.*\b7\b.*squares nan"):
        loop(bad=7).run()


def test_the_batches_of_a_lost_worker_go_to_the_next(spread: ThreeWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradient_workers, "PAUSE", 0.0)
    with working_on(InProcessEngine()):
        alone = loop()
        alone.run()
    lost = 0
    call = LocalObject.call

    def fail_at_times(actor: LocalObject, method: str, *arguments: Any) -> Future[Any]:
        nonlocal lost
        if actor is spread.placed[1]:
            lost += 1
            gone: Future[Any] = Future()
            gone.set_exception(WorkerLostError("a process died"))
            return gone
        return call(actor, method, *arguments)

    monkeypatch.setattr(LocalObject, "call", fail_at_times)
    many = loop()
    many.run()
    assert lost == 6  # two steps in each of three epochs
    assert state(many.model) == state(alone.model)


def test_batches_that_end_every_worker_are_given_up(spread: ThreeWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(actor: LocalObject, method: str, *arguments: Any) -> Future[Any]:
        gone: Future[Any] = Future()
        gone.set_exception(WorkerLostError("a process died"))
        return gone

    monkeypatch.setattr(gradient_workers, "PAUSE", 0.0)
    monkeypatch.setattr(gradient_workers, "PATIENCE", -1.0)
    monkeypatch.setattr(LocalObject, "call", lose)
    with pytest.raises(WorkerLostError):
        loop().run()


def test_a_machine_without_gpu_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="has no GPU"):
        GradientWorker(Net(), Fit(Net(), torch.zeros(1, 3)), "cuda", 1)


def test_steps_of_one_batch_stay_in_this_process(spread: ThreeWorkers) -> None:
    loop(settings=LoopSettings(epochs=1, batch_size=4)).run()
    assert spread.placed == []


SMALL = {**TINY, "epochs": 1, "batch_size": 8, "gradient_accumulation": 2}
RANKERS: dict[str, dict[str, object]] = {
    "gear": {"lambda_l": 0.1},
    "lexgear": {"backbone": ""},
    "nci": {},
    "dsi_qg": {},
    "bert": {"pretraining_epochs": 1},
    "gdsr": {"pretraining_epochs": 0},
    "sailer": {"pretraining_epochs": 1},
}


def trained(name: str, out: Path) -> dict[str, bytes]:
    ranker = make_ranker(name, **{**SMALL, **RANKERS[name]}).fit(small_collection())
    out.mkdir()
    ranker.save(out)
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("name", RANKERS)
def test_every_ranker_is_trained_by_several_workers(name: str, spread: ThreeWorkers, tmp_path: Path) -> None:
    many = trained(name, tmp_path / "many")
    assert spread.placed
    with working_on(InProcessEngine()):
        assert trained(name, tmp_path / "alone") == many


def kill_once(engine: ProcessEngine) -> Progress:
    """Return a progress callback that kills the process of an actor in the second epoch."""

    def watch(done: int, total: int | None, note: str = "") -> None:
        if done == 10:
            [process] = engine._actors[0]._pool._processes
            os.kill(process, signal.SIGKILL)

    return watch


@pytest.mark.slow
def test_a_worker_that_is_killed_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # workers import this module
    alone = loop()
    alone.run()
    many = loop()
    with ProcessEngine(2) as engine, working_on(engine):
        many.run(kill_once(engine))
    assert state(many.model) == state(alone.model)
    assert many.log == alone.log


@pytest.mark.cluster
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
def test_a_cluster_gives_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    alone = loop()
    alone.run()
    many = loop()
    with open_engine("local") as engine, working_on(engine):
        many.run()
    assert state(many.model) == state(alone.model)
