"""The worker: together what waits, to each what they would get alone; limits, deadlines, the end."""

import asyncio
import socket
import threading
import time
from collections.abc import Sequence
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
LONG = "被告人翻墙进入商店，拿走现金。" * 6000
"""Takes the worker half a second and more."""


def long(number: int) -> str:
    return f"{number}{LONG}"


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
    metrics = app.state.service.metrics
    assert metrics.tasks == CLIENTS * len(asked)
    assert metrics.passes < metrics.tasks / 2
    assert alone.state.service.metrics.passes == len(asked)


def test_what_is_asked_twice_at_once_is_worked_out_once(index_dir: Path) -> None:
    class Counted(Search):
        runs = 0

        def run(self, served_index: ServedIndex) -> Any:
            Counted.runs += 1
            return super().run(served_index)

    async def ask(worker: BatchingWorker) -> list[Any]:
        # The first keeps the worker busy while the others come together.
        same: list[Task] = [Counted("翻墙进入商店", 3)] * 8
        return await asyncio.gather(*(worker.submit(task) for task in (Judge(long(0)), *same)))

    worker = BatchingWorker(ServedIndex(index_dir), ServeSettings(), Metrics())
    waiting = asyncio.new_event_loop()
    worker.start()
    _, *answers = waiting.run_until_complete(ask(worker))
    waiting.close()
    worker.close()
    assert Counted.runs == 1
    assert all(answer is answers[0] for answer in answers)


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
        served_index.search(f"{number}{unseen[1].text}", 1)
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


def test_who_comes_to_a_full_queue_is_told_when_to_come_again(index_dir: Path) -> None:
    app = create_app(index_dir, ServeSettings(queue=2, together=1))
    with running(app) as address, ThreadPoolExecutor(8) as pool:

        def ask(number: int) -> httpx.Response:
            return httpx.post(f"{address}/api/v1/search", json={"text": long(number)}, timeout=60)

        answers = list(pool.map(ask, range(8)))
        statuses = [answer.status_code for answer in answers]
        assert {200, 429} == {*statuses}
        assert statuses.count(200) >= 3  # one at work, two waiting
        busy = answers[statuses.index(429)]
        assert busy.json()["code"] == "busy"
        assert 1 <= int(busy.headers["Retry-After"]) <= 60
        assert httpx.get(f"{address}/health").status_code == 200
        assert ask(9).status_code == 200


def test_what_is_late_is_told_so_and_leaves_the_queue(index_dir: Path) -> None:
    app = create_app(index_dir, ServeSettings(deadline=0.1, together=1))
    with running(app) as address, ThreadPoolExecutor(4) as pool:

        def ask(number: int) -> httpx.Response:
            return httpx.post(f"{address}/api/v1/search", json={"text": long(number)}, timeout=60)

        answers = list(pool.map(ask, range(4)))
        assert [answer.status_code for answer in answers] == [504] * 4
        assert answers[0].json()["code"] == "late"
        assert "within 0.1 seconds" in answers[0].json()["message"]
        worker = app.state.service.worker
        while worker.waiting:
            time.sleep(0.01)
        assert app.state.service.metrics.tasks < 4  # nobody worked for those who had left
        short = (httpx.post(f"{address}/api/v1/judge", json={"text": "翻墙"}).status_code for _ in range(50))
        assert 200 in short


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


def test_stopping_finishes_what_was_asked_and_takes_no_more(index_dir: Path) -> None:
    app = create_app(index_dir)
    with ThreadPoolExecutor(3) as pool:
        with running(app) as address:
            asked = [
                pool.submit(httpx.post, f"{address}/api/v1/search", json={"text": long(n)}, timeout=60)
                for n in range(3)
            ]
            for _ in range(1000):
                if app.state.service.worker.waiting:
                    break
                time.sleep(0.005)
        answered = [answer.result().status_code for answer in asked if not answer.exception()]
        assert answered  # a question still on its way to the door when it shuts gets none
        assert set(answered) == {200}
    worker = app.state.service.worker
    assert not worker.healthy
    with pytest.raises(ApiError) as refused:
        asyncio.run(worker.submit(Judge("翻墙")))
    assert refused.value.status_code == 503
