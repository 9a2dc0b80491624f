"""A text is read once, whatever is asked of it and by however many: the encoder takes most of the time of a search.

Each text is read alone and by one thread, several side by side, as in `model/encoding.py`: its numbers do not depend
on what else is asked at the moment, to the last digit.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from threading import Lock
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from lexgear.model.generator.generator import Generator, Read
from lexgear.rankers.base import Ranker
from lexgear.rankers.lexgear.inference import HybridRanker

CACHE_SIZE = 16
"""Readings kept: who judges a text searches by it next, then filters. One takes 4 MB at most by the base that ships."""


class CachingGenerator:
    """A generator whose encoder does not read again what it has just read."""

    def __init__(self, generator: Generator) -> None:
        self._generator, self._lock = generator, Lock()
        self._kept: OrderedDict[bytes, Read] = OrderedDict()

    def read_only(self, numbers: NDArray[Any], mask: NDArray[np.bool_]) -> Read:
        """What the encoder makes of a text."""
        key = numbers.tobytes() + mask.tobytes()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        read = self._generator.read_only(numbers, mask)
        with self._lock:
            self._kept[key] = read
            while len(self._kept) > CACHE_SIZE:
                self._kept.popitem(last=False)
        return read

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)


class EncoderCache:
    """A ranker that reads no text twice and, where several come at once, reads them ahead."""

    def __init__(self, ranker: Ranker, *, several: bool = True) -> None:
        self.ranker, self._threads = ranker, 1
        self._pool: ThreadPoolExecutor | None = None
        if isinstance(ranker, HybridRanker) and ranker.generates:
            self.ranker = copy(ranker)
            self.ranker.generator = cast(Generator, CachingGenerator(ranker.generator))
            if several and ranker.generator.device.type == "cpu":
                self._open()

    def _open(self) -> None:
        """As many threads as torch has, each of which sums alone.

        Their number is the process's: a text that is read alone is read by one thread too, or its numbers might differ
        in the last digits.
        """
        import torch

        self._threads = torch.get_num_threads()
        if self._threads > 1:
            torch.set_num_threads(1)
            self._pool = ThreadPoolExecutor(self._threads, "reading", initializer=torch.set_num_threads, initargs=(1,))

    def uses_encoder(self, *, walks: bool, ranks: bool) -> bool:
        """Whether the encoder is asked: for a walk if the generator has a say, for a ranking also if vectors have."""
        ranker = self.ranker
        if not isinstance(ranker, HybridRanker) or not ranker.generates:
            return False
        return (walks and ranker.mixture.generator > 0) or (ranks and ranker.mixture.content > 0)

    def prefetch(self, texts: Iterable[str]) -> None:
        """Reads texts side by side, where there is more than one."""
        ranker, wanted = self.ranker, [text for text in dict.fromkeys(texts) if text][:CACHE_SIZE]
        if self._pool is None or len(wanted) < 2 or not isinstance(ranker, HybridRanker):
            return
        # One after another: a tokenizer refuses to be set to a length by two threads.
        shown = [ranker.tokens.encode([one], ranker.settings.tokens) for one in ranker.inputs.of_queries(wanted)]
        list(self._pool.map(lambda one: ranker.generator.read_only(*one), shown))

    def close(self) -> None:
        """Gives the threads back."""
        if self._pool is not None:
            import torch

            self._pool.shutdown()
            torch.set_num_threads(self._threads)
