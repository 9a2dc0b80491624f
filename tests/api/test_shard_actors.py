"""A search asks the replicas of a shard in turn, and fails as a whole if none of them answers."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

import pytest

from lexgear.api.shard_actors import ShardActors
from lexgear.engine.base import WorkerLostError
from lexgear.errors import ErrorCode, InputError


class ScriptedActor:
    """Answers, dies or hangs as its script says, one step per call, and answers from then on."""

    def __init__(self, answer: str = "answer", steps: Sequence[str] = ()) -> None:
        self.answer, self.steps, self.calls = answer, list(steps), 0

    def call(self, method: str, *arguments: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        step = self.steps.pop(0) if self.steps else "answer"
        if step == "die":
            future.set_exception(WorkerLostError("dead"))
        elif step == "answer":
            future.set_result(self.answer)
        return future

    def close(self) -> None:
        pass


def test_a_replica_answers_for_one_that_died_and_is_asked_first_from_then_on() -> None:
    first, second = ScriptedActor("first", ["die"]), ScriptedActor("second")
    shards = ShardActors([[first, second], [ScriptedActor("alone", ["die", "die"])]], pause=0)
    assert shards.call_all("best", [(), ()]) == ["second", "alone"]
    assert shards.call_all("best", [(), ()]) == ["second", "alone"]
    assert first.calls == 1


def test_a_replica_is_asked_as_well_if_one_hangs() -> None:
    first, second = ScriptedActor("first", ["hang"]), ScriptedActor("second", ["die"])
    shards = ShardActors([[first, second]], hedge=0, pause=0)
    assert shards.call_all("best", [()]) == ["second"]
    assert (first.calls, second.calls) == (1, 2)


def test_a_search_without_a_shard_fails_as_a_whole() -> None:
    shards = ShardActors([[ScriptedActor()], [ScriptedActor(steps=["die"] * 9)]], patience=0, pause=0)
    with pytest.raises(InputError, match="shard 1 of 2 does not answer") as caught:
        shards.call_all("best", [(), ()])
    assert caught.value.code == ErrorCode.SHARD_MISSING
    assert caught.value.parameters == {"shard": 1}


def test_a_shard_that_hangs_is_given_up() -> None:
    with pytest.raises(InputError, match="shard 0 of 1 does not answer"):
        ShardActors([[ScriptedActor(steps=["hang"])]], patience=0).call_all("best", [()])


@pytest.mark.parametrize("replicas", [1, 2])
def test_a_shard_all_replicas_of_which_hang_until_patience_ends_is_missing(replicas: int) -> None:
    hanging = [ScriptedActor(steps=["hang", "hang"]) for _ in range(replicas)]
    shards = ShardActors([[ScriptedActor()], [*hanging]], patience=0.05, hedge=0.01, pause=0.01)
    for calls in (1, 2):
        with pytest.raises(InputError, match="shard 1 of 2 does not answer") as caught:
            shards.call_all("best", [(), ()])
        assert caught.value.code == ErrorCode.SHARD_MISSING
        assert [one.calls for one in hanging] == [calls] * replicas
    assert shards.call_all("best", [(), ()]) == ["answer", "answer"]


def test_a_missing_shard_is_asked_once_by_further_searches_until_it_answers() -> None:
    lost = ScriptedActor("back", ["hang", "die", "die"])
    shards = ShardActors([[lost]], patience=0)
    for calls in (1, 2, 3):
        with pytest.raises(InputError, match="does not answer"):
            shards.call_all("best", [()])
        assert lost.calls == calls
    assert shards.call_all("best", [()]) == ["back"]


def test_an_error_of_a_shard_reaches_the_caller() -> None:
    failed: Future[Any] = Future()
    failed.set_exception(InputError("the shard has changed", code=ErrorCode.SHARD_MISSING))
    actor = ScriptedActor()
    actor.call = lambda method, *arguments: failed  # type: ignore[method-assign]
    with pytest.raises(InputError, match="the shard has changed"):
        ShardActors([[actor]]).call_all("best", [()])


def test_opening_waits_for_all_replicas() -> None:
    replicas = [ScriptedActor(steps=["die"]), ScriptedActor()]
    ShardActors([replicas], pause=0).open()
    assert [one.calls for one in replicas] == [2, 1]
