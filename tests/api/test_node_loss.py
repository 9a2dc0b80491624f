"""A sharded index on a Ray cluster of two nodes, one of which is lost."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from api.sharded_samples import collection, trained
from lexgear.api.cluster import open_on
from lexgear.api.sharding import shard_index
from lexgear.engine.base import ActorType, Engine
from lexgear.engine.opening import open_engine

if TYPE_CHECKING:
    from engine.ray_nodes import RayNodes

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed"),
]


@pytest.fixture
def nodes() -> Iterator["RayNodes"]:
    from engine.ray_nodes import ray_nodes

    with ray_nodes(2) as started:
        yield started


def test_searches_survive_the_loss_of_a_node(nodes: "RayNodes", tmp_path: Path) -> None:
    whole = trained("zh", tmp_path / "whole")
    shard_index(whole, 2, tmp_path / "sharded")
    queries = collection("zh").queries[:3]
    expected = whole.run(queries, 20)
    with open_engine(nodes.address) as engine:
        assert len(machines_of(engine, 2)) == 2
        alone = open_on(engine, tmp_path / "sharded")
        doubled = open_on(engine, tmp_path / "sharded", replicas=2, patience=5)
        assert alone.run(queries, 20) == doubled.run(queries, 20) == expected
        nodes.kill(nodes.others[0])
        assert doubled.run(queries, 20) == expected  # by the replicas on the other node
        assert alone.run(queries, 20) == expected  # once the actor is started again there
        assert len(machines_of(engine, 2)) == 1


def machines_of(engine: Engine, count: int) -> set[str]:
    """Return the machines of actors with consecutive places."""
    actors = [engine.actor(ActorType(Machine), place) for place in range(count)]
    return {actor.call("name").result(60) for actor in actors}


class Machine:
    """Knows where it is."""

    def name(self) -> str:
        import ray

        return str(ray.get_runtime_context().get_node_id())
