"""Leak guard: refuse training texts that overlap a held-out text, whatever their ids."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

SHINGLE_LENGTH = 12
"""Characters per shingle in Chinese."""
LATIN_SHINGLE_LENGTH = 30
"""Characters per shingle in alphabetic scripts: about five words. At 12, a third of BSARD's training questions was
refused because of phrases such as «mettre fin au bail»; at 30 it is 9%, those that differ from a test question in a
detail."""
MAX_OVERLAP = 0.3
"""Refusal threshold, as a share of the shorter text's shingles. Each of the 22 judgments that a public LeCaRD query was
drawn from shares at least .306 with it. The threshold .3 also refuses 7 other judgments of LeCaRD and 257 rows of
CAIL2018, under 2%."""
MIN_COMMON = 8
"""Common shingles below which an overlap counts as accidental."""
_TABLE = 1 << 24
_NO_WORD = re.compile(r"\W+")
_Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Largest overlap of a text with a held-out text."""

    share: float
    name: str


class LeakGuard:
    """Index of the held-out texts by shingles: character runs without punctuation and spaces.

    >>> guard = LeakGuard([("q1", "被告人张某翻墙进入商店，拿走现金三千元后逃离现场。")])
    >>> guard.refuses("经审理查明，被告人张某翻墙进入商店, 拿走现金三千元后逃离现场")
    'q1'
    >>> guard.refuses("被告人李某酒后驾驶小型轿车，与前车追尾，造成一人轻伤。")
    """

    def __init__(self, held_out: Iterable[tuple[str, str]], length: int = SHINGLE_LENGTH) -> None:
        self._length = length
        texts = [(name, np.unique(shingles(text, length))) for name, text in held_out]
        self.names = [name for name, _ in texts]
        self._sizes = np.array([len(hashes) for _, hashes in texts], dtype=np.int64)
        owners = np.repeat(np.arange(len(texts)), self._sizes)
        every = np.concatenate([hashes for _, hashes in texts] or [np.empty(0, dtype=np.uint64)])
        order = np.argsort(every, kind="stable")
        self._hashes, self._owners = every[order], owners[order]
        # Nearly all shingles of a text occur in no held-out text: this table rules them out with one lookup.
        self._maybe = np.zeros(_TABLE, dtype=bool)
        self._maybe[every % _TABLE] = True

    def refuses(self, text: str) -> str | None:
        """Return the name of the held-out text that this text overlaps, or None if it may be used."""
        most = self.overlap(text)
        return most.name if most.share >= MAX_OVERLAP else None

    def overlap(self, text: str) -> Overlap:
        """Return the largest share of common shingles, relative to the shorter text."""
        found = shingles(text, self._length)
        own = np.unique(found[self._maybe[found % _TABLE]])
        first, last = (np.searchsorted(self._hashes, own, side) for side in ("left", "right"))
        places = np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True) if b > a] or [first[:0]])
        common = np.bincount(self._owners[places], minlength=len(self.names))
        shares = np.where(common >= MIN_COMMON, common / np.maximum(np.minimum(self._sizes, len(found)), 1), 0.0)
        best = int(np.argmax(shares)) if len(shares) else -1
        return Overlap(float(shares[best]), self.names[best]) if best >= 0 and shares[best] else Overlap(0.0, "")


def shingles(text: str, length: int = SHINGLE_LENGTH) -> _Hashes:
    """Return the hash of each run of `length` letters, digits or ideographs, in order."""
    codes = np.frombuffer(_plain(text).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    count = max(len(codes) - length + 1, 0)
    hashes = np.zeros(count, dtype=np.uint64)
    for place in range(length):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + codes[place : place + count]
    return hashes ^ (hashes >> np.uint64(31))


def fingerprint(text: str) -> int:
    """Return a 64-bit fingerprint of a text, ignoring punctuation and spaces.

    >>> fingerprint("张某，入室行窃。") == fingerprint("张某 入室行窃")
    True
    """
    return int.from_bytes(blake2b(_plain(text).encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _plain(text: str) -> str:
    return _NO_WORD.sub("", unicodedata.normalize("NFKC", text).lower())
