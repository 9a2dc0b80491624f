"""Batching worker: one thread runs the model, and handles waiting tasks together.

Within a batch equal tasks run once, each text is encoded once, and several texts are encoded in parallel. Texts are not
padded to a common length or summed together, so every answer is the same as if it had been asked for alone.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any

from lexgear.serve.api.errors import ApiError
from lexgear.serve.metrics import Metrics
from lexgear.serve.served_index import ServedIndex
from lexgear.serve.settings import ServeSettings
from lexgear.serve.tasks import Task

FIRST_ESTIMATE = 0.1
"""Seconds per task, until some have been timed."""
MAX_RETRY_AFTER = 60
"""Seconds that a client is asked to wait at most."""


@dataclass(frozen=True, eq=False)
class _Job:
    task: Task
    answer: Future[Any] = field(default_factory=Future)


class BatchingWorker:
    """Queue of tasks, and the thread that runs them."""

    def __init__(self, served_index: ServedIndex, settings: ServeSettings, metrics: Metrics) -> None:
        self.served_index, self.settings, self.metrics = served_index, settings, metrics
        self._queue: deque[_Job] = deque()
        self._changed = Condition()
        self._closing = False
        self._seconds_per_task = FIRST_ESTIMATE
        self._thread = Thread(target=self._run, name="model", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Refuse new tasks, finish the waiting ones and stop the thread."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(self.settings.deadline)

    @property
    def healthy(self) -> bool:
        """True if tasks are being handled."""
        return self._thread.is_alive() and not self._closing

    @property
    def waiting(self) -> int:
        """Number of waiting tasks."""
        return len(self._queue)

    async def submit(self, task: Task) -> Any:
        """Return the answer to a task. Cancelling removes the task from the queue."""
        return (await self.submit_all([task]))[0]

    async def submit_all(self, tasks: Sequence[Task]) -> list[Any]:
        """Return the answers to several tasks, which are accepted or refused together."""
        jobs = [_Job(task) for task in tasks]
        with self._changed:
            if self._closing:
                raise ApiError(503)
            if len(self._queue) + len(jobs) > self.settings.queue and self._queue:
                raise ApiError(429, headers={"Retry-After": str(self._retry_after())})
            self._queue.extend(jobs)
            self._changed.notify()
        return await asyncio.gather(*(asyncio.wrap_future(job.answer) for job in jobs))

    def _retry_after(self) -> int:
        """Return the estimated number of seconds until the queue is empty."""
        return min(max(math.ceil(len(self._queue) * self._seconds_per_task), 1), MAX_RETRY_AFTER)

    def _run(self) -> None:
        while jobs := self._next_batch():
            started = time.perf_counter()
            self._answer(jobs)
            seconds = (time.perf_counter() - started) / len(jobs)
            self._seconds_per_task += (seconds - self._seconds_per_task) / 8

    def _next_batch(self) -> list[_Job]:
        """Wait for tasks and return a batch without cancelled ones; an empty batch when the service closes."""
        with self._changed:
            while True:
                while not self._queue and not self._closing:
                    self._changed.wait()
                if not self._queue:
                    return []
                taken = [self._queue.popleft() for _ in range(min(len(self._queue), self.settings.together))]
                if awaited := [job for job in taken if not job.answer.cancelled()]:
                    return awaited

    def _answer(self, jobs: Sequence[_Job]) -> None:
        """Run every distinct task once, in order, and send each answer as soon as it is there."""
        by_task: dict[Task, list[_Job]] = {}
        for job in jobs:
            by_task.setdefault(job.task, []).append(job)
        self.metrics.record_batch(len(jobs))
        self._prefetch(list(by_task))
        for task, asked in by_task.items():
            # checked last, since a client may have left while the tasks before this one ran
            same = [job for job in asked if job.answer.set_running_or_notify_cancel()]
            if not same:
                continue
            try:
                answer = task.run(self.served_index)
            except Exception as error:  # belongs to the clients of this task; the worker goes on
                for job in same:
                    job.answer.set_exception(error)
            else:
                for job in same:
                    job.answer.set_result(answer)

    def _prefetch(self, tasks: Sequence[Task]) -> None:
        """Encode the texts of a batch in parallel. An error here shows again when its task runs."""
        cache = self.served_index.encoder_cache
        with suppress(Exception):
            texts = [task.text for task in tasks if cache.uses_encoder(walks=task.walks, ranks=task.ranks)]
            cache.prefetch(texts)
