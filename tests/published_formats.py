"""Tiny checkpoints of every family in the formats in which they are published."""

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import torch
from safetensors.torch import load_file
from tokenizers import ByteLevelBPETokenizer

from lexgear.corpus.sample.cases import sample_cases
from random_checkpoints import random_t5
from random_encoders import SIZES, random_encoder

TEXTS = [document.text for document in sample_cases().documents[:30]]
TINY_T5 = {"d_model": 16, "d_kv": 4, "d_ff": 24, "num_layers": 2, "num_decoder_layers": 2, "num_heads": 2}
FAMILIES = ("bert", "roberta", "xlm-roberta", "camembert", "longformer", "t5", "mt5")
TOKENIZER_FILES = {
    "bert": "vocab.txt",
    "roberta": "vocab.json",
    "xlm-roberta": "sentencepiece.bpe.model",
    "camembert": "sentencepiece.bpe.model",
    "longformer": "vocab.txt",
    "t5": "spiece.model",
    "mt5": "spiece.model",
}
FORMATS = ("safetensors", "bin", "sharded bin")


def published(directory: Path, family: str, form: str = "safetensors") -> Path:
    """Write a checkpoint with random weights and the tokenizer file of its family, in one of `FORMATS`."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, content in _files(family).items():
        (directory / name).write_bytes(content)
    if form != "safetensors":
        to_pytorch(directory, shards=2 if form.startswith("sharded") else 1)
    return directory


@cache
def _files(family: str) -> dict[str, bytes]:
    """Return the files of a checkpoint with safetensors, made once per process."""
    with TemporaryDirectory() as name:
        directory = Path(name)
        if family in ("t5", "mt5"):
            older = {"tie_word_embeddings": True, "feed_forward_proj": "relu"} if family == "t5" else {}
            random_t5(directory, **TINY_T5, vocab_size=1500, model_type=family, **older)
        elif family in ("bert", "longformer"):
            random_encoder(directory, family, TEXTS)
        else:
            _roberta(directory, family)
        return {path.name: path.read_bytes() for path in directory.iterdir()}


def to_pytorch(directory: Path, shards: int = 1) -> None:
    """Replace the weights of a checkpoint by PyTorch files."""
    weights = load_file(directory / "model.safetensors")
    (directory / "model.safetensors").unlink()
    if shards == 1:
        torch.save(weights, directory / "pytorch_model.bin")
        return
    names, places = sorted(weights), dict[str, str]()
    for number in range(shards):
        name = f"pytorch_model-{number + 1:05}-of-{shards:05}.bin"
        torch.save({one: weights[one] for one in names[number::shards]}, directory / name)
        places |= dict.fromkeys(names[number::shards], name)
    (directory / "pytorch_model.bin.index.json").write_text(json.dumps({"metadata": {}, "weight_map": places}))


def _roberta(directory: Path, family: str) -> None:
    """Write a RoBERTa with byte pairs, or an XLM-R or CamemBERT with sentencepiece's pieces."""
    transformers = pytest.importorskip("transformers")
    numbers = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    if family == "roberta":
        pairs = ByteLevelBPETokenizer()
        special_tokens = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
        pairs.train_from_iterator(TEXTS, vocab_size=600, special_tokens=special_tokens, show_progress=False)
        pairs.save_model(str(directory))
        size = pairs.get_vocab_size()
    else:
        sentencepiece = pytest.importorskip("sentencepiece")
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(TEXTS),
            model_prefix=str(directory / "sentencepiece.bpe"),
            vocab_size=1000,
            character_coverage=0.98,
            minloglevel=2,
        )
        (directory / "sentencepiece.bpe.vocab").unlink()
        size = 1002
        if family == "camembert":
            size, numbers = 1005, {"pad_token_id": 1, "bos_token_id": 5, "eos_token_id": 6}
    torch.manual_seed(7)
    config = transformers.AutoConfig.for_model(family, vocab_size=size, **SIZES, **numbers)
    transformers.AutoModel.from_config(config).save_pretrained(directory)
