"""The weights of a base model on disk: 8 bits a number, in files that hosts of code take without asking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file, save
from torch import Tensor

FILES = "model*.safetensors"
LARGEST = 15 << 20
"""Bytes of weights a file."""
_SCALE = ".scale"
"""After the name of a matrix: what a unit of each of its rows stands for."""


def write_weights(directory: Path, weights: Mapping[str, Tensor]) -> None:
    """Writes one file, or as many as are needed."""
    for number, part in enumerate(_parts(quantize(weights)), start=1):
        place = directory / FILES.replace("*", f"-{number}")
        place.write_bytes(save(part))  # save_file would hide it from other users


def read_weights(directory: Path) -> dict[str, Tensor]:
    """What `write_weights` wrote, in single precision."""
    parts = [load_file(part) for part in sorted(directory.glob(FILES))]
    return dequantize({name: tensor for part in parts for name, tensor in part.items()})


def quantize(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Matrices as whole numbers up to 127 and a scale for each row; what is no matrix as it is.

    Half the size of half precision. Of 400 cases kept out, .780 have a right charge first either way; .892 of the
    reasonings find their own facts first, .897 in half precision, which is one case.
    """
    stored: dict[str, Tensor] = {}
    for name, weight in weights.items():
        stored |= _packed(name, weight) if weight.ndim == 2 else {name: weight.contiguous()}
    return stored


def quantize_losslessly(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The same, but only of matrices that come back as they are, such as those that were packed before."""
    stored: dict[str, Tensor] = {}
    for name, weight in weights.items():
        small = _packed(name, weight) if weight.ndim == 2 and weight.numel() else {}
        stored |= small if small and dequantize(small)[name].equal(weight) else {name: weight.contiguous()}
    return stored


def _packed(name: str, weight: Tensor) -> dict[str, Tensor]:
    """Scales end in eight zeros, so that products with whole numbers are exact and packing again changes nothing."""
    scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-12) / 127
    scale = (scale.view(torch.int32) & -256).view(torch.float32)
    return {name: (weight / scale).round().clamp(-127, 127).to(torch.int8), name + _SCALE: scale}


def dequantize(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights that `quantize` packed."""
    own = {name: tensor for name, tensor in stored.items() if not name.endswith(_SCALE)}
    return {
        name: tensor * stored[name + _SCALE] if tensor.dtype == torch.int8 else tensor.float()
        for name, tensor in own.items()
    }


def _parts(tensors: Mapping[str, Tensor]) -> Iterator[dict[str, Tensor]]:
    """The tensors in their order, as many at a time as a file may hold."""
    part: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        if part and sum(other.nbytes for other in part.values()) + tensor.nbytes > LARGEST:
            yield part
            part = {}
        part[name] = tensor
    yield part
