"""Fault campaign over a small index (`make faults`): prints how many faults were tried and survived.

Every line counts one kind of fault. A fault is survived if the old or the new state is there afterwards, or if the
program answers or refuses in one clear line. The same seed tries the same faults.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from urllib.parse import quote

from starlette.testclient import TestClient

from api.sharded_samples import trained
from faults.crafted import forge, forgeries
from faults.slow_patterns import BOUNDED_LENGTH, patterns_to_check, slow_patterns
from lexgear.api import Index, train
from lexgear.corpus.records import Collection
from lexgear.corpus.sample.cases import sample_cases
from lexgear.errors import InputError
from lexgear.index.manifest import MANIFEST
from lexgear.index.store import StoredIndex
from lexgear.rankers.words.bm25 import BM25
from lexgear.serve.api.errors import ApiError
from lexgear.serve.app import create_app
from lexgear.serve.settings import ServeSettings
from lexgear.serve.uploads import text_of_upload
from serve.uploads.files import body, paragraph, pdf, word

Faults = Iterator[bool]
"""One value per fault: whether it was survived."""
TEXT = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元。"


class Campaign:
    """Faults of one seed on a small index of the sample."""

    def __init__(self, directory: Path, seed: int, times: int) -> None:
        self.directory, self.random, self.times = directory, Random(seed), times
        whole = sample_cases()
        self.cases: Collection = replace(whole, documents=whole.documents[:60], queries=(), qrels={}, pools={})
        self.new = whole.documents[60:64]
        self.index = directory / "index"
        train(self.cases, BM25(), self.index)

    def copy(self, index: Path | None = None) -> Path:
        """Return a copy of an index, which replaces the last one."""
        target = self.directory / "copy"
        shutil.rmtree(target, ignore_errors=True)
        return Path(shutil.copytree(index or self.index, target))

    def kills(self) -> Faults:
        """Kill a process that adds, removes or trains, at a random moment."""
        changes: list[Callable[[Path], object]] = [
            lambda index: Index.load(index).add(self.new),
            lambda index: Index.load(index).remove([self.cases.documents[0].id]),
            lambda index: train(self.cases, BM25(), index),
        ]
        for _ in range(self.times):
            index, change = self.copy(), self.random.choice(changes)
            child = os.fork()
            if child == 0:
                change(index)
                os._exit(0)
            time.sleep(self.random.random() * 0.4)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            yield _is_whole(index, {56, 59, 60, 64}) and _succeeds(partial(_search, index))

    def full_disks(self) -> Faults:
        """Let a file grow to a random size at most."""
        for _ in range(self.times):
            index, most = self.copy(), self.random.randrange(1, 60_000)
            child = os.fork()
            if child == 0:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
                try:
                    Index.load(index).add(self.new)
                except InputError:
                    os._exit(0)
                except BaseException:
                    os._exit(1)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            yield status == 0 and _is_whole(index, {60, 64})

    def flipped_bytes(self) -> Faults:
        """Flip a bit of a random byte of a part or of the manifest: loading must refuse the index."""
        parts = sorted(path.relative_to(self.index) for path in self.index.rglob("*") if path.is_file())
        for at in range(self.times):
            index = self.copy()
            path = index / parts[at % len(parts)]
            data = bytearray(path.read_bytes())
            data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
            path.write_bytes(data)
            yield not _succeeds(partial(_search, index))

    def forged_parts(self) -> Faults:
        """Write parts with matching checksums: an answer, or one clear line."""
        learnt = trained("fr", self.directory / "learnt").stored.directory
        for source in (self.index, learnt):
            for part in sorted(source.rglob("*")):
                if part.is_file() and part.name != MANIFEST:
                    for _, forgery in forgeries(part, self.random):
                        index = self.copy(source)
                        forge(index, index / part.relative_to(source), forgery)
                        yield _answers(partial(_search, index))

    def uploads(self) -> Faults:
        """Change random bytes of PDF and Word files, or cut them off."""
        files = [pdf([TEXT, TEXT]), word(body(paragraph(TEXT) * 3))]
        for at in range(self.times):
            data = bytearray(files[at % len(files)])
            for _ in range(self.random.randrange(1, 20)):
                data[self.random.randrange(len(data))] = self.random.randrange(256)
            cut = bytes(data[: self.random.randrange(10, len(data))] if self.random.random() < 0.3 else data)
            yield _answers(partial(text_of_upload, "a", cut, ServeSettings()))

    def texts(self) -> Faults:
        """Search random strings of frequent pieces."""
        words = "被告人 李 明 某 1 ， 。 《 》 （ 第一条 第一款 2019年1月1日 冰毒 克 é M. A 公安 元 - “ 👨‍👩‍👧"
        pieces = [*words.split(), " ", "\n", "\0", "\ud800", "\u0301"]
        index = Index.load(self.index)
        for _ in range(self.times):
            some = self.random.choices(pieces, k=self.random.randrange(1, 4))
            text = "".join(self.random.choices(some, k=self.random.randrange(1, 20_000)))
            yield _answers(partial(index.search, text))

    def requests(self) -> Faults:
        """Send hostile bodies, queries and headers to every endpoint: any answer but an internal error."""
        odd = [
            "x",
            "9" * 5000,
            "[" * 5000,
            "\\ud800",
            "text=" * 50,
            "null",
            "-1",
            "1e999",
            '{"a":' * 3000,
            "\0",
            "../..",
        ]
        paths = ("search", "search/batch", "judge", "rationale", "compare", "report")
        with TestClient(create_app(self.index), "http://127.0.0.1", raise_server_exceptions=False) as client:
            for at in range(self.times):
                value, path = self.random.choice(odd), self.random.choice(paths)
                answers = [
                    client.post(
                        f"/api/v1/{path}", content=value.encode(), headers={"Content-Type": "application/json"}
                    ),
                    client.post(f"/api/v1/{path}", json={"text": TEXT, "filters": [value], "k": at, "node": value}),
                    client.post(f"/api/v1/{path}", json={"text": value, "with": value, "searches": [{"text": value}]}),
                    client.post("/", data={"text": TEXT, **{f"{value[:50]}{n}": value[:50] for n in range(200)}}),
                    client.post(
                        "/upload", content=value.encode(), headers={"Content-Type": "multipart/form-data; boundary=x"}
                    ),
                    client.get(f"/api/v1/cases/{quote(value[:500])}?{quote(value)}={at}"),
                    client.get("/", headers={f"X-{n}": "a" * 100 for n in range(200)}),
                ]
                yield all(answer.status_code < 500 for answer in answers)

    def patterns(self) -> Faults:
        """Search strings that are made to be slow for each regular expression."""
        seed = self.random.randrange(2**31)
        found, bounded = patterns_to_check()
        slow = [
            *slow_patterns(found, 100_000, 5, self.times, seed),
            *slow_patterns(bounded, BOUNDED_LENGTH, 5, self.times, seed),
        ]
        for line in slow:
            print(f"  slow: {line}")
        yield from [False] * len(slow) + [True] * (len(found) + len(bounded) - len(slow))

    def cluster_kills(self) -> Faults:
        """Kill shard processes, nodes and the coordinator of a Ray cluster under load; none without Ray."""
        if importlib.util.find_spec("ray") is not None:
            from faults.cluster_kills import cluster_kills

            yield from cluster_kills(self.directory, self.random, max(self.times // 50, 1))


KINDS = (
    *("kills", "full_disks", "flipped_bytes", "forged_parts", "uploads", "texts", "requests", "patterns"),
    "cluster_kills",
)


def run(seed: int, times: int, kinds: tuple[str, ...] = KINDS) -> dict[str, tuple[int, int]]:
    """Return the number of faults tried and survived, per kind."""
    with tempfile.TemporaryDirectory() as directory:
        campaign = Campaign(Path(directory), seed, times)
        counts = {}
        for kind in kinds:
            outcomes = list(getattr(campaign, kind)())
            counts[kind] = (len(outcomes), sum(outcomes))
            print(f"{kind.replace('_', ' '):16}{len(outcomes):6} tried{sum(outcomes):6} survived", flush=True)
    return counts


def _search(index: Path) -> None:
    loaded = Index.load(index)
    loaded.stored.check()
    loaded.search(TEXT)


def _is_whole(index: Path, numbers: set[int]) -> bool:
    try:
        stored = StoredIndex(index)
        stored.check()
    except InputError:
        return False
    return len(stored.catalogue) in numbers


def _succeeds(action: Callable[[], object]) -> bool:
    try:
        action()
    except InputError:
        return False
    return True


def _answers(action: Callable[[], object]) -> bool:
    """Return whether an action answers or refuses clearly; any other exception is a fault of ours."""
    try:
        action()
    except (InputError, ApiError):
        return True
    except Exception as error:
        print(f"  {type(error).__name__}: {error}"[:200])
        return False
    return True


def main() -> None:
    """Run the campaign; the exit code is 1 if a fault was not survived."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--times", type=int, default=100, help="faults per kind, and strings per pattern")
    options.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS, help="kinds of faults")
    given = options.parse_args()
    print(f"seed {given.seed}")
    counts = run(given.seed, given.times, tuple(given.kinds))
    sys.exit(any(tried != survived for tried, survived in counts.values()))


if __name__ == "__main__":
    main()
