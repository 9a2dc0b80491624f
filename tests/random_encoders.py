"""Encoders of the BERT family with random weights in the layout of the hub: config, weights, tokenizer."""

from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

SIGNS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
SIZES: dict[str, Any] = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 66,
}


def random_encoder(directory: Path, kind: str, texts: list[str]) -> Path:
    """Write a `bert` or `longformer` with `vocab.txt` (like Legal-BERT and Lawformer), or a `roberta` with its
    tokenizer."""
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(7)
    if kind == "roberta":
        size, signs = _byte_pairs(directory, texts), {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    else:
        vocabulary = SIGNS + sorted({character for text in texts for character in text if not character.isspace()})
        (directory / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
        size, signs = len(vocabulary), {"pad_token_id": 0}
    options = SIZES | signs | ({"attention_window": 4} if kind == "longformer" else {})
    config = {
        "bert": transformers.BertConfig,
        "roberta": transformers.RobertaConfig,
        "longformer": transformers.LongformerConfig,
    }[kind](vocab_size=size, **options)
    transformers.AutoModel.from_config(config).save_pretrained(directory)
    return directory


def _byte_pairs(directory: Path, texts: list[str]) -> int:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel()
    signs = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=600, special_tokens=signs, show_progress=False))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    tokenizer.save(str(directory / "tokenizer.json"))
    return int(tokenizer.get_vocab_size())
