import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from lexgear.errors import InputError
from lexgear.model.generator.generator import Generator
from lexgear.pretraining.base import load_base
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.learning.checkpoint import Checkpoint, Position
from lexgear.pretraining.learning.measures import charge_accuracy
from lexgear.pretraining.learning.run import SINGLE_PROCESS, PretrainingRun, initial_generator, run_fingerprint
from lexgear.pretraining.settings import PretrainSettings
from pretraining.small import SETTINGS

WITHOUT_READERS = """
import sys
BARRED = {"rjieba", "ahocorasick_rs", "bm25s", "scipy", "snowballstemmer", "typer", "rich", "transformers"}
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BARRED:
            raise ImportError(f"{name} is not on this machine")
sys.meta_path.insert(0, Absent())
"""
LEARN = """
from pathlib import Path
from lexgear.pretraining.base import save_base
from lexgear.pretraining.learning.distributed import process_group
from lexgear.pretraining.learning.run import PretrainingRun
from lexgear.pretraining.learning.measures import charge_accuracy
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.settings import PretrainSettings
import json, torch
prepared_at, out, said = sys.argv[1:]
settings = PretrainSettings(**json.loads(said))
with process_group() as group:
    generator, end = PretrainingRun(Prepared.load(Path(prepared_at)), settings, None, group).run()
    save_base(Path(f"{out}-{group.rank}"), Path(prepared_at), settings, generator, end)
    line = torch.nn.Linear(2, 1)
    line.weight.grad = torch.full_like(line.weight, float(group.rank))
    group.average_gradients(line)
    print(line.weight.grad.tolist(), line.bias.grad.tolist(), group.broadcast(group.rank + 5))
threads = [name.read_text("utf-8").strip() for name in Path("/proc/self/task").glob("*/comm")]
print("threads of the group:", [name for name in threads if "gloo" in name or "tcpstore" in name])
"""


def weights(generator: Generator) -> dict[str, list[float]]:
    return {name: value.flatten().tolist() for name, value in generator.state_dict().items()}


def kept(prepared: Prepared, settings: PretrainSettings, directory: Path) -> PretrainingRun:
    return PretrainingRun(
        prepared, settings, Checkpoint(directory, run_fingerprint(prepared, settings, SINGLE_PROCESS))
    )


def test_every_task_is_learnt(prepared: Prepared) -> None:
    settings = replace(SETTINGS, steps=50, log_every=10, checkpoint_every=1000, learning_rate=0.01, dropout=0.0)
    generator, end = PretrainingRun(prepared, settings).run()
    first, *_, last, measures = end.log
    for task in ("spans", "law", "retelling", "own_facts", "likeness"):
        assert last[task] < 0.85 * first[task], task
    assert measures["step"] == last["step"] == 50
    learnt = np.arange(prepared.learnt)
    before, after = (
        charge_accuracy(model, prepared, prepared.facts, prepared.charges, learnt, settings.max_length)["top3"]
        for model in (initial_generator(prepared, settings).eval(), generator)
    )
    assert after > before + 0.2
    assert last["tokens"] == end.tokens > 50 * settings.batch_size * 50


def test_a_task_of_weight_zero_is_left_out(prepared: Prepared) -> None:
    settings = replace(
        SETTINGS,
        steps=2,
        log_every=1,
        span_weight=0.0,
        reasoning_weight=0.0,
        own_facts_weight=0.0,
        similarity_weight=0.0,
    )
    _, end = PretrainingRun(prepared, settings).run()
    assert set(end.log[0]) == {"step", "seconds", "tokens", "rate", "law"}
    with pytest.raises(InputError, match="every task has weight 0"):
        replace(settings, law_weight=0.0)


