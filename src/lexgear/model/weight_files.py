"""Weight files of published checkpoints: safetensors or PyTorch files, in one file or in several.

A PyTorch file is a pickle, which can run any code when it is loaded. It is only read with `weights_only=True`, which
refuses everything but tensors and plain containers.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from lexgear.corpus.datasets.reader import read_object
from lexgear.errors import ErrorCode, InputError
from lexgear.progress import Progress, silent

SAFETENSORS, PYTORCH = "model.safetensors", "pytorch_model.bin"
_INDEX = ".index.json"
"""Suffix of the file that lists the files of a checkpoint in several files."""
_POINTER = b"version https://git-lfs"
"""Beginning of the small text that stands for a large file in a Git repository."""
_REFUSED = re.compile(r"GLOBAL ([\w.]+)")
"""The function that PyTorch's message says it refused to call."""


def has_safetensors(directory: Path) -> bool:
    """Return whether the weights of a checkpoint are there as safetensors."""
    return any((directory / name).is_file() for name in (SAFETENSORS, SAFETENSORS + _INDEX))


def weight_files(directory: Path) -> list[Path]:
    """Return the weight files of a checkpoint; safetensors if there are both formats."""
    for name in (SAFETENSORS, PYTORCH):
        if (directory / name).is_file():
            return [directory / name]
        if (directory / (name + _INDEX)).is_file():
            return _listed_files(directory / (name + _INDEX))
    raise _invalid("no weights", directory, f"add {SAFETENSORS} or {PYTORCH}")


def read_weights(directory: Path, progress: Progress = silent) -> dict[str, Tensor]:
    """Return the weights of a checkpoint by name, as they are in its files."""
    files, weights = weight_files(directory), dict[str, Tensor]()
    for number, path in enumerate(files, start=1):
        _check_pointer(path)
        weights |= _read_safetensors(path) if path.suffix == ".safetensors" else _read_pytorch(path)
        progress(number, len(files), f"reading {path.name}")
    return weights


def _listed_files(index: Path) -> list[Path]:
    """Return the files that an index lists, which must lie beside it."""
    places = read_object(index).get("weight_map")
    if not isinstance(places, dict) or not all(isinstance(name, str) for name in places.values()):
        raise _invalid("not an index of weight files: no weight_map", index, "download the checkpoint again")
    files = [index.parent / name for name in sorted(set(places.values()))]
    for path in files:
        if path.parent != index.parent or not path.is_file():
            raise _invalid(f"the weight file {path.name} is missing", index, "download the checkpoint again")
    return files


def _check_pointer(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(len(_POINTER)) == _POINTER:
            raise _invalid("a Git LFS pointer, not the weights", path, "fetch the file itself, with `git lfs pull`")


def _read_safetensors(path: Path) -> dict[str, Tensor]:
    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise _invalid("not a readable safetensors file", path, "download it again") from error


def _read_pytorch(path: Path) -> dict[str, Tensor]:
    try:
        mapped = zipfile.is_zipfile(path)  # files of early versions cannot be mapped
        found = torch.load(path, map_location="cpu", mmap=mapped, weights_only=True)
    except Exception as error:  # a damaged file can raise almost anything
        if refused := _REFUSED.search(str(error)):
            problem = f"refused: besides weights the file has code to run ({refused[1]})"
            raise _invalid(problem, path, "do not use it; get the checkpoint as safetensors or elsewhere") from error
        raise _invalid("not a readable PyTorch weight file", path, "download it again") from error
    if not isinstance(found, dict) or not all(isinstance(value, Tensor) for value in found.values()):
        raise _invalid("not a file of weights by name", path, "use the weights alone, not a training state")
    return {str(name): value.detach() for name, value in found.items()}


def _invalid(problem: str, path: Path, remedy: str) -> InputError:
    return InputError(problem, code=ErrorCode.CHECKPOINT_INVALID, file=path, remedy=remedy)
