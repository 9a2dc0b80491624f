"""Growth of time, memory and disk space with the number of documents.

Collections are made by recombining sentences of real judgments, if the data sets are at hand, and of the sample
otherwise. Every step runs in a process of its own, so that its peak memory can be measured. Times are CPU times, so
that other work on the machine does not count. The growth exponent is log(ratio of the numbers) / log(ratio of the
sizes): 1 is linear, 0 is constant.

    python -m bench.growth DIRECTORY 10000 100000

The directory keeps the collections, the indexes and the numbers of every step: a run that was interrupted continues
after the last whole step.
"""

from __future__ import annotations

import json
import math
import random
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import process_time
from typing import TypeVar

from bench.side_by_side import Measured
from lexgear import Index, import_dataset, open_collection, train
from lexgear.corpus.records import Document
from lexgear.corpus.sample.cases import sample_cases
from lexgear.files import read_jsonl, write_jsonl

Answer = TypeVar("Answer")
SIZES = (10_000, 100_000)
BENCH_SIZES = (1_000, 10_000)
"""Numbers of documents in `make bench`; `runs/growth.sh` measures larger ones."""
SENTENCES, QUERIES = 20, 15
"""Sentences per document, and queries per measurement."""
DATA = Path("../shared/data/cail2018")
STEPS = ("import", "train", "load", "search", "filtered search", "add", "remove")
FILTERS = ("date>=2015-06", "charge!=诈骗罪")


def growth_with_documents() -> Iterator[Measured]:
    """Yield the growth exponents of every step from 1,000 to 10,000 documents."""
    about = f"growth exponent from {BENCH_SIZES[0]:,} to {BENCH_SIZES[-1]:,} documents, 1 is linear"
    with TemporaryDirectory() as directory:
        rows = measure(BENCH_SIZES, Path(directory))
    for name, exponent in exponents(rows, BENCH_SIZES).items():
        if not math.isnan(exponent):
            words = re.sub(r"\(.*\)", "", name).replace(",", "").split()
            yield Measured("_".join(["growth", *words]), about, (exponent,))


def measure(sizes: Sequence[int], directory: Path) -> dict[str, list[float]]:
    """Return the numbers of every row of the table, one per size; steps with numbers in the directory are not run."""
    rows: dict[str, list[float]] = {}
    for size in sizes:
        place = directory / str(size)
        place.mkdir(parents=True, exist_ok=True)
        for step in STEPS:
            done = place / f"{step}.json"
            if not done.exists():
                done.write_text(json.dumps(_in_process(step, size, place)), encoding="utf-8")
                print(size, step, done.read_text(encoding="utf-8"), file=sys.stderr)
            for name, value in json.loads(done.read_text(encoding="utf-8")).items():
                rows.setdefault(name, []).append(value)
    return rows


def exponents(rows: dict[str, list[float]], sizes: Sequence[int]) -> dict[str, float]:
    """Return the growth exponent of every row from the first to the last size; NaN for one size."""
    ratio = math.log(sizes[-1] / sizes[0])
    return {
        name: math.log(values[-1] / values[0]) / ratio if ratio and min(values) > 0 else math.nan
        for name, values in rows.items()
    }


def table(sizes: Sequence[int], directory: Path) -> str:
    """Return the growth table in Markdown."""
    rows = measure(sizes, directory)
    head = ["", *(f"{size:,}" for size in sizes), "exponent"]
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(sizes) + 1)}"]
    for name, exponent in exponents(rows, sizes).items():
        numbers = " | ".join(f"{value:,.3g}" if value < 1000 else f"{value:,.0f}" for value in rows[name])
        lines.append(f"| {name} | {numbers} | {exponent:.2f} |")
    return "\n".join(lines)