@pytest.fixture(scope="module")
def whole(prepared_at: Path) -> tuple[dict[str, list[float]], Position]:
    """An uninterrupted run."""
    generator, end = PretrainingRun(Prepared.load(prepared_at), SETTINGS).run()
    return weights(generator), end


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_was_stopped_goes_on_to_the_same_weights(
    prepared: Prepared, whole: tuple[dict[str, list[float]], Position], tmp_path: Path, sign: int
) -> None:
    def stop(done: int, total: int | None, note: str = "") -> None:
        if note.startswith("step 5,"):
            signal.raise_signal(sign)

    with pytest.raises(KeyboardInterrupt):
        kept(prepared, SETTINGS, tmp_path / "run").run(stop)
    resumed = kept(prepared, SETTINGS, tmp_path / "run")
    assert resumed.checkpoint is not None
    assert resumed.checkpoint.steps_done() == 5
    again, end_again = resumed.run()
    assert weights(again) == whole[0]
    assert (end_again.step, end_again.tokens) == (whole[1].step, whole[1].tokens)


class KilledError(Exception):
    """Simulates kill -9: nothing can be written any more."""


def test_a_run_that_was_killed_goes_on_from_its_last_checkpoint(
    prepared: Prepared, whole: tuple[dict[str, list[float]], Position], tmp_path: Path
) -> None:
    def die(done: int, total: int | None, note: str = "") -> None:
        if note.startswith("step 5,"):
            raise KilledError

    with pytest.raises(KilledError):
        kept(prepared, SETTINGS, tmp_path / "run").run(die)
    resumed = kept(prepared, SETTINGS, tmp_path / "run")
    assert resumed.checkpoint is not None
    assert resumed.checkpoint.steps_done() == 3
    assert weights(resumed.run()[0]) == whole[0]


def test_the_checkpoint_of_another_run_or_a_damaged_one_is_refused(prepared: Prepared, tmp_path: Path) -> None:
    kept(prepared, replace(SETTINGS, steps=2, checkpoint_every=2), tmp_path / "run").run()
    with pytest.raises(InputError, match="the checkpoint of another training run"):
        kept(prepared, replace(SETTINGS, steps=3, checkpoint_every=2), tmp_path / "run").run()
    (tmp_path / "run" / "weights.safetensors").write_bytes(b"")
    with pytest.raises(InputError, match="damaged checkpoint"):
        kept(prepared, replace(SETTINGS, steps=2, checkpoint_every=2), tmp_path / "run").run()


def test_a_clock_ends_a_run_and_the_rate_falls_with_it(prepared: Prepared) -> None:
    _, end = PretrainingRun(prepared, replace(SETTINGS, steps=10**6, seconds=1.0, log_every=1)).run()
    assert 1 <= end.seconds < 30
    rates = [row["rate"] for row in end.log if "rate" in row]
    assert rates[-1] < 0.7 * max(rates)


def test_a_loss_that_is_no_number_is_told_with_its_name(prepared: Prepared) -> None:
    broken = replace(prepared, scores=np.full_like(prepared.scores, np.nan))
    with pytest.raises(InputError, match=r"training diverged before step 2: .*likeness not finite"):
        PretrainingRun(broken, SETTINGS).run()


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", **more}


def command(prepared_at: Path, out: Path, settings: str) -> list[str]:
    return [sys.executable, "-W", "error", "-c", WITHOUT_READERS + LEARN, str(prepared_at), str(out), settings]


def test_several_processes_without_any_reader_of_texts_learn_the_same_weights(
    prepared_at: Path, prepared: Prepared, tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    shared = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    settings = json.dumps(asdict(replace(SETTINGS, steps=4)))
    running = [
        subprocess.Popen(
            command(prepared_at, tmp_path / "base", settings),
            env=environment(RANK=str(rank), LOCAL_RANK=str(rank), **shared),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in (0, 1)
    ]
    said = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    assert [out for out, _ in said] == ["[[0.5, 0.5]] [0.0] 5.0\nthreads of the group: []\n"] * 2
    first, second = (weights(load_base(tmp_path / f"base-{rank}").generator) for rank in (0, 1))
    assert first == second
    fresh = weights(initial_generator(prepared, SETTINGS))
    assert np.abs(np.subtract(first["law_out.weight"], fresh["law_out.weight"])).max() > 1e-3
