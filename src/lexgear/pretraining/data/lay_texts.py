"""Invented lay texts: those the classifier of matters learns from, and a sixth that validates it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b

COMMON = 10
"""Characters that two texts of one group have in common in a row."""
PARTS = 6
"""One of so many groups is for validation."""
_NO_WORD = re.compile(r"\W+")


def validation_mask(texts: Sequence[str], seed: int = 0) -> list[bool]:
    """Return which texts are for validation: a random sixth of the groups of texts that share a run of characters.

    Variants of one story are in one group. The draw depends on the first text of a group alone: a text that is appended
    moves others only if it shares runs with two groups, which are one from then on and follow the draw of the earlier.
    """
    groups = _groups(texts)
    drawn = {group: _draw(texts[group], seed) == 0 for group in {*groups}}
    return [drawn[group] for group in groups]


def _groups(texts: Sequence[str]) -> list[int]:
    """Return the number of the first text of each text's group."""
    first = list(range(len(texts)))

    def found(text: int) -> int:
        while first[text] != text:
            text = first[text]
        return text

    owner: dict[str, int] = {}
    for number, text in enumerate(texts):
        bare = _NO_WORD.sub("", text)
        for start in range(max(len(bare) - COMMON, 0) + 1):
            one, other = sorted((found(owner.setdefault(bare[start : start + COMMON], number)), found(number)))
            first[other] = one
    return [found(number) for number in range(len(texts))]


def _draw(text: str, seed: int) -> int:
    return int.from_bytes(blake2b(f"{seed} {text}".encode(), digest_size=8).digest(), "big") % PARTS
