"""Load tests of the service: 32 clients on the sample index, with and without micro-batching, with one worker and with
two; every answer is checked.

`python -m bench.serving` runs them alone: one minute per mode, after one client has sent every text once. The numbers
of workers need an otherwise idle machine with at least two cores.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles

from rich.console import Console

from bench.side_by_side import Measured
from bench.table import run_benchmarks
from lexgear.corpus.sample.cases import sample_cases

INDEX = Path("build/sample-index")
CLIENTS = 32
SECONDS = 60.0
"""Seconds per mode, in turns, so that a noisy machine affects both alike."""
TURNS = 6
MODES = {"batched": 16, "alone": 1}
"""Largest number of texts that the model reads in one pass."""


@dataclass(frozen=True)
class Turn:
    """Answer times seen by the clients during one turn."""

    milliseconds: Sequence[float]
    seconds: float
    client_cpu: float
    """CPU seconds of the clients."""

    @property
    def throughput(self) -> float:
        """Answers per second."""
        return len(self.milliseconds) / self.seconds

    @property
    def throughput_without_clients(self) -> float:
        """Answers per second of the time in which the clients do not use the cores that all share."""
        return len(self.milliseconds) / (self.seconds - self.client_cpu / len(os.sched_getaffinity(0)))

    @property
    def p95(self) -> float:
        """95th percentile of the milliseconds per answer."""
        return quantiles(self.milliseconds, n=20)[-1]


def serving_under_load(seconds: float = SECONDS) -> Iterator[Measured]:
    """Compare both modes; the answers to a single client are those that all clients must get under load."""
    texts = [query.text for query in sample_cases().queries]
    turns: dict[str, list[Turn]] = {mode: [] for mode in MODES}
    single = []
    with ExitStack() as stack:
        ports = {mode: stack.enter_context(_service(batch_size)) for mode, batch_size in MODES.items()}
        expected = dict.fromkeys(texts, b"")
        for mode in MODES:
            begun = time.perf_counter()
            answers = {text: _ask(connection, text) for connection in [_connection(ports[mode])] for text in texts}
            single.append((time.perf_counter() - begun) * 1000 / len(texts))
            if mode != next(iter(MODES)) and answers != expected:
                raise AssertionError("micro-batching changes the answers to a single client")
            expected = answers
        for turn in range(TURNS):
            for mode in sorted(MODES, reverse=bool(turn % 2)):
                turns[mode].append(_turn(ports[mode], expected, seconds / TURNS, seed=turn))
    asked = sum(len(turn.milliseconds) for some in turns.values() for turn in some)
    load = f"{CLIENTS} clients, {len(texts)} texts, {asked:,} answers without error, all as a single client gets them"
    yield Measured(
        "serving_batched_vs_alone_throughput",
        f"answers per second with micro-batching divided by those without; {load}",
        tuple(one.throughput / other.throughput for one, other in zip(turns["batched"], turns["alone"], strict=True)),
    )
    for mode, batch_size in MODES.items():
        how = f"up to {batch_size} per pass" if batch_size > 1 else "one per pass"
        yield Measured(
            f"serving_{mode}_per_s", f"answers per second, {how}", tuple(one.throughput for one in turns[mode])
        )
        p50 = tuple(median(one.milliseconds) for one in turns[mode])
        yield Measured(f"serving_{mode}_p50_ms", f"ms, median, {how}", p50)
        yield Measured(f"serving_{mode}_p95_ms", f"ms, 95th percentile, {how}", tuple(one.p95 for one in turns[mode]))
    yield Measured(
        "serving_single_ms",
        "ms per answer to a single client, first the batching service",
        tuple(single),
    )


def workers_under_load(seconds: float = SECONDS) -> Iterator[Measured]:
    """Compare two processes with one."""
    texts = [query.text for query in sample_cases().queries]
    turns: dict[int, list[Turn]] = {1: [], 2: []}
    with ExitStack() as stack:
        ports = {workers: stack.enter_context(_service(1, workers)) for workers in turns}
        connection = _connection(ports[1])
        expected = {text: _ask(connection, text) for text in texts}
        for turn in range(TURNS):
            for workers in sorted(turns, reverse=bool(turn % 2)):
                turns[workers].append(_turn(ports[workers], expected, seconds / TURNS, seed=turn))
    yield Measured(
        "serving_two_workers_vs_one_throughput",
        f"answers per second of two processes divided by those of one, CPU of the {CLIENTS} clients excluded",
        tuple(
            two.throughput_without_clients / one.throughput_without_clients
            for one, two in zip(turns[1], turns[2], strict=True)
        ),
    )


@contextmanager
def _service(batch_size: int, workers: int = 1) -> Iterator[int]:
    """Run a service and yield its port."""
    command = [sys.executable, "-c", "from lexgear.cli import main; main()", "serve", str(INDEX), "--sample"]
    options = ["--port", "0", "--set", f"together={batch_size}", "--workers", str(workers)]
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            lines = iter(process.stdout or ())
            found = next(match for line in lines if (match := re.search(r"http://127\.0\.0\.1:(\d+)", line)))
            yield int(found[1])
        finally:
            process.terminate()


def _turn(port: int, expected: Mapping[str, bytes], seconds: float, seed: int) -> Turn:
    """Run all clients for a while, each in its own random order; an error or a different answer stops everything."""
    end = time.perf_counter() + seconds

    def client(number: int) -> list[float]:
        chance, texts, connection = random.Random(1000 * seed + number), list(expected), _connection(port)
        taken = []
        while (begun := time.perf_counter()) < end:
            text = chance.choice(texts)
            if _ask(connection, text) != expected[text]:
                raise AssertionError("under load a client got a different answer than a single client")
            taken.append(1000 * (time.perf_counter() - begun))
        return taken

    begun, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(CLIENTS) as pool:
        taken = [one for some in pool.map(client, range(CLIENTS)) for one in some]
    return Turn(taken, time.perf_counter() - begun, time.process_time() - cpu)


def _connection(port: int) -> HTTPConnection:
    return HTTPConnection("127.0.0.1", port, timeout=60)


def _ask(connection: HTTPConnection, text: str) -> bytes:
    """Return the whole answer to a search, with scores and explanations."""
    connection.request("POST", "/api/v1/search", json.dumps({"text": text}), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise AssertionError(f"{answer.status}: {body[:300]!r}")
    return body


if __name__ == "__main__":
    run_benchmarks((serving_under_load, workers_under_load), Console())
