"""Base models on disk, and generators for other collections that start from one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError

from lexgear.atomic import DirectoryMarker, atomic_directory, atomic_file
from lexgear.docids.ids import DocIds
from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps, read_json, write_jsonl
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.generator import Generator
from lexgear.model.t5 import T5Shape
from lexgear.model.tokenizer import Tokens
from lexgear.pretraining.charge_words import CHARGE_WORDS, ChargeWords
from lexgear.pretraining.data.known_texts import NEUTRAL_TEXT, fingerprint_of
from lexgear.pretraining.data.prepared import TOKENIZER, Prepared
from lexgear.pretraining.learning.checkpoint import Position
from lexgear.pretraining.matters import WEIGHTS as MATTERS
from lexgear.pretraining.matters import Matters, load_matters
from lexgear.pretraining.quantized_weights import read_weights, write_weights
from lexgear.pretraining.settings import PretrainSettings
from lexgear.training.curves import can_draw, draw_panels

FORMAT = 1
ABOUT, LAW = "base.json", "law.npz"
LOG, CURVES, SEEN = "training.jsonl", "training.svg", "seen.npy"
SHIPPED = Path(str(files("lexgear"))) / "bases"
"""Directory of the base models in the package, one subdirectory per language."""
MARKER = DirectoryMarker(ABOUT, '"law_symbols"')
_DOCUMENTS = "documents.weight"
_COUNTERS = ("step", "seconds", "tokens")
"""Columns of the log without a curve."""


@dataclass(frozen=True)
class Base:
    """Pretrained generator over the law, without documents."""

    generator: Generator
    tokens: Tokens
    ids: DocIds
    """Law that the model's symbols stand for."""
    about: Mapping[str, Any]
    """Content of `base.json`: shape, data, steps, tokens, settings, measures, titles of the law, the rarity of words
    in familiar texts and judgment weights."""
    seen: NDArray[np.uint64]
    """Fingerprints of the training texts, sorted."""
    charge_words: ChargeWords
    directory: Path | None = None
    """Directory of its files; None for a base that was not loaded from one."""

    def knows(self, text: str) -> bool:
        """Return whether a neutral text was in the training data, so that its judgment may be memorised."""
        own = fingerprint_of(text, self.about.get("fingerprints", NEUTRAL_TEXT))
        place = int(np.searchsorted(self.seen, np.uint64(own)))
        return place < len(self.seen) and int(self.seen[place]) == own

    def familiar(self, words: Sequence[str]) -> bool:
        """Return whether the words of a text are about as common in the training cases as those of other cases."""
        limit = self.about.get("familiar_rarity")
        return limit is None or self.charge_words.mean_rarity(words) <= limit

    @cached_property
    def matters(self) -> Matters | None:
        """Classifier of criminal and other matters; None if the base has none."""
        if self.directory is None or not (self.directory / MATTERS).exists():
            return None
        return load_matters(self.directory / MATTERS, self.backbone, self.tokens, self.about["matters"])

    def knows_law(self, ids: DocIds) -> bool:
        """Return whether the base was trained on more than half of a law's nodes in the tree."""
        places, known = {ids.node_name(node) for node in ids.trie.internal_nodes.tolist()[1:]}, set(self.ids.names)
        return 2 * len(places & known) > len(places)

    @property
    def longest(self) -> int:
        """Longest text in tokens that the model was trained on."""
        return int(self.about["settings"]["tokens"])

    @property
    def backbone(self) -> Backbone:
        """Embeddings, encoder and decoder."""
        return self.generator.backbone

    def started(
        self, ids: DocIds, *, documents: int = 0, summary: bool = True, dropout: float | None = None
    ) -> Generator:
        """Return a generator for other IDs that starts from a copy of the base's weights.

        Law symbols take the weights of the symbols of the same name. A new symbol, such as the node of documents
        without a charge, takes the mean of its known siblings; without any, it keeps its random weights.
        """
        shape = self.backbone.shape if dropout is None else replace(self.backbone.shape, dropout=dropout)
        fresh = Generator(Backbone(shape), ids.law_symbols, documents, summary=summary)
        own, known = self.generator.state_dict(), {name: symbol for symbol, name in enumerate(self.ids.names)}
        names = ids.names[: ids.law_symbols]
        shared = {new: known[name] for new, name in enumerate(names) if name in known}
        for name, weight in fresh.state_dict().items():
            if name in {"law_in.weight", "law_out.weight"}:
                weight[[*shared]] = own[name][[*shared.values()]]
                for beside in _side_by_side(names):
                    if learnt := [symbol for symbol in beside if symbol in shared]:
                        weight[[symbol for symbol in beside if symbol not in shared]] = weight[learnt].mean(0)
            elif name != _DOCUMENTS:
                weight.copy_(own[name])
        return fresh


