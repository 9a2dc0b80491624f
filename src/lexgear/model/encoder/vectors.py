"""Vectors of many texts, each encoded alone, on a CPU with one text per thread.

In a batch a text would be padded and its vector differ in the last digits, so that a document added later would get
another vector than one indexed from the start. Batches of four would save a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray

from lexgear.model.device import limited_threads
from lexgear.model.generator.generator import Generator
from lexgear.model.tokenizer import Tokens
from lexgear.progress import Progress, silent


def encode_texts(
    generator: Generator, tokens: Tokens, texts: Sequence[str], limit: int, progress: Progress = silent
) -> NDArray[np.float32]:
    """Return one unit vector per text, rounded to half precision."""

    def vector(text: str) -> NDArray[np.float32]:
        [found] = generator.text_vectors(*tokens.encode([text], limit))
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
    """Yield the number of texts to encode in parallel, with torch limited to one thread each."""
    threads = torch.get_num_threads()
    if device.type != "cpu":
        yield 1
        return
    with limited_threads(1):
        yield threads
