"""`lexgear serve --workers`: several processes over one index answer as one, and one of them may die."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lexgear.api import Index
from lexgear.corpus.records import Collection, Query

COMMAND = (sys.executable, "-c", "from lexgear.cli import main; main()", "serve", "--port", "0", "--workers", "2")


class Service:
    """A running service, and what it has logged."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.process = subprocess.Popen(
            [*COMMAND, str(directory)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.logged: list[str] = []
        self._reader = threading.Thread(target=self._read_log)
        self._reader.start()
        lines = iter(self.process.stdout or ())
        found = next(match for line in lines if (match := re.search(r"http://127\.0\.0\.1:\d+", line)))
        self.address = found[0]

    def _read_log(self) -> None:
        for line in self.process.stderr or ():
            self.logged.append(line)

    def close(self) -> None:
        self.process.kill()
        self._reader.join()
        self.process.communicate()

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=60) as answer:
            return str(answer.read(), "utf-8")

    def search(self, text: str) -> Any:
        body = json.dumps({"text": text}).encode()
        request = urllib.request.Request(f"{self.address}/api/v1/search", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["hits"]

    def workers(self) -> set[int]:
        """Return the processes that serve; multiprocessing has one more, which tracks resources."""
        own = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii")
        return {int(one) for one in own.split() if b"resource_tracker" not in _command(int(one))}

    def wait_for_lines(self, pattern: str, count: int) -> None:
        wait_until(
            lambda: sum(bool(re.search(pattern, line)) for line in [*self.logged]) >= count,
            f"{count} lines with {pattern!r} in the log",
        )


def wait_until(holds: Callable[[], bool], what: str) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.1)
    pytest.fail(f"after a minute there is no sign of {what}")


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b"resource_tracker"


def _state(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


@pytest.fixture
def service(words_dir: Path, tmp_path: Path) -> Iterator[Service]:
    service = Service(Path(shutil.copytree(words_dir, tmp_path / "index")))
    yield service
    service.close()


def test_workers_answer_as_one_process_follow_changes_and_count_together(
    service: Service, collection: Collection, unseen: list[Query]
) -> None:
    text = unseen[0].text
    expected = [hit.document.id for hit in Index.load(service.directory).search(text)]
    for _ in range(6):
        assert [hit["id"] for hit in service.search(text)] == expected
    asked = 'lexgear_requests_total{method="POST",route="/api/v1/search",status="200"} 6.0'
    assert asked in service.get("/metrics")
    Index.load(service.directory).remove([expected[0]])
    service.wait_for_lines("switched to index", 2)
    for _ in range(4):
        assert expected[0] not in {hit["id"] for hit in service.search(text)}


def test_a_worker_that_dies_is_replaced_and_all_end_with_the_service(service: Service, unseen: list[Query]) -> None:
    before = service.workers()
    assert len(before) == 2
    os.kill(min(before), signal.SIGKILL)
    # until then it may take a request with it
    wait_until(lambda: _state(min(before)) in {"Z", ""}, "the end of the killed worker")
    assert service.search(unseen[0].text)
    service.wait_for_lines("another takes its place", 1)
    wait_until(lambda: len(service.workers()) >= 2, "a second worker")
    now = service.workers()
    assert len(now & before) == 1
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(60) == -signal.SIGTERM
    assert not any(Path(f"/proc/{one}").exists() for one in now)


def test_workers_end_if_the_process_that_started_them_is_killed(service: Service) -> None:
    workers = service.workers()
    service.process.kill()
    service.process.wait()
    wait_until(lambda: not any(Path(f"/proc/{one}").exists() for one in workers), "the end of the workers")


def test_a_damaged_index_is_a_one_line_error(words_dir: Path, tmp_path: Path) -> None:
    directory = Path(shutil.copytree(words_dir, tmp_path / "index"))
    (directory / "words.npz").write_bytes(b"")
    done = subprocess.run([*COMMAND, str(directory)], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"lexgear: {directory / 'words.npz'}: this part is damaged")