def _in_process(step: str, size: int, place: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.growth", "step", step, str(size), str(place)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def run_step(step: str, size: int, place: Path) -> dict[str, float]:
    """Run one step on the files of the steps before; return its numbers by name."""
    index = place / "index"
    if step == "import":
        write_jsonl(place / "documents.jsonl", rows_of(size))
        _, seconds = timed(lambda: import_dataset("jsonl", place, place / "collection"))
        return {"import (CPU s)": seconds, "import, peak memory (MB)": _peak()}
    if step == "train":
        collection = open_collection(place / "collection")
        _, seconds = timed(lambda: train(collection, "lexgear", index, backbone=""))
        size_on_disk = sum(path.stat().st_size for path in index.rglob("*") if path.is_file()) / 1e6
        return {"train (CPU s)": seconds, "train, peak memory (MB)": _peak(), "index (MB)": size_on_disk}
    loaded, seconds = timed(lambda: Index.load(index))
    if step == "load":
        return {"load (CPU s)": seconds}
    if step in {"search", "filtered search"}:
        times = sorted(_searches(loaded, FILTERS if step == "filtered search" else ()))
        tail = quantiles(times, n=20)[-1]
        found = {f"{step}, p50 (CPU ms)": 1000 * median(times), f"{step}, p95 (CPU ms)": 1000 * tail}
        return found if step == "filtered search" else {**found, "search, peak memory (MB)": _peak()}
    if step == "add":
        first, second = (
            Document(name, {"fact": text}, charges=("盗窃罪",)) for name, text in zip("ab", queries()[:2], strict=True)
        )
        return {
            "add one document (CPU s)": timed(lambda: loaded.add([first]))[1],
            "add another in the same process (CPU s)": timed(lambda: loaded.add([second]))[1],
        }
    return {"remove one document (CPU s)": timed(lambda: loaded.remove(["7"]))[1]}


def rows_of(size: int) -> Iterator[dict[str, object]]:
    """Yield documents: sentences of others at random, with a charge and a date; the same on every call."""
    chance, sources = random.Random(11), _sources()
    for number in range(size):
        charges, own = chance.choice(sources)
        others = [sentence for _, more in chance.sample(sources, 3) for sentence in more]
        facts = "。".join(chance.choices(own, k=SENTENCES // 2) + chance.choices(others, k=SENTENCES // 2))
        day = f"20{chance.randrange(10, 20)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
        yield {"id": str(number), "sections": {"fact": facts}, "charges": charges, "date": day}


def queries() -> list[str]:
    """Return query texts made of the same sentences."""
    chance, sources = random.Random(5), _sources()
    return ["。".join(chance.choices(chance.choice(sources)[1], k=6)) for _ in range(QUERIES)]


def _sources() -> list[tuple[list[str], list[str]]]:
    """Return charges and sentences of real judgments, or of the sample."""
    sample = [(list(one.charges), _sentences(one.sections.get("fact", ""))) for one in sample_cases().documents]
    known = {charge for charges, _ in sample for charge in charges}
    real = []
    for path in sorted(DATA.glob("*.jsonl*"))[:1]:
        for number, (_, row) in enumerate(read_jsonl(path)):
            if number >= 20_000:
                break
            charges = [f"{name}罪" for name in row.get("meta", {}).get("accusation", [])]
            real.append(([name for name in charges if name in known], _sentences(row.get("fact", ""))))
    found = [pair for pair in real if pair[0] and len(pair[1]) > 3]
    return found if len(found) > 1000 else [pair for pair in sample if pair[1]]


def _sentences(text: str) -> list[str]:
    return [part for part in text.replace("；", "。").split("。") if part]


def _searches(index: Index, filters: Sequence[str]) -> list[float]:
    index.search(queries()[0], filters=filters)
    return [timed(partial(index.search, text, filters=filters))[1] for text in queries()]


def timed(call: Callable[[], Answer]) -> tuple[Answer, float]:
    """Return the result of a call and the CPU seconds it took."""
    start = process_time()
    found = call()
    return found, process_time() - start


def _peak() -> float:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def _usage() -> int:
    print("usage: python -m bench.growth DIRECTORY [SIZE ...]", file=sys.stderr)
    return 2


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(_usage())
    if sys.argv[1] == "step":
        print(json.dumps(run_step(sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))))
    else:
        print(table([int(size) for size in sys.argv[2:]] or SIZES, Path(sys.argv[1])))
