"""The vectors of many texts: each read alone, on a CPU as many side by side as there are threads.

Beside longer texts a text would be padded, and its vector differ in the last digits: a document added later would have
another one than if it had been there from the start. Reading four at once would spare a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray

from lexgear.model.generator.generator import Generator
from lexgear.model.tokenizer import Tokens
from lexgear.progress import Progress, silent


def encode_texts(
    generator: Generator, tokens: Tokens, texts: Sequence[str], limit: int, progress: Progress = silent
) -> NDArray[np.float32]:
    """A unit vector a text, of numbers that half precision can keep."""

    def vector(text: str) -> NDArray[np.float32]:
        with torch.inference_mode():
            found = generator.vectors(generator.read(*tokens.encode([text], limit)))[0]
        kept: NDArray[np.float32] = found.half().float().cpu().numpy()
        return kept

    vectors = np.zeros((len(texts), generator.content.out_features), dtype=np.float32)
    with _one_thread_each(generator.device) as workers, ThreadPoolExecutor(workers) as pool:
        for place, found in enumerate(pool.map(vector, texts)):
            vectors[place] = found
            progress(place + 1, len(texts), "reading documents")
    return vectors


@contextmanager
def _one_thread_each(device: torch.device) -> Iterator[int]:
    """How many texts to read side by side; their sums are then done by one thread each."""
    threads = torch.get_num_threads()
    if device.type != "cpu":
        yield 1
        return
    torch.set_num_threads(1)
    try:
        yield threads
    finally:
        torch.set_num_threads(threads)
