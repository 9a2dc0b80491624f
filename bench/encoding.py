"""The 8-bit encoder against the same encoder in single precision: same texts, one core each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from bench.side_by_side import Measured, timed
from bench.synthetic import judgments
from lexgear.model.generator.generator import Generator
from lexgear.pretraining.base import shipped_base

TEXTS = 41


def encoding_against_single_precision() -> Iterator[Measured]:
    """Encode judgments with the Chinese base model on one thread, in turns."""
    base = shipped_base("zh")
    assert base is not None
    generator = base.generator.eval()
    read = [base.tokens.encode([text], base.longest) for text in judgments(TEXTS)]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    generator.text_vectors(*read[0])
    _in_single_precision(generator, *read[0])
    speedups, cosines = [], []
    for one in read:
        full, seconds = timed(partial(_in_single_precision, generator, *one))
        vector, our_seconds = timed(partial(generator.text_vectors, *one))
        speedups.append(seconds / our_seconds)
        cosines.append(float((full * vector).sum()))
    torch.set_num_threads(threads)
    yield Measured(
        "index_encode_vs_torch_fp32_speedup",
        f"time in single precision divided by that of the index, {read[0][0].shape[1]} tokens (at least 2 wanted); "
        f"cosines from {min(cosines):.5f} to {max(cosines):.5f}",
        tuple(speedups),
    )


@torch.inference_mode()
def _in_single_precision(generator: Generator, numbers: NDArray[Any], mask: NDArray[Any]) -> Tensor:
    return generator.vectors(generator.read(numbers, mask))
