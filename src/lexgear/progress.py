"""How long work tells whoever watches how far it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called with how many steps are done, and of how many where that is known; `note` stands beside the bar."""

    def __call__(self, done: int, total: int | None, note: str = "") -> None:
        """Says how far the work is."""


def silent(done: int, total: int | None, note: str = "") -> None:
    """The progress nobody watches."""
