"""Batches do not depend on the number of workers, and workers exit with the training process."""

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.learning.batches import Batch, BatchLoader, BatchSampler, worker_count
from lexgear.pretraining.learning.distributed import ProcessGroup
from pretraining.small import SETTINGS

AHEAD = """
import os, sys, time
from pathlib import Path
from lexgear.pretraining.learning.batches import BatchLoader, BatchSampler
from lexgear.pretraining.learning.distributed import ProcessGroup
from lexgear.pretraining.data.prepared import Prepared
from pretraining.small import SETTINGS
with BatchLoader(BatchSampler(Prepared.load(Path(sys.argv[1])), SETTINGS, ProcessGroup()), 0, 3) as batches:
    batches.take()
    print(*(process.pid for process in batches._processes), flush=True)
    time.sleep(60)
"""


def same(one: Batch, other: Batch) -> bool:
    return pickle.dumps(one) == pickle.dumps(other)


def test_helpers_draw_what_one_process_would_have_drawn_in_the_same_order(prepared: Prepared) -> None:
    alone = BatchSampler(prepared, SETTINGS, ProcessGroup())
    expected = [alone.at(step) for step in range(30)]
    for workers in (1, 3):
        for first in (0, 11):  # a stopped run resumes in the middle of an epoch
            with BatchLoader(BatchSampler(prepared, SETTINGS, ProcessGroup()), first, workers) as batches:
                for step in range(first, 30):
                    found = batches.take()
                    assert np.array_equal(found.facts[0], expected[step].facts[0])
                    assert found.seed == expected[step].seed
                    assert repr(found.task_inputs) == repr(expected[step].task_inputs)


def test_every_process_of_a_crew_draws_its_own_share(prepared: Prepared) -> None:
    shares = [BatchSampler(prepared, SETTINGS, ProcessGroup(rank, 2)).at(3) for rank in (0, 1)]
    assert [len(share.facts[0]) for share in shares] == [SETTINGS.batch_size // 2] * 2
    assert shares[0].seed != shares[1].seed


def test_a_model_on_the_cpu_has_no_helpers_and_one_on_a_gpu_leaves_cores_to_others() -> None:
    assert worker_count("cpu", ProcessGroup()) == 0
    assert 0 <= worker_count("cuda", ProcessGroup()) <= (os.cpu_count() or 1)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
def test_no_helper_outlives_the_learner(prepared_at: Path, sign: int) -> None:
    path = os.pathsep.join(["tests", *sys.path])
    learner = subprocess.Popen(
        [sys.executable, "-c", AHEAD, str(prepared_at)],
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert learner.stdout is not None
    workers = [int(pid) for pid in learner.stdout.readline().split()]
    assert len(workers) == 3
    assert all(alive(pid) for pid in workers)
    learner.send_signal(sign)
    learner.wait()
    learner.stdout.close()
    for _ in range(200):
        if not any(alive(pid) for pid in workers):
            return
        time.sleep(0.05)
    pytest.fail("a helper is still there")


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
