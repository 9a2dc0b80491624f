"""32 clients at once on the sample index: time and throughput with micro-batching and without, every answer checked.

`python -m bench.serving` runs it alone: a minute for each way, after one client has asked everything once.
"""

from __future__ import annotations

import json
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
from bench.table import measured
from lexgear.corpus.sample.cases import sample_cases

INDEX = Path("build/sample-index")
CLIENTS = 32
SECONDS = 60.0
"""For each way, in turns, so that a noisy machine is noisy for both."""
TURNS = 6
WAYS = {"batched": 16, "alone": 1}
"""How many tasks the model handles in one pass."""


@dataclass(frozen=True)
class Turn:
    """What the clients saw for some seconds."""

    milliseconds: Sequence[float]
    seconds: float

    @property
    def throughput(self) -> float:
        """Answers a second."""
        return len(self.milliseconds) / self.seconds

    @property
    def p95(self) -> float:
        """Milliseconds that 95 answers of 100 take at most."""
        return quantiles(self.milliseconds, n=20)[-1]


def serving_under_load(seconds: float = SECONDS) -> Iterator[Measured]:
    """Each way is first asked by one client alone: what it answers then is what everybody has to get."""
    texts = [query.text for query in sample_cases().queries]
    turns: dict[str, list[Turn]] = {way: [] for way in WAYS}
    single = []
    with ExitStack() as stack:
        ports = {way: stack.enter_context(_service(together)) for way, together in WAYS.items()}
        expected = dict.fromkeys(texts, b"")
        for way in WAYS:
            begun = time.perf_counter()
            answers = {text: _ask(connection, text) for connection in [_connection(ports[way])] for text in texts}
            single.append((time.perf_counter() - begun) * 1000 / len(texts))
            if way != next(iter(WAYS)) and answers != expected:
                raise AssertionError("micro-batching changes what one client gets")
            expected = answers
        for turn in range(TURNS):
            for way in sorted(WAYS, reverse=bool(turn % 2)):
                turns[way].append(_turn(ports[way], expected, seconds / TURNS, seed=turn))
    asked = sum(len(turn.milliseconds) for some in turns.values() for turn in some)
    said = f"{CLIENTS} clients, {len(texts)} texts, {asked:,} answers, none an error, all as one client gets them"
    yield Measured(
        "serving_batched_vs_alone_throughput",
        f"answers a second with micro-batching over those without; {said}",
        tuple(one.throughput / other.throughput for one, other in zip(turns["batched"], turns["alone"], strict=True)),
    )
    for way, together in WAYS.items():
        how = f"up to {together} in a pass" if together > 1 else "one in a pass"
        yield Measured(f"serving_{way}_per_s", f"answers a second, {how}", tuple(one.throughput for one in turns[way]))
        p50 = tuple(median(one.milliseconds) for one in turns[way])
        yield Measured(f"serving_{way}_p50_ms", f"ms, half of the answers, {how}", p50)
        yield Measured(f"serving_{way}_p95_ms", f"ms, 95 of 100, {how}", tuple(one.p95 for one in turns[way]))
    yield Measured(
        "serving_single_ms",
        "ms of an answer where one client asks alone, the service that batches first",
        tuple(single),
    )


@contextmanager
def _service(together: int) -> Iterator[int]:
    """The port of a service in a process of its own."""
    command = [sys.executable, "-c", "from lexgear.cli import main; main()", "serve", str(INDEX), "--sample"]
    options = ["--port", "0", "--set", f"together={together}"]
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
    """All clients for a while, each in an order of its own; an error or another answer stops everything."""
    end = time.perf_counter() + seconds

    def client(number: int) -> list[float]:
        chance, texts, connection = random.Random(1000 * seed + number), list(expected), _connection(port)
        taken = []
        while (begun := time.perf_counter()) < end:
            text = chance.choice(texts)
            if _ask(connection, text) != expected[text]:
                raise AssertionError("under load somebody got another answer than one client gets")
            taken.append(1000 * (time.perf_counter() - begun))
        return taken

    begun = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        taken = [one for some in pool.map(client, range(CLIENTS)) for one in some]
    return Turn(taken, time.perf_counter() - begun)


def _connection(port: int) -> HTTPConnection:
    return HTTPConnection("127.0.0.1", port, timeout=60)


def _ask(connection: HTTPConnection, text: str) -> bytes:
    """The whole answer to a search, scores and reasons included."""
    connection.request("POST", "/api/v1/search", json.dumps({"text": text}), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise AssertionError(f"{answer.status}: {body[:300]!r}")
    return body


if __name__ == "__main__":
    measured((serving_under_load,), Console())
