"""What a bi-encoder starts from: nothing, one of our base models, or a checkpoint of transformers."""

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
from lexgear.rankers.generative.generator_ranker import base_named
from lexgear.rankers.generative.model_settings import SHIPPED

SMALL = 0.05
"""Size of the embeddings that a model from scratch starts with. T5's are of size 1, which Adam takes long to change:
after three epochs of the sample R@20 was .45 on training queries held out, .51 with these."""


@dataclass(frozen=True)
class Start:
    """An encoder before it has learnt anything of the collection."""

    encoder: TextEncoder
    tokens: Tokens
    published: bool = False
    """Whether it is a checkpoint that brings the pretraining it is known for."""
    note: str = ""


def start(settings: DenseSettings, language: str, texts: Sequence[str]) -> Start:
    """The encoder that the settings ask for; a tokenizer from scratch is trained on the texts."""
    base = base_named(settings.backbone, language)
    cls = settings.pooling == "cls"
    if base:
        note = f"started from a base model of {base.about['parameters'] / 1e6:.1f}M parameters"
        return Start(_of_base(base, settings), base.tokens, note=note)
    if settings.backbone not in ("", SHIPPED):
        directory = checkpoint_directory(settings.backbone)
        body, tokens = body_of_checkpoint(directory, dropout=settings.dropout, cls=cls, window=settings.window)
        return Start(TextEncoder(body, settings.pooling), tokens, published=not isinstance(body, T5Body))
    tokens = Tokens.train(texts, language=language, size=settings.vocabulary)
    body = T5Body(settings.sizes(tokens.size + 1), cls=cls, window=settings.window)  # one more, for masked tokens
    for embedded in (body.embed.weight, body.first):
        if embedded is not None:
            torch.nn.init.normal_(embedded, std=SMALL)
    note = f"no base model for {language!r} comes with lexgear: an encoder from scratch" if settings.backbone else ""
    return Start(TextEncoder(body, settings.pooling), tokens, note=note)


def is_published(backbone: str) -> bool:
    """Whether a checkpoint may be the model that a row is known for: those are of the BERT family, none is a T5.

    What only has a name on the hub is taken by its name, which the row shows.
    """
    config = Path(backbone) / "config.json"
    return not config.is_file() or read_object(config).get("model_type") not in KINDS


def _of_base(base: Base, settings: DenseSettings) -> TextEncoder:
    """A copy of the base's encoder, read as the base has learnt to be: the mean of its states, projected."""
    shape = replace(base.backbone.shape, dropout=settings.dropout)
    encoder = TextEncoder(T5Body(shape, window=settings.window).copied(base.backbone), "mean", projected=True)
    assert encoder.projection is not None
    with torch.no_grad():
        encoder.projection.weight.copy_(base.generator.content.weight)
    return encoder
