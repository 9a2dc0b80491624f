"""Conversion of a published checkpoint to safetensors with a `tokenizer.json`, without running code from its files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Any, NamedTuple

from safetensors.torch import save_file
from torch import Tensor

from lexgear.atomic import DirectoryMarker, atomic_directory, check_output
from lexgear.model.checkpoint_tokenizer import tokenizer_file
from lexgear.model.checkpoints import (
    BERT_CONFIG,
    CONFIG,
    checkpoint_directory,
    load_tokens,
    read_config,
    tokenizer_place,
)
from lexgear.model.weight_files import SAFETENSORS, read_weights, weight_files
from lexgear.progress import Progress, silent

MARKER = DirectoryMarker("converted.json", "lexgear-checkpoint")
KEPT = (
    *("generation_config.json", "modules.json", "sentence_bert_config.json", "1_Pooling/config.json"),
    *("README*", "LICENSE*", "NOTICE*"),
)
"""Files that are copied if they are there: settings, and what the authors say about the checkpoint."""
KEPT_WITH_TOKENIZER = ("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "chat_template*")
"""Files that are copied from beside the tokenizer."""


class Converted(NamedTuple):
    """Summary of a conversion."""

    weights: int
    parameters: int
    tokens: int
    sources: tuple[str, ...]
    """Files that weights, configuration and tokenizer were read from."""


def convert_checkpoint(source: str, out: Path, tokenizer: str = "", progress: Progress = silent) -> Converted:
    """Write a checkpoint (a directory or a hub name) as safetensors with `config.json` and `tokenizer.json` to `out`.

    `tokenizer` names the tokenizer of a checkpoint that has none: a directory, a file or a hub name. Weights keep their
    values, their precision and their names.
    """
    directory = checkpoint_directory(source)
    check_output(out, MARKER, directory)
    config, tokens = read_config(directory), load_tokens(directory, tokenizer)
    weights = distinct_weights(read_weights(directory, progress))
    described = CONFIG if (directory / CONFIG).is_file() else BERT_CONFIG
    used = [*weight_files(directory), directory / described, tokenizer_file(tokenizer_place(directory, tokenizer))]
    published_as = directory.resolve().name if Path(source).is_dir() else source
    checksums = {path.name: _checksum(path) for path in used}
    with atomic_directory(out, MARKER) as made:
        progress(0, 1, f"writing {SAFETENSORS}")
        save_file(weights, made / SAFETENSORS, metadata={"format": "pt"})
        tokens.save(made / "tokenizer.json")
        _copy(directory, KEPT, made)
        _copy(used[-1].parent, KEPT_WITH_TOKENIZER, made)
        _write_json(made / CONFIG, config)
        _write_json(made / MARKER.file, {"format": MARKER.word, "source": published_as, "sha256": checksums})
    parameters = sum(weight.numel() for weight in weights.values())
    return Converted(len(weights), parameters, tokens.size, tuple(path.name for path in used))


def distinct_weights(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return weights as safetensors can hold them: one name per tensor, the first one, and none shares memory.

    Tied weights, such as an output layer that is the token embeddings, are tied again when the checkpoint is loaded.
    """
    seen: set[tuple[Any, ...]] = set()
    memory: set[int] = set()
    distinct: dict[str, Tensor] = {}
    for name, weight in weights.items():
        start = weight.untyped_storage().data_ptr()
        same = (start, weight.storage_offset(), weight.shape, weight.stride())
        if weight.numel() and same in seen:
            continue
        seen.add(same)
        own = weight.contiguous()
        distinct[name] = own.clone() if own is weight and start in memory else own
        memory.add(start)
    return distinct


def _copy(directory: Path, patterns: Sequence[str], made: Path) -> None:
    for pattern in patterns:
        for path in directory.glob(pattern):
            target = made / path.relative_to(directory)
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, target)


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
