"""The encoder a bi-encoder starts from: a new one, a base model, or a checkpoint of transformers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from lexgear.corpus.datasets.reader import read_object
from lexgear.model.checkpoints import KINDS, checkpoint_directory
from lexgear.model.encoder.bodies import T5Body, body_of_checkpoint
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.model.tokenizer import Tokens
from lexgear.pretraining.base import Base
from lexgear.rankers.dense.settings import DenseSettings
from lexgear.rankers.generative.generator_parts import base_named
from lexgear.rankers.model_settings import FROM_SCRATCH_HINT, SHIPPED

INITIAL_STD = 0.05
"""Standard deviation of the initial embeddings of a model from scratch. T5's is 1, which Adam changes slowly:
after three epochs on the sample R@20 on held-out training queries was .45; with this value it is .51."""


@dataclass(frozen=True)
class Start:
    """An encoder before it is trained on the collection."""

    encoder: TextEncoder
    tokens: Tokens
    published: bool = False
    """True for a published checkpoint, pretrained by its authors."""
    note: str = ""


def start(settings: DenseSettings, language: str, texts: Sequence[str]) -> Start:
    """Return the encoder that the settings ask for; a tokenizer from scratch is trained on the texts."""
    base = base_named(settings.backbone, language)
    cls = settings.pooling == "cls"
    if base:
        note = f"started from a base model of {base.about['parameters'] / 1e6:.1f}M parameters"
        return Start(_of_base(base, settings), base.tokens, note=note)
    if settings.backbone not in ("", SHIPPED):
        directory = checkpoint_directory(settings.backbone)
        body, tokens = body_of_checkpoint(
            directory,
            dropout=settings.size.dropout,
            cls=cls,
            window=settings.attention_window,
            tokenizer=settings.tokenizer,
        )
        return Start(TextEncoder(body, settings.pooling), tokens, published=not isinstance(body, T5Body))
    tokens = Tokens.train(texts, language=language, size=settings.size.vocab_size)
    body = T5Body(
        settings.size.shape(tokens.size + 1), cls=cls, window=settings.attention_window
    )  # one more, for masked tokens
    for embedded in (body.embed.weight, body.first):
        if embedded is not None:
            torch.nn.init.normal_(embedded, std=INITIAL_STD)
    note = f"lexgear has no base model for {language!r}: an encoder from scratch; {FROM_SCRATCH_HINT}"
    return Start(TextEncoder(body, settings.pooling), tokens, note=note if settings.backbone else "")


def is_checkpoint_of(backbone: str, model: str) -> bool:
    """Return whether the name of a checkpoint says that it is a published model, such as `sailer`.

    The name is the one on the hub, that of the directory, or the one that the checkpoint states itself. All published
    bi-encoders are of the BERT family, so a T5 is none of them.

    >>> is_checkpoint_of("CSHaitao/SAILER_zh", "sailer"), is_checkpoint_of("build/encoders/bge", "sailer")
    (True, False)
    """
    config = Path(backbone) / "config.json"
    stated = read_object(config) if config.is_file() else {}
    names = f"{Path(backbone).name} {stated.get('_name_or_path', '')}".lower().replace("_", "-")
    return stated.get("model_type") not in KINDS and model in names


def _of_base(base: Base, settings: DenseSettings) -> TextEncoder:
    """Return a copy of the base's encoder, with the pooling and the projection of the base."""
    shape = replace(base.backbone.shape, dropout=settings.size.dropout)
    pooling = shape.reader.pooling if shape.reader else "mean"
    body = T5Body(shape, window=settings.attention_window).copied(base.backbone)
    encoder = TextEncoder(body, pooling, projected=True)
    assert encoder.projection is not None
    with torch.no_grad():
        encoder.projection.weight.copy_(base.generator.content.weight)
    return encoder
