"""One worker asks the model; what waits at the moment is handled together.

Together means: the same question is answered once, the same text read once, several texts read side by side. Nothing
is padded or summed with anybody else's, so that everyone gets what they would get alone.
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

FIRST_GUESS = 0.1
"""Seconds a task takes, until some have been timed."""
LONGEST_PAUSE = 60
"""Seconds that anybody is asked to wait before coming again."""


@dataclass(frozen=True, eq=False)
class _Job:
    task: Task
    answer: Future[Any] = field(default_factory=Future)


class BatchingWorker:
    """A queue of tasks and the thread that works it off."""

    def __init__(self, served_index: ServedIndex, settings: ServeSettings, metrics: Metrics) -> None:
        self.served_index, self.settings, self.metrics = served_index, settings, metrics
        self._waiting: deque[_Job] = deque()
        self._changed = Condition()
        self._closing = False
        self._pace = FIRST_GUESS
        self._thread = Thread(target=self._work, name="model", daemon=True)

    def start(self) -> None:
        """Begins to work."""
        self._thread.start()

    def close(self) -> None:
        """Takes nothing more, finishes what waits, and lets the thread go."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(self.settings.deadline)

    @property
    def healthy(self) -> bool:
        """Whether questions are being answered."""
        return self._thread.is_alive() and not self._closing

    @property
    def waiting(self) -> int:
        """How many tasks wait."""
        return len(self._waiting)

    async def submit(self, task: Task) -> Any:
        """The answer to a task. Who stops waiting takes the task out of the queue."""
        return (await self.submit_all([task]))[0]

    async def submit_all(self, tasks: Sequence[Task]) -> list[Any]:
        """The answers to several, which are taken all or none."""
        jobs = [_Job(task) for task in tasks]
        with self._changed:
            if self._closing:
                raise ApiError(503)
            if len(self._waiting) + len(jobs) > self.settings.queue and self._waiting:
                raise ApiError(429, headers={"Retry-After": str(self._pause())})
            self._waiting.extend(jobs)
            self._changed.notify()
        return await asyncio.gather(*(asyncio.wrap_future(job.answer) for job in jobs))

    def _pause(self) -> int:
        """Seconds until most of what waits now will be done."""
        return min(max(math.ceil(len(self._waiting) * self._pace), 1), LONGEST_PAUSE)

    def _work(self) -> None:
        while jobs := self._next():
            begun = time.perf_counter()
            self._answer(jobs)
            took = (time.perf_counter() - begun) / len(jobs)
            self._pace += (took - self._pace) / 8

    def _next(self) -> list[_Job]:
        """What waits, as much as is handled together; nothing when the service closes. Whom nobody awaits is left."""
        with self._changed:
            while True:
                while not self._waiting and not self._closing:
                    self._changed.wait()
                if not self._waiting:
                    return []
                taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), self.settings.together))]
                if awaited := [job for job in taken if job.answer.set_running_or_notify_cancel()]:
                    return awaited

    def _answer(self, jobs: Sequence[_Job]) -> None:
        """Each task once, in the order they came; an answer goes out as soon as it is there."""
        same: dict[Task, list[_Job]] = {}
        for job in jobs:
            same.setdefault(job.task, []).append(job)
        self.metrics.batch(len(jobs))
        self._prefetch(list(same))
        for task, askers in same.items():
            try:
                answer = task.run(self.served_index)
            except Exception as error:  # whatever it is belongs to those who asked: the worker goes on
                for job in askers:
                    job.answer.set_exception(error)
            else:
                for job in askers:
                    job.answer.set_result(answer)

    def _prefetch(self, tasks: Sequence[Task]) -> None:
        """What cannot be read fails where it is asked about."""
        encoder_cache = self.served_index.encoder_cache
        with suppress(Exception):
            encoder_cache.prefetch(
                [task.text for task in tasks if encoder_cache.uses_encoder(walks=task.walks, ranks=task.ranks)]
            )
