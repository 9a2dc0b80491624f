"""The cluster of the tests starts on a busy machine too."""

import subprocess
import sys

import pytest

ray_nodes = pytest.importorskip("engine.ray_nodes")


def test_a_node_that_times_out_is_ended_and_started_again() -> None:
    left: list[subprocess.Popen[bytes]] = []

    def start() -> str:
        left.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]))
        if len(left) < 3:
            raise RuntimeError("The current node timed out during startup.")
        return "node"

    try:
        assert ray_nodes._started(start) == "node"
        assert [process.wait() for process in left[:2]] == [-9, -9]
        assert left[2].poll() is None
    finally:
        for process in left:
            process.kill()
            process.wait()


def test_another_failure_of_a_node_is_not_tried_again() -> None:
    tries = 0

    def start() -> None:
        nonlocal tries
        tries += 1
        raise ValueError("no such option")

    with pytest.raises(ValueError, match="no such option"):
        ray_nodes._started(start)
    assert tries == 1
