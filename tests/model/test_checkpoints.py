"""Published checkpoints: loaded, or refused with a reason."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from lexgear.errors import InputError
from lexgear.model.checkpoints import load_checkpoint
from lexgear.model.t5 import T5Shape
from random_checkpoints import random_t5, sentencepiece_model

TINY = {"d_model": 16, "d_kv": 4, "d_ff": 24, "num_layers": 2, "num_decoder_layers": 2, "num_heads": 2}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_t5(tmp_path_factory.mktemp("t5"), **TINY, vocab_size=1600)


def test_shape_weights_and_tokenizer_are_the_checkpoints(checkpoint: Path) -> None:
    backbone, tokens = load_checkpoint(str(checkpoint), dropout=0.25)
    assert backbone.shape == T5Shape(1600, 16, 2, 4, 24, 2, 2, dropout=0.25, own_head=True)
    written = load_file(checkpoint / "model.safetensors")
    assert torch.equal(backbone.embed.weight, written["shared.weight"])
    assert torch.equal(backbone.get_parameter("head.weight"), written["lm_head.weight"])
    assert torch.equal(
        backbone.get_parameter("decoder.blocks.1.cross_attention.o.weight"),
        written["decoder.block.1.layer.1.EncDecAttention.o.weight"],
    )
    assert tokens.size == 1500


def edited(checkpoint: Path, where: Path, **changes: object) -> Path:
    """Return a copy without weights and with a changed configuration."""
    for name in ("spiece.model", "tokenizer_config.json"):
        (where / name).write_bytes((checkpoint / name).read_bytes())
    config = json.loads((checkpoint / "config.json").read_text())
    (where / "config.json").write_text(json.dumps({**config, **changes}))
    return where


def test_what_cannot_be_a_backbone_is_refused_with_what_is_wrong(checkpoint: Path, tmp_path: Path) -> None:
    for name in ("not a name", str(tmp_path / "nowhere"), "../nowhere", ""):
        with pytest.raises(InputError, match="no checkpoint directory"):
            load_checkpoint(name or " ", 0)
    with pytest.raises(InputError, match=r"no config\.json"):
        load_checkpoint(str(tmp_path), 0)
    with pytest.raises(InputError, match=r"checkpoint of type 'umt5' \(use one of the types t5, mt5, bert"):
        load_checkpoint(str(edited(checkpoint, tmp_path, model_type="umt5")), 0)
    with pytest.raises(InputError, match=r"no weights \(add model\.safetensors or pytorch_model\.bin\)"):
        load_checkpoint(str(edited(checkpoint, tmp_path)), 0)
    (tmp_path / "spiece.model").unlink()
    with pytest.raises(InputError, match="a checkpoint without a tokenizer"):
        load_checkpoint(str(tmp_path), 0)


def test_a_tokenizer_layers_or_weights_that_do_not_fit_are_refused(checkpoint: Path, tmp_path: Path) -> None:
    weights = (checkpoint / "model.safetensors").read_bytes()
    (tmp_path / "model.safetensors").write_bytes(weights)
    with pytest.raises(InputError, match="feed-forward layers of type gated-silu"):
        load_checkpoint(str(edited(checkpoint, tmp_path, feed_forward_proj="gated-silu")), 0)
    edited(checkpoint, tmp_path)
    fewer = load_file(checkpoint / "model.safetensors")
    del fewer["encoder.block.1.layer.0.SelfAttention.q.weight"], fewer["encoder.block.0.layer.0.SelfAttention.k.weight"]
    save_file(fewer, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"lacks encoder\.block\.0\.layer\.0\.SelfAttention\.k\.weight and 1 more"):
        load_checkpoint(str(tmp_path), 0)
    (tmp_path / "model.safetensors").write_bytes(weights)
    sentencepiece_model(tmp_path, size=1700)
    with pytest.raises(InputError, match=r"the tokenizer has 1,700 tokens, the model 1,600"):
        load_checkpoint(str(tmp_path), 0)