def save_base(out: Path, prepared_at: Path, settings: PretrainSettings, generator: Generator, end: Position) -> None:
    """Write a base directory atomically, matrices in 8 bits."""
    prepared = Prepared.load(prepared_at)
    weights = {name: value.detach().cpu() for name, value in generator.state_dict().items() if name != _DOCUMENTS}
    measures = next((row for row in reversed(end.log) if "first" in row), {})
    about = {
        "format": FORMAT,
        "lexgear": version("lexgear"),
        "shape": generator.backbone.shape.to_row(),
        "law_symbols": prepared.ids.law_symbols,
        "parameters": sum(value.numel() for value in weights.values()),
        "steps": end.step,
        "tokens": end.tokens,
        "seconds": round(end.seconds, 1),
        "seed": settings.seed,
        "machine": _machine(),
        "measures": {name: value for name, value in measures.items() if name != "step"},
        "settings": settings.to_row(),
        "data": {name: prepared.about[name] for name in ("sources", "counts", "report")},
        "titles": prepared.about.get("titles", {}),
        "familiar_rarity": prepared.about.get("familiar_rarity"),
        "fingerprints": prepared.about.get("fingerprints", NEUTRAL_TEXT),
    }
    with atomic_directory(out, MARKER) as directory:
        write_weights(directory, weights)
        for name in (TOKENIZER, CHARGE_WORDS):
            (directory / name).write_bytes((prepared_at / name).read_bytes())
        prepared.ids.save(directory / LAW)
        np.save(directory / SEEN, prepared.seen, allow_pickle=False)
        write_jsonl(directory / LOG, end.log)
        if can_draw():
            columns = dict.fromkeys(name for row in end.log for name in row if name not in _COUNTERS)
            draw_panels(end.log, directory / CURVES, "step", {name: name for name in columns})
        (directory / ABOUT).write_text(dumps(about) + "\n", encoding="utf-8")


def save_walk_weights(directory: Path, walk: Mapping[str, float]) -> None:
    """Store the judgment weights of a base model in its `base.json`."""
    _store(directory, walk=dict(walk))


def save_ranking_weights(directory: Path, kind: str, weights: Mapping[str, float]) -> None:
    """Store the weights of the ranking score over `cases` or `articles` in the `base.json` of a base model."""
    _store(directory, ranking={**read_json(directory / ABOUT).get("ranking", {}), kind: dict(weights)})


def save_matters(directory: Path, matters: Matters) -> None:
    """Store a classifier of criminal and other matters with a base model."""
    matters.save(directory / MATTERS)
    _store(directory, matters=matters.to_row())


def _store(directory: Path, **values: Any) -> None:
    about = {**read_json(directory / ABOUT), **values}
    with atomic_file(directory / ABOUT) as file:
        file.write(dumps(about) + "\n")


def load_base(directory: Path) -> Base:
    """Load a base directory."""
    about = read_json(directory / ABOUT)
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise InputError(
            f"not a base model of format {FORMAT}",
            code=ErrorCode.CHECKPOINT_INVALID,
            file=directory,
            remedy="pretrain one with this version",
        )
    try:
        shape = T5Shape.from_row(about["shape"])
        ids = DocIds.load(directory / LAW)
        weights = read_weights(directory)
        seen = np.load(directory / SEEN, allow_pickle=False)
        charge_words = ChargeWords.load(directory / CHARGE_WORDS)
        # Random weights are drawn although they are replaced: the device "meta" takes four times as long.
        generator = Generator(Backbone(shape), ids.law_symbols, summary=True)
        generator.load_state_dict(weights | {_DOCUMENTS: torch.empty(0, shape.width)})
    except (KeyError, TypeError, ValueError, OSError, RuntimeError, SafetensorError) as error:
        raise InputError(
            "damaged base model", code=ErrorCode.CHECKPOINT_INVALID, file=directory, remedy="pretrain it again"
        ) from error
    return Base(generator.eval(), Tokens.load(directory / TOKENIZER), ids, about, seen, charge_words, directory)


def is_base(directory: Path) -> bool:
    """Return whether a directory holds a base model."""
    return MARKER.exists_in(directory)


@cache
def shipped_base(language: str) -> Base | None:
    """Return the base model of a language that ships with the package, or None."""
    directory = SHIPPED / language
    return load_base(directory) if is_base(directory) else None


def _side_by_side(names: Sequence[str]) -> Iterable[list[int]]:
    """Group law symbols by their nearest ancestor among the names."""
    every = set(names)
    below: dict[str, list[int]] = {}
    for symbol, name in enumerate(names):
        above = name.rpartition("/")[0]
        while above and above not in every:
            above = above.rpartition("/")[0]
        below.setdefault(above, []).append(symbol)
    return below.values()


def _machine() -> str:
    return torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
