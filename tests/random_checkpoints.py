"""Checkpoints with random weights in the published layout."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from lexgear.corpus.sample.cases import sample_cases

RANDENG = {
    "architectures": ["MT5ForConditionalGeneration"],
    "d_ff": 1024,
    "d_kv": 64,
    "d_model": 512,
    "decoder_start_token_id": 0,
    "dropout_rate": 0.1,
    "eos_token_id": 1,
    "feed_forward_proj": "gated-gelu",
    "is_encoder_decoder": True,
    "layer_norm_epsilon": 1e-06,
    "model_type": "mt5",
    "num_decoder_layers": 8,
    "num_heads": 6,
    "num_layers": 8,
    "pad_token_id": 0,
    "relative_attention_num_buckets": 32,
    "tie_word_embeddings": False,
    "tokenizer_class": "T5Tokenizer",
    "vocab_size": 32596,
}
"""Sizes of IDEA-CCNL's Randeng-T5-77M, the paper's backbone."""


def sentencepiece_model(directory: Path, size: int = 1500, **options: object) -> Path:
    """Train a small unigram model with T5's special tokens: <pad> 0, </s> 1, <unk> 2."""
    sentencepiece = pytest.importorskip("sentencepiece")
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(document.text for document in sample_cases().documents[:60]),
        model_prefix=str(directory / "spiece"),
        vocab_size=size,
        character_coverage=0.98,
        pad_id=0,
        eos_id=1,
        unk_id=2,
        bos_id=-1,
        minloglevel=2,
        **options,
    )
    (directory / "spiece.vocab").unlink()
    return directory / "spiece.model"


def random_t5(directory: Path, **sizes: object) -> Path:
    """Write a T5 in the layout of the hub: config.json, model.safetensors, spiece.model and their settings.

    Unless `tie_word_embeddings` is true it has a text head of its own, as Randeng and all mT5 have.
    """
    transformers = pytest.importorskip("transformers")
    config: dict[str, Any] = {**RANDENG, **sizes}
    with torch.device("meta"):
        described = transformers.AutoConfig.for_model(**config)
        model = transformers.AutoModelForSeq2SeqLM.from_config(described)
    rng = torch.Generator().manual_seed(3)
    tied = ("embed_tokens", "lm_head") if config["tie_word_embeddings"] else ("embed_tokens",)
    names = [name for name in model.state_dict() if not any(part in name for part in tied)]  # tied to `shared`
    weights = {name: _drawn(name, model.state_dict()[name].shape, rng) for name in names}
    save_file(weights, directory / "model.safetensors", metadata={"format": "pt"})
    (directory / "config.json").write_text(json.dumps(config))
    special_tokens = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    (directory / "special_tokens_map.json").write_text(json.dumps(special_tokens))
    (directory / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "T5Tokenizer", **special_tokens}))
    sentencepiece_model(directory)
    return directory


def random_bert(directory: Path) -> Path:
    """Write a BERT with two layers, a few characters and twelve positions, with `vocab.txt` only."""
    transformers = pytest.importorskip("transformers")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"盗窃抢劫赌博财物暴力人"]
    (directory / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.BertConfig(vocab_size=len(vocabulary), max_position_embeddings=12, **shape)
    torch.manual_seed(7)
    transformers.BertModel(config).save_pretrained(directory)
    return directory


def _drawn(name: str, shape: torch.Size, rng: torch.Generator) -> torch.Tensor:
    """Return weights small enough that states stay finite through sixteen layers; norms are ones."""
    return torch.ones(shape) if "norm" in name else torch.randn(shape, generator=rng) * 0.05
