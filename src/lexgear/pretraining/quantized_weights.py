"""8-bit weights of a base model, in files small enough for code hosting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file, save
from torch import Tensor

FILES = "model*.safetensors"
MAX_FILE_BYTES = 15 << 20
"""Bytes of weights per file at most."""
_SCALE = ".scale"
"""Suffix of a matrix's scales, one per row."""


def write_weights(directory: Path, weights: Mapping[str, Tensor]) -> None:
    """Write the weights to one file or several."""
    for number, part in enumerate(_parts(quantize(weights)), start=1):
        place = directory / FILES.replace("*", f"-{number}")
        place.write_bytes(save(part))  # save_file restricts the permissions of the file


def read_weights(directory: Path) -> dict[str, Tensor]:
    """Read what `write_weights` wrote, in single precision."""
    parts = [load_file(part) for part in sorted(directory.glob(FILES))]
    return dequantize({name: tensor for part in parts for name, tensor in part.items()})


def quantize(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Quantise matrices to integers up to ±127 with one scale per row; other tensors stay as they are.

    Half the size of half precision. On 400 held-out cases, .780 have a right charge first with both; .892 of the
    reasonings retrieve their own facts first, .897 in half precision (a difference of one case).
    """
    stored: dict[str, Tensor] = {}
    for name, weight in weights.items():
        stored |= _packed(name, weight) if weight.ndim == 2 else {name: weight.contiguous()}
    return stored


def quantize_losslessly(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Quantise only the matrices that dequantise to the same values, such as those that were quantised before."""
    stored: dict[str, Tensor] = {}
    for name, weight in weights.items():
        small = _packed(name, weight) if weight.ndim == 2 and weight.numel() else {}
        stored |= small if small and dequantize(small)[name].equal(weight) else {name: weight.contiguous()}
    return stored


def _packed(name: str, weight: Tensor) -> dict[str, Tensor]:
    """Quantise a matrix; scales end in eight zero bits, so that products are exact and quantising again changes
    nothing."""
    scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-12) / 127
    scale = (scale.view(torch.int32) & -256).view(torch.float32)
    return {name: (weight / scale).round().clamp(-127, 127).to(torch.int8), name + _SCALE: scale}


def dequantize(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights that `quantize` stored."""
    own = {name: tensor for name, tensor in stored.items() if not name.endswith(_SCALE)}
    return {
        name: tensor * stored[name + _SCALE] if tensor.dtype == torch.int8 else tensor.float()
        for name, tensor in own.items()
    }


def _parts(tensors: Mapping[str, Tensor]) -> Iterator[dict[str, Tensor]]:
    """Split the tensors, in order, into parts that fit a file."""
    part: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        if part and sum(other.nbytes for other in part.values()) + tensor.nbytes > MAX_FILE_BYTES:
            yield part
            part = {}
        part[name] = tensor
    yield part
