"""The batching worker: waiting tasks run together and answers stay the same; limits, deadlines, shutdown."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
import torch
from starlette.testclient import TestClient

from lexgear.corpus.records import Query
from lexgear.model.generator.generator import Generator
from lexgear.serve.api.errors import ApiError
from lexgear.serve.app import create_app
from lexgear.serve.batching import BatchingWorker
from lexgear.serve.encoder_cache import CACHE_SIZE
from lexgear.serve.metrics import Metrics
from lexgear.serve.served_index import ServedIndex
from lexgear.serve.settings import ServeSettings
from lexgear.serve.tasks import Judge, Search, Task
from serve.conftest import HERE
from serve.running import running

CLIENTS = 16


class Gate:
    """A task that keeps the worker busy until it is opened."""

    text, walks, ranks = "", False, False

    def __init__(self) -> None:
        self.started, self.opened = threading.Event(), threading.Event()

    def run(self, served_index: ServedIndex) -> str:
        self.started.set()
        self.opened.wait()
        return "opened"


class Counted(Search):
    """A search that counts how often it runs."""

    runs = 0

    def run(self, served_index: ServedIndex) -> Any:
        Counted.runs += 1
        return super().run(served_index)


async def behind(gate: Gate, worker: BatchingWorker, tasks: Sequence[Task]) -> list[asyncio.Task[Any]]:
    """Submits tasks while the gate keeps the worker busy; the first future is that of the gate."""
    first = asyncio.create_task(worker.submit(gate))
    await asyncio.to_thread(gate.started.wait)
    others = [asyncio.create_task(worker.submit(task)) for task in tasks]
    await asyncio.sleep(0)  # lets them reach the queue
    assert worker.waiting == len(tasks)
    return [first, *others]


@pytest.fixture
def worker(index_dir: Path) -> Iterator[BatchingWorker]:
    worker = BatchingWorker(ServedIndex(index_dir), ServeSettings(queue=8), Metrics())
    worker.start()
    yield worker
    worker.close()


def questions(unseen: Sequence[Query]) -> list[tuple[str, dict[str, Any]]]:
    """Searches, judgments and rationales, some of the same texts."""
    texts = [query.text for query in unseen[:4]]
    return [
        *(("search", {"text": text, "k": 5}) for text in texts),
        *(("judge", {"text": text}) for text in texts),
        *(("search", {"text": text, "k": 3, "filters": ["level=basic"]}) for text in texts[:2]),
        ("rationale", {"text": texts[0]}),
    ]


def test_sixteen_clients_at_once_get_exactly_what_one_gets(index_dir: Path, unseen: list[Query]) -> None:
    asked = questions(unseen)
    alone = create_app(index_dir, ServeSettings(together=1))
    with TestClient(alone, HERE) as one:
        expected = [one.post(f"/api/v1/{path}", json=body).content for path, body in asked]
    app = create_app(index_dir)
    begin = threading.Barrier(CLIENTS)

    def client(number: int) -> list[tuple[int, bytes]]:
        order = [(place + number) % len(asked) for place in range(len(asked))]
        with httpx.Client(base_url=address, timeout=60) as own:
            begin.wait()
            return [(at, own.post(f"/api/v1/{asked[at][0]}", json=asked[at][1]).content) for at in order]

    with running(app) as address, ThreadPoolExecutor(CLIENTS) as pool:
        for answers in pool.map(client, range(CLIENTS)):
            assert [answer for _, answer in sorted(answers)] == expected
    metrics = app.state.versions.current.metrics
    assert metrics.tasks == CLIENTS * len(asked)
    assert alone.state.versions.current.metrics.passes == len(asked)


def test_waiting_tasks_are_handled_in_one_pass_and_equal_ones_once(worker: BatchingWorker) -> None:
    async def ask() -> list[Any]:
        gate, same = Gate(), Counted("翻墙进入商店", 3)
        waiting = await behind(gate, worker, [same] * 8)
        gate.opened.set()
        return await asyncio.gather(*waiting)

    Counted.runs = 0
    _, *answers = asyncio.run(ask())
    assert Counted.runs == 1
    assert all(answer is answers[0] for answer in answers)
    assert (worker.metrics.tasks, worker.metrics.passes) == (9, 2)


def test_a_text_is_read_once_while_it_is_remembered(
    index_dir: Path, unseen: list[Query], monkeypatch: pytest.MonkeyPatch
) -> None:
    times, plain = [], Generator.read_only

    def counted(self: Generator, *text: Any) -> Any:
        times.append(1)
        return plain(self, *text)

    monkeypatch.setattr(Generator, "read_only", counted)
    served_index = ServedIndex(index_dir)
    first = served_index.search(unseen[0].text, 5)
    assert served_index.search(unseen[0].text, 5) == first
    served_index.judge(unseen[0].text)
    served_index.search(unseen[0].text, 5, ["level=basic"])
    assert len(times) == 1
    for number in range(CACHE_SIZE):
        served_index.search(unseen[1 + number].text, 1)
    assert served_index.search(unseen[0].text, 5) == first
    assert len(times) == 2 + CACHE_SIZE


def test_texts_read_side_by_side_are_read_as_if_alone(index_dir: Path, unseen: list[Query]) -> None:
    texts = [query.text for query in unseen[:6]]
    alone = ServedIndex(index_dir)
    expected = [alone.search(text, 5) for text in texts]
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        served_index = ServedIndex(index_dir)
        assert torch.get_num_threads() == 1
        served_index.encoder_cache.prefetch(texts)
        assert [served_index.search(text, 5) for text in texts] == expected
        served_index.close()
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)


def test_a_full_queue_refuses_tasks_and_says_when_to_come_again(worker: BatchingWorker) -> None:
    async def ask() -> list[Any]:
        gate = Gate()
        waiting = await behind(gate, worker, [Judge(str(number)) for number in range(8)])
        with pytest.raises(ApiError) as refused:
            await worker.submit(Judge("8"))
        assert (refused.value.status_code, refused.value.code) == (429, "busy")
        assert 1 <= int((refused.value.headers or {})["Retry-After"]) <= 60
        gate.opened.set()
        await asyncio.gather(*waiting)
        return await worker.submit_all([Judge("8")])

    assert asyncio.run(ask())


def test_a_late_request_is_answered_and_its_task_leaves_the_queue(
    index_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, searches = threading.Event(), []

    def blocked(self: ServedIndex, text: str, *rest: Any) -> list[Any]:
        searches.append(text)
        gate.wait()
        return []

    monkeypatch.setattr(ServedIndex, "search", blocked)
    app = create_app(index_dir, ServeSettings(deadline=0.05, together=1))
    with TestClient(app, HERE) as client:
        answers = [client.post("/api/v1/search", json={"text": text}) for text in ("甲", "乙", "丙")]
        gate.set()
    assert [answer.status_code for answer in answers] == [504] * 3
    assert answers[0].json()["code"] == "late"
    assert "within 0.05 seconds" in answers[0].json()["message"]
    assert searches == ["甲"]  # the worker does not search for clients that have left


def test_a_task_whose_client_has_left_does_not_run_although_its_batch_has_begun(worker: BatchingWorker) -> None:
    async def leave() -> None:
        blocking, gate = Gate(), Gate()
        waiting = await behind(blocking, worker, [gate, Counted("翻墙", 1), Counted("殴打", 1)])
        blocking.opened.set()
        await asyncio.to_thread(gate.started.wait)  # one batch has all three
        waiting[2].cancel()
        await asyncio.sleep(0)
        gate.opened.set()
        await asyncio.gather(*waiting, return_exceptions=True)

    Counted.runs = 0
    asyncio.run(leave())
    assert Counted.runs == 1


def test_a_body_that_never_comes_is_late_too(index_dir: Path) -> None:
    head = (
        b"POST /api/v1/judge HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"
    )
    with (
        running(create_app(index_dir, ServeSettings(deadline=0.3))) as address,
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=10) as sock,
    ):
        sock.sendall(head + b"\r\n{")
        assert b" 504 " in sock.recv(1000).split(b"\r\n")[0]


def test_closing_finishes_waiting_tasks_and_accepts_no_more(worker: BatchingWorker) -> None:
    async def ask() -> list[Any]:
        gate = Gate()
        waiting = await behind(gate, worker, [Judge("翻墙"), Judge("拿走现金")])
        closing = asyncio.create_task(asyncio.to_thread(worker.close))
        gate.opened.set()
        await closing
        return await asyncio.gather(*waiting)

    answers = asyncio.run(ask())
    assert answers[0] == "opened"
    assert len(answers) == 3
    assert not worker.healthy
    with pytest.raises(ApiError) as refused:
        asyncio.run(worker.submit(Judge("翻墙")))
    assert refused.value.status_code == 503


def test_stopping_the_server_finishes_a_running_request(index_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, gate = threading.Event(), threading.Event()

    def blocked(self: ServedIndex, text: str, *rest: Any) -> list[Any]:
        started.set()
        gate.wait()
        return []

    monkeypatch.setattr(ServedIndex, "search", blocked)
    with ThreadPoolExecutor(1) as pool:
        with running(create_app(index_dir)) as address:
            answer = pool.submit(httpx.post, f"{address}/api/v1/search", json={"text": "翻墙"}, timeout=60)
            started.wait()
            threading.Timer(0.05, gate.set).start()
        assert answer.result().status_code == 200
