"""What the service counts, in the text format that Prometheus reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from threading import Lock

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
SIZES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class _Histogram:
    """How many values stayed below each bound."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds, self.counts = bounds, [0] * len(bounds)
        self.number, self.sum = 0, 0.0

    def add(self, value: float) -> None:
        self.number, self.sum = self.number + 1, self.sum + value
        for place, bound in enumerate(self.bounds):
            self.counts[place] += value <= bound

    def lines(self, name: str, labels: str = "") -> Iterator[str]:
        between = "," if labels else ""
        for bound, count in zip(self.bounds, self.counts, strict=True):
            yield f'{name}_bucket{{{labels}{between}le="{bound:g}"}} {count}'
        yield f'{name}_bucket{{{labels}{between}le="+Inf"}} {self.number}'
        own = f"{{{labels}}}" if labels else ""
        yield f"{name}_sum{own} {self.sum:.6f}"
        yield f"{name}_count{own} {self.number}"


class Metrics:
    """Counters of one service."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._seconds: dict[str, _Histogram] = {}
        self._batches = _Histogram(SIZES)
        self.waiting: Callable[[], int] = lambda: 0
        """Asked when somebody looks."""

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered. `route` is the pattern of its path: what people ask for has no end."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._seconds.setdefault(route, _Histogram(SECONDS)).add(seconds)

    def batch(self, size: int) -> None:
        """So many tasks were handled together."""
        with self._lock:
            self._batches.add(size)

    @property
    def tasks(self) -> int:
        """Handled so far."""
        return int(self._batches.sum)

    @property
    def passes(self) -> int:
        """In so many passes."""
        return self._batches.number

    def text(self) -> str:
        """All of it, as Prometheus reads it."""
        with self._lock:
            return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from _head("lexgear_requests_total", "counter", "Requests answered, by route and status.")
        for (method, route, status), count in sorted(self._requests.items()):
            labels = f'method="{_escaped(method)}",route="{_escaped(route)}",status="{status}"'
            yield f"lexgear_requests_total{{{labels}}} {count}"
        yield from _head(
            "lexgear_request_seconds", "histogram", "From the first byte of a request to the last of its answer."
        )
        for route, seconds in sorted(self._seconds.items()):
            yield from seconds.lines("lexgear_request_seconds", f'route="{_escaped(route)}"')
        yield from _head("lexgear_queue_length", "gauge", "Tasks that wait for the model.")
        yield f"lexgear_queue_length {self.waiting()}"
        yield from _head("lexgear_batch_size", "histogram", "Tasks that the model handled in one pass.")
        yield from self._batches.lines("lexgear_batch_size")


def _head(name: str, kind: str, says: str) -> tuple[str, str]:
    return f"# HELP {name} {says}", f"# TYPE {name} {kind}"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
