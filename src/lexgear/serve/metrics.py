"""Prometheus metrics of one service; if several processes serve, those of all together."""

from __future__ import annotations

import os
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from lexgear.serve.workers import METRICS

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
SIZES = (1, 2, 4, 8, 16, 32, 64)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counters of one app, in a registry of its own so that several apps can run in one process."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "lexgear_requests",
            "Requests answered, by route and status.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "lexgear_request_seconds",
            "Time from the first byte of a request to the last byte of its answer.",
            ("route",),
            buckets=SECONDS,
            registry=registry,
        )
        self._queue = Gauge(
            "lexgear_queue_length", "Tasks that wait for the model.", registry=registry, multiprocess_mode="livesum"
        )
        self._queue_length: Callable[[], int] = lambda: 0
        self._batches = Histogram(
            "lexgear_batch_size", "Tasks that the model handled in one pass.", buckets=SIZES, registry=registry
        )

    def set_queue(self, length: Callable[[], int]) -> None:
        """Set the function that returns the length of the queue; it is called after each batch and by `text`."""
        self._queue_length = length

    def record_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Record an answered request. `route` is the pattern of the path, so that the number of labels is bounded."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def record_batch(self, size: int) -> None:
        """Record the number of tasks that were handled together."""
        self._batches.observe(size)
        self._queue.set(self._queue_length())

    @property
    def tasks(self) -> int:
        """Number of tasks handled so far."""
        return int(self._registry.get_sample_value("lexgear_batch_size_sum") or 0)

    @property
    def passes(self) -> int:
        """Number of passes in which they were handled."""
        return int(self._registry.get_sample_value("lexgear_batch_size_count") or 0)

    def text(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        self._queue.set(self._queue_length())
        if METRICS not in os.environ:
            return generate_latest(self._registry)
        from prometheus_client.multiprocess import MultiProcessCollector

        every = CollectorRegistry()
        MultiProcessCollector(every)  # type: ignore[no-untyped-call]
        return generate_latest(every)
