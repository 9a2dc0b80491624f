"""Probabilities of texts, compared with transformers for tied and untied text heads."""

from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.model.checkpoints import Backbone, load_checkpoint
from lexgear.model.t5 import T5Shape
from lexgear.model.text_generation.query_generator import QueryGenerator
from lexgear.model.text_generation.text_head import text_nll
from random_checkpoints import random_t5

TINY = {"d_model": 16, "d_kv": 4, "d_ff": 24, "num_layers": 1, "num_decoder_layers": 2, "num_heads": 2}
HEADS = {
    "t5": {"model_type": "t5", "tie_word_embeddings": True, "feed_forward_proj": "relu"},
    "t5-v1.1": {"model_type": "t5", "tie_word_embeddings": False},
    "mt5": {"model_type": "mt5", "tie_word_embeddings": False},
    "mt5 without a head": {"model_type": "mt5", "tie_word_embeddings": True},
}
TEXTS, TARGETS = ["被告人翻墙进入商店，拿走现金五千余元。", "被告人持刀威胁店主。"], ["翻墙拿走现金", "持刀"]


@pytest.mark.parametrize("kind", HEADS)
def test_a_text_is_as_probable_as_with_transformers(kind: str, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    backbone, tokens = load_checkpoint(str(random_t5(tmp_path, vocab_size=1500, **TINY, **HEADS[kind])), dropout=0.0)
    assert (backbone.head is None) == (kind == "t5")
    (numbers, mask), (targets, wanted) = tokens.encode(TEXTS, 64), tokens.ended(TARGETS, 16)
    theirs = transformers.AutoModelForSeq2SeqLM.from_pretrained(tmp_path).eval()
    labels = torch.from_numpy(np.where(wanted, targets, -100)).long()
    with torch.inference_mode():
        expected = theirs(
            input_ids=torch.from_numpy(numbers).long(), attention_mask=torch.from_numpy(mask).long(), labels=labels
        ).loss
        seen = torch.from_numpy(mask)
        states = backbone.eval().encoder(backbone.embed(torch.from_numpy(numbers).long()), seen)
        ours = text_nll(backbone, backbone.decoder.memory(states, seen), targets, wanted)
        writer = QueryGenerator(backbone, fresh=False).eval().nll(numbers, mask, targets, wanted)
    torch.testing.assert_close(ours, expected)
    torch.testing.assert_close(writer, expected)


def test_a_head_comes_back_from_plain_values_and_earlier_ones_have_none() -> None:
    shape = T5Shape(30, width=8, heads=2, head_width=4, inner=8, encoder_layers=1, decoder_layers=1, own_head=True)
    assert T5Shape.from_row(shape.to_row()) == shape
    backbone = Backbone(shape)
    assert "head.weight" in backbone.state_dict()
    backbone.remove_head()
    assert "own_head" not in backbone.shape.to_row()
    assert Backbone(backbone.shape).state_dict().keys() == backbone.state_dict().keys()
