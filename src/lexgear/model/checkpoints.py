"""Any T5-family checkpoint of transformers, from a directory or a hub name, as our own modules."""

from __future__ import annotations

import re
from typing import Any

from torch import Tensor, nn

from lexgear.errors import InputError
from lexgear.model.t5 import Decoder, Encoder, T5Shape


class Backbone(nn.Module):
    """Token embeddings, encoder and decoder."""

    def __init__(self, shape: T5Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embed = nn.Embedding(shape.vocabulary, shape.width)
        self.encoder, self.decoder = Encoder(shape), Decoder(shape)


def load_checkpoint(name: str) -> Backbone:
    """Reads a checkpoint with transformers (safetensors only: no foreign file is unpickled)."""
    try:
        from transformers import AutoModelForSeq2SeqLM
    except ImportError as error:
        raise InputError("loading a checkpoint needs transformers", remedy="pip install 'lexgear[hub]'") from error
    try:
        model = AutoModelForSeq2SeqLM.from_pretrained(name, use_safetensors=True)
    except (OSError, ValueError) as error:
        raise InputError(f"no T5-family checkpoint at {name!r}: {str(error).splitlines()[0]}") from error
    return from_transformers(model)


def from_transformers(model: Any) -> Backbone:
    """Our modules with the weights of a transformers T5 or mT5."""
    config = model.config
    shape = T5Shape(
        vocabulary=config.vocab_size,
        width=config.d_model,
        heads=config.num_heads,
        head_width=config.d_kv,
        inner=config.d_ff,
        encoder_layers=config.num_layers,
        decoder_layers=config.num_decoder_layers,
        buckets=config.relative_attention_num_buckets,
        far=config.relative_attention_max_distance,
        gated=config.is_gated_act,
        dropout=config.dropout_rate,
    )
    backbone = Backbone(shape)
    renamed = {_our_name(name): value for name, value in model.state_dict().items()}
    wanted = backbone.state_dict()
    missing = [name for name in wanted if name not in renamed]
    if missing:
        raise InputError(f"the checkpoint lacks {missing[0]} and {len(missing) - 1} more weights")
    backbone.load_state_dict({name: _as_ours(renamed[name]) for name in wanted})
    return backbone


def _as_ours(weight: Tensor) -> Tensor:
    return weight.detach().float()


_LAYERS = {
    "SelfAttention": "self_attention",
    "EncDecAttention": "cross_attention",
    "DenseReluDense.wi_0": "feed_forward.inward.0",
    "DenseReluDense.wi_1": "feed_forward.inward.1",
    "DenseReluDense.wi": "feed_forward.inward.0",
    "DenseReluDense.wo": "feed_forward.outward",
}


def _our_name(theirs: str) -> str:
    """`encoder.block.0.layer.1.DenseReluDense.wo.weight` → `encoder.blocks.0.feed_forward.outward.weight`."""
    name = theirs.removeprefix("model.")
    if name == "shared.weight":
        return "embed.weight"
    if "relative_attention_bias" in name:
        return f"{name.split('.')[0]}.distances.bias.weight"
    if match := re.fullmatch(r"(encoder|decoder)\.block\.(\d+)\.layer\.(\d)\.(.+)\.weight", name):
        stack, block, layer, inside = match.groups()
        last = 2 if stack == "decoder" else 1
        if inside == "layer_norm":
            kind = {0: "self", last: "feed"}.get(int(layer), "cross")
            return f"{stack}.blocks.{block}.{kind}_norm.weight"
        for part, ours in _LAYERS.items():
            if inside == part or inside.startswith(f"{part}."):
                return f"{stack}.blocks.{block}.{ours}{inside.removeprefix(part)}.weight"
    return name.replace("final_layer_norm", "norm")
