"""A Ray cluster of several nodes on this machine, whose nodes can be killed."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ray.cluster_utils import Cluster

QUICK = {"health_check_initial_delay_ms": 1000, "health_check_period_ms": 500, "health_check_timeout_ms": 2000}
"""Health checks of Ray that notice a dead node after a few seconds; by default it takes 15 if the node was killed."""
STARTS = 4
"""Times that a node is started: Ray gives up after 30 seconds, in which a busy machine may not start its processes."""
NODE = {"num_cpus": 2, "object_store_memory": 80_000_000}


class RayNodes:
    """Nodes of a cluster, each with its processes; the first one is the head, which must not be killed."""

    def __init__(self, count: int) -> None:
        head = {**NODE, "include_dashboard": False, "_system_config": {**QUICK, "health_check_failure_threshold": 3}}
        start: Any = Cluster
        self.cluster = _started(partial(start, initialize_head=True, head_node_args=head))
        self.others: list[Any] = []
        for _ in range(count - 1):
            self.add()

    @property
    def address(self) -> str:
        return str(self.cluster.address)

    def kill(self, node: Any) -> None:
        """Kill all processes of a node, as if its machine lost power."""
        self.others.remove(node)
        raylet = self.raylet(node)
        for process in [raylet, *children_of(raylet)]:
            os.kill(process, signal.SIGKILL)

    def raylet(self, node: Any) -> int:
        """Return the main process of a node."""
        return int(node.all_processes["raylet"][0].process.pid)

    def add(self) -> Any:
        """Add a node."""
        self.others.append(_started(partial(self.cluster.add_node, **NODE)))
        return self.others[-1]


def _started(start: Callable[[], Any]) -> Any:
    """Start a node, again if Ray gives up; what is left of the attempt would join the cluster later."""
    for _ in range(STARTS - 1):
        before = children_of(os.getpid())
        try:
            return start()
        except Exception as error:
            if "timed out during startup" not in str(error):
                raise
            for process in set(children_of(os.getpid())).difference(before):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
    return start()


def children_of(process: int) -> list[int]:
    """Return all processes that a process started, and those that they started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    return [one for child in map(int, children) for one in (child, *children_of(child))]


@contextmanager
def ray_nodes(count: int) -> Iterator[RayNodes]:
    """Start a cluster during a block; its processes import the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        nodes = RayNodes(count)
        try:
            yield nodes
        finally:
            nodes.cluster.shutdown()
