"""Progress reports of long-running work."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Progress callback protocol: steps done, total steps if known, and a note to show next to the bar."""

    def __call__(self, done: int, total: int | None, note: str = "") -> None:
        """Report progress."""


def silent(done: int, total: int | None, note: str = "") -> None:
    """Ignore all progress reports."""
