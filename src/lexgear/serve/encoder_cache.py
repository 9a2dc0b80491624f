"""Cache of encoded texts: the encoder takes most of the time of a search, so every text is encoded once.

Each text is encoded alone by one thread, several texts in parallel, as in `model/encoding.py`. Its numbers are
therefore the same to the last digit whatever else is asked at the moment.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.rankers.base import Ranker

CACHE_SIZE = 16
"""Encoded texts kept: clients judge a text, then search with it, then filter. One takes at most 4 MB with the base
models that ship."""


class CachingGenerator:
    """Generator that does not encode a text again while it is cached."""

    def __init__(self, generator: Generator) -> None:
        self._generator, self._lock = generator, Lock()
        self._kept: OrderedDict[bytes, EncodedTexts] = OrderedDict()

    def read_only(self, numbers: NDArray[Any], mask: NDArray[np.bool_]) -> EncodedTexts:
        """Return the encoder states of a text."""
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


class _TorchThreads:
    """Threads of torch, which the pools of all open indexes share: torch itself uses one while there is a pool."""

    def __init__(self) -> None:
        self._lock, self._pools, self._threads = Lock(), 0, 1

    def take(self) -> int:
        """Return the number of threads for a pool, those of torch before the first one; 1 means no pool."""
        import torch

        with self._lock:
            if (present := torch.get_num_threads()) > 1:
                self._threads = present
                torch.set_num_threads(1)
            elif not self._pools:
                return 1
            self._pools += 1
            return self._threads

    def give_back(self) -> None:
        """Restore the number of threads if no other pool is open."""
        import torch

        with self._lock:
            self._pools -= 1
            if not self._pools:
                torch.set_num_threads(self._threads)


_TORCH_THREADS = _TorchThreads()


class EncoderCache:
    """Ranker with a cache of encoded texts, which can encode several texts in parallel in advance."""

    def __init__(self, ranker: Ranker, *, several: bool = True) -> None:
        self.ranker = ranker
        self._pool: ThreadPoolExecutor | None = None
        if (generator := ranker.generator()) is not None:
            self.ranker = ranker.with_generator(lambda generator: cast(Generator, CachingGenerator(generator)))
            if several and generator.device.type == "cpu":
                self._open()

    def _open(self) -> None:
        """Open a pool of as many threads as torch has, and make torch itself use one thread per operation.

        A single text is then encoded by one thread as well; otherwise its numbers could differ in the last digits.
        """
        import torch

        if (threads := _TORCH_THREADS.take()) > 1:
            self._pool = ThreadPoolExecutor(threads, "reading", initializer=torch.set_num_threads, initargs=(1,))

    def uses_encoder(self, *, walks: bool, ranks: bool) -> bool:
        """Return whether a task uses the encoder: a walk if the generator has weight, a ranking also if vectors do."""
        return self.ranker.encodes(judges=walks, ranks=ranks)

    def prefetch(self, texts: Iterable[str]) -> None:
        """Encode several texts in parallel; a single text is left to its task."""
        generator, wanted = self.ranker.generator(), [text for text in dict.fromkeys(texts) if text][:CACHE_SIZE]
        if self._pool is None or len(wanted) < 2 or generator is None:
            return
        # Tokenise one after another: two threads cannot set the length of a tokenizer.
        inputs = self.ranker.encoder_inputs(wanted)
        list(self._pool.map(lambda one: generator.read_only(*one), inputs))

    def close(self) -> None:
        """Close the pool, and restore the number of torch threads after the last one."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
            _TORCH_THREADS.give_back()
