"""How long work tells whoever watches how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int | None], None]
"""Called with how many steps are done, and of how many where that is known."""


def silent(done: int, total: int | None) -> None:
    """The progress nobody watches."""
