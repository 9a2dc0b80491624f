"""A base model on disk: weights, tokenizer and law; and a generator for another collection that starts from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save

from lexgear.docids.ids import DocIds
from lexgear.errors import InputError
from lexgear.files import dumps, read_json, write_jsonl
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator import Generator
from lexgear.model.t5 import T5Shape
from lexgear.model.tokens import Tokens
from lexgear.pretraining.checkpoint import Position
from lexgear.pretraining.curves import draw_run
from lexgear.pretraining.prepared import TOKENIZER, Prepared
from lexgear.pretraining.settings import PretrainSettings
from lexgear.whole import Mark, whole_directory

FORMAT = 1
ABOUT, WEIGHTS, LAW = "base.json", "model.safetensors", "law.npz"
LOG, CURVES = "training.jsonl", "training.svg"
MARK = Mark(ABOUT, '"law_symbols"')
_DOCUMENTS = "documents.weight"


@dataclass(frozen=True)
class Base:
    """A generator over the law, without documents."""

    generator: Generator
    tokens: Tokens
    ids: DocIds
    """The law that its symbols stand for."""
    about: Mapping[str, Any]
    """`base.json`: shape, data, steps, tokens, settings, measures."""

    @property
    def backbone(self) -> Backbone:
        """Embeddings, encoder and decoder."""
        return self.generator.backbone

    def started(self, ids: DocIds, *, documents: int = 0, summary: bool = True) -> Generator:
        """A generator for the law and documents of other IDs, with a copy of all that the base has learnt.

        Law symbols take the weights of those of the same name; others start as in any new generator.
        """
        fresh = Generator(Backbone(self.backbone.shape), ids.law_symbols, documents, summary=summary)
        own, known = self.generator.state_dict(), {name: symbol for symbol, name in enumerate(self.ids.names)}
        shared = [(new, known[name]) for new, name in enumerate(ids.names[: ids.law_symbols]) if name in known]
        for name, weight in fresh.state_dict().items():
            if name in {"law_in.weight", "law_out.weight"}:
                for new, old in shared:
                    weight[new] = own[name][old]
            elif name != _DOCUMENTS:
                weight.copy_(own[name])
        return fresh


def save_base(out: Path, prepared_at: Path, settings: PretrainSettings, generator: Generator, end: Position) -> None:
    """Writes a base directory, all or nothing; weights in half precision."""
    prepared = Prepared.load(prepared_at)
    tensors = {
        name: value.detach().half().cpu().contiguous()
        for name, value in generator.state_dict().items()
        if name != _DOCUMENTS
    }
    measures = next((row for row in reversed(end.log) if "first" in row), {})
    about = {
        "format": FORMAT,
        "lexgear": version("lexgear"),
        "shape": asdict(generator.backbone.shape),
        "law_symbols": prepared.ids.law_symbols,
        "parameters": sum(value.numel() for value in tensors.values()),
        "steps": end.step,
        "tokens": end.tokens,
        "seconds": round(end.seconds, 1),
        "seed": settings.seed,
        "machine": _machine(),
        "measures": {name: value for name, value in measures.items() if name != "step"},
        "settings": asdict(settings),
        "data": {name: prepared.about[name] for name in ("sources", "counts", "report")},
    }
    with whole_directory(out, MARK) as directory:
        (directory / WEIGHTS).write_bytes(save(tensors))  # save_file would hide it from other users
        (directory / TOKENIZER).write_bytes((prepared_at / TOKENIZER).read_bytes())
        prepared.ids.save(directory / LAW)
        write_jsonl(directory / LOG, end.log)
        if find_spec("matplotlib"):
            draw_run(end.log, directory / CURVES)
        (directory / ABOUT).write_text(dumps(about) + "\n", encoding="utf-8")


def load_base(directory: Path, dropout: float | None = None) -> Base:
    """A base directory; with its own dropout unless another is given."""
    about = read_json(directory / ABOUT)
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise InputError("not a base model of this version", file=directory, remedy="make one with lexgear pretrain")
    try:
        shape = T5Shape(**about["shape"])
        ids = DocIds.load(directory / LAW)
        weights = load_file(directory / WEIGHTS)
        # Random weights first, though others follow: none at all (the device "meta") takes torch four times as long.
        fitting = Backbone(shape if dropout is None else replace(shape, dropout=dropout))
        generator = Generator(fitting, ids.law_symbols, summary=True)
        generator.load_state_dict(weights | {_DOCUMENTS: torch.empty(0, shape.width)})
    except (KeyError, TypeError, OSError, RuntimeError, SafetensorError) as error:
        raise InputError("damaged base model", file=directory, remedy="make it again with lexgear pretrain") from error
    return Base(generator.eval(), Tokens.load(directory / TOKENIZER), ids, about)


def _machine() -> str:
    return torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
