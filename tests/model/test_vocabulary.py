"""Pruned vocabularies: the same tokens and states on the texts that were given, and short words elsewhere."""

from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.errors import InputError
from lexgear.model.checkpoints import Backbone, load_checkpoint
from lexgear.model.text_generation.text_head import token_logits
from lexgear.model.tokenizer import Tokens
from lexgear.model.vocabulary import needed_tokens, prune_vocabulary
from random_checkpoints import random_t5
from random_encoders import random_encoder
from shared_data import real_encoder

TEXTS = ["被告人翻墙进入商店，拿走现金五千余元。", "Le bailleur rend la garantie locative dans le délai de deux mois."]
OTHERS = ["醉酒驾驶小型汽车", "Peut-on sous-louer un logement social ?"]


def states(backbone: Backbone, tokens: Tokens, texts: list[str]) -> torch.Tensor:
    numbers, mask = tokens.encode(texts, 64)
    with torch.inference_mode():
        read: torch.Tensor = backbone.eval().encoder(
            backbone.embed(torch.from_numpy(numbers).long()), torch.from_numpy(mask)
        )
    return read[torch.from_numpy(mask)]


def check_pruning(directory: Path) -> tuple[Backbone, Tokens, Backbone, Tokens]:
    backbone, tokens = load_checkpoint(str(directory), 0.0)
    pruned, fewer = prune_vocabulary(backbone, tokens, TEXTS)
    kept = needed_tokens(tokens, TEXTS)
    assert fewer.size == pruned.shape.vocabulary == len(kept) < tokens.size
    before, after = tokens.rows(TEXTS), fewer.rows(TEXTS)
    assert [kept[row].tolist() for row in after] == before
    assert torch.equal(states(pruned, fewer, TEXTS), states(backbone, tokens, TEXTS))
    return backbone, tokens, pruned, fewer


def test_the_texts_given_are_read_as_before(tmp_path: Path) -> None:
    backbone, tokens, _, fewer = check_pruning(random_encoder(tmp_path, "bert", [*TEXTS, *OTHERS]))
    assert set(fewer.vocabulary()) < set(tokens.vocabulary())
    assert {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} <= set(fewer.vocabulary())
    assert backbone.shape.vocabulary == tokens.size  # the original stays as it is


def test_tokens_can_be_kept_although_no_text_has_them(tmp_path: Path) -> None:
    _, tokens = load_checkpoint(str(random_encoder(tmp_path, "bert", [*TEXTS, *OTHERS])), 0.0)
    kept = needed_tokens(tokens, TEXTS, keep=lambda piece: piece == "驶")
    assert tokens.vocabulary()["驶"] in kept
    assert tokens.vocabulary()["驾"] not in kept


def test_the_text_head_keeps_the_scores_of_the_tokens_that_stay(tmp_path: Path) -> None:
    sizes = {"d_model": 16, "d_kv": 4, "d_ff": 24, "num_layers": 1, "num_decoder_layers": 1, "num_heads": 2}
    backbone, tokens, pruned, _ = check_pruning(random_t5(tmp_path, vocab_size=1500, **sizes))
    decoded = torch.randn(2, 16)
    kept = needed_tokens(tokens, TEXTS)
    torch.testing.assert_close(token_logits(pruned, decoded), token_logits(backbone, decoded)[:, kept])


@pytest.mark.parametrize(("name", "most"), [("bge", 24.0), ("e5", 22.5)])
def test_the_real_encoders_shrink_to_what_the_texts_need(name: str, most: float) -> None:
    _, _, pruned, fewer = check_pruning(real_encoder(name))
    parameters = sum(weight.numel() for weight in pruned.encoder.parameters()) + pruned.embed.weight.numel()
    assert parameters / 1e6 < most
    [row] = fewer.rows(OTHERS[1:])
    assert np.all(np.array(row) < fewer.size)


def test_byte_pair_tokenizers_are_refused(tmp_path: Path) -> None:
    backbone, tokens = load_checkpoint(str(random_encoder(tmp_path, "roberta", TEXTS)), 0.0)
    with pytest.raises(InputError, match="type BPE cannot be pruned"):
        prune_vocabulary(backbone, tokens, TEXTS)
