"""Tokenizers of published checkpoints, in the files of their families, as `tokenizers` tokenizers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from lexgear.corpus.datasets.reader import read_object
from lexgear.errors import ErrorCode, InputError
from lexgear.model.sentencepiece import read_fairseq_sentencepiece, read_sentencepiece


def checkpoint_tokenizer(place: Path, model_type: str = "") -> Any:
    """Read a tokenizer from a checkpoint directory or from a single file.

    `model_type` is that of the checkpoint: the same file is numbered differently by XLM-R and by CamemBERT.
    """
    path = tokenizer_file(place)
    if path.suffix == ".model":
        return _read_pieces(path, model_type)
    return _READERS.get(path.name, read_tokenizer if path.suffix == ".json" else _read_word_pieces)(path)


def tokenizer_file(place: Path) -> Path:
    """Return the file that the tokenizer of a directory is read from, or the file itself."""
    if place.is_file():
        if place.suffix in (".json", ".txt", ".model"):
            return place
        remedy = f"give a directory or one of {', '.join(FILES)}"
        raise InputError("not a tokenizer", code=ErrorCode.CHECKPOINT_INVALID, file=place, remedy=remedy)
    for name in FILES:
        if (place / name).is_file():
            return place / name
    raise InputError(
        "a checkpoint without a tokenizer",
        code=ErrorCode.CHECKPOINT_INVALID,
        file=place,
        remedy=f"add one of {', '.join(FILES)}, or name a tokenizer",
    )


def read_tokenizer(path: Path) -> Any:
    """Read a `tokenizer.json`."""
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises plain Exception
        raise InputError(
            "not a readable tokenizer",
            code=ErrorCode.FILE_MALFORMED,
            file=path,
            remedy="verify the index, or download the checkpoint again",
        ) from error


def _read_pieces(path: Path, model_type: str) -> Any:
    """Read a sentencepiece file; those of the fairseq library, and so of XLM-R, are named `sentencepiece.bpe.model`."""
    described = str(_beside(path, "config.json").get("model_type") or model_type)
    class_name = str(_beside(path, "tokenizer_config.json").get("tokenizer_class"))
    if class_name.startswith("Camembert") or described == "camembert":
        return read_fairseq_sentencepiece(path, camembert=True)
    if path.name == "sentencepiece.bpe.model" or described == "xlm-roberta":
        return read_fairseq_sentencepiece(path)
    return read_sentencepiece(path)


def _read_word_pieces(path: Path) -> Any:
    """Read BERT's vocabulary; lower-cased unless `tokenizer_config.json` says otherwise."""
    settings = _beside(path, "tokenizer_config.json")
    try:
        tokenizer = Tokenizer(models.WordPiece.from_file(str(path), unk_token="[UNK]"))
    except Exception as error:
        raise _unreadable(path) from error
    tokenizer.normalizer = normalizers.BertNormalizer(
        lowercase=bool(settings.get("do_lower_case", True)),
        strip_accents=settings.get("strip_accents"),
        handle_chinese_chars=bool(settings.get("tokenize_chinese_chars", True)),
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    first, last = _frame(tokenizer, path, "[CLS]", "[SEP]")
    tokenizer.post_processor = processors.BertProcessing(last, first)
    return tokenizer


def _read_byte_pairs(path: Path) -> Any:
    """Read RoBERTa's vocabulary and merges."""
    prefix = bool(_beside(path, "tokenizer_config.json").get("add_prefix_space", False))
    try:
        tokenizer = Tokenizer(models.BPE.from_file(str(path), str(path.with_name("merges.txt"))))
    except Exception as error:
        raise _unreadable(path) from error
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    first, last = _frame(tokenizer, path, "<s>", "</s>")
    tokenizer.post_processor = processors.RobertaProcessing(last, first, add_prefix_space=prefix)
    return tokenizer


_READERS: dict[str, Callable[[Path], Any]] = {
    "tokenizer.json": read_tokenizer,
    "vocab.txt": _read_word_pieces,
    "vocab.json": _read_byte_pairs,
}
FILES = ("tokenizer.json", "spiece.model", "sentencepiece.bpe.model", "vocab.txt", "vocab.json")
"""Files of tokenizers, in the order in which they are preferred: T5 and mT5 have `spiece.model`, XLM-R and CamemBERT
`sentencepiece.bpe.model`, BERT `vocab.txt`, RoBERTa `vocab.json` with `merges.txt`."""


def _frame(tokenizer: Any, path: Path, *tokens: str) -> list[tuple[str, int]]:
    """Return the special tokens that begin and end a text, with their numbers."""
    numbers = tokenizer.get_vocab()
    if not {*tokens} <= numbers.keys():
        raise InputError(
            f"a vocabulary without {' and '.join(tokens)}",
            code=ErrorCode.CHECKPOINT_INVALID,
            file=path,
            remedy="use a checkpoint of the BERT family",
        )
    return [(token, numbers[token]) for token in tokens]


def _beside(path: Path, name: str) -> dict[str, Any]:
    """Return the settings in a file beside a tokenizer; none if there is no such file."""
    other = path.with_name(name)
    return read_object(other) if other.is_file() else {}


def _unreadable(path: Path) -> InputError:
    return InputError(
        "not a readable vocabulary",
        code=ErrorCode.CHECKPOINT_INVALID,
        file=path,
        remedy="download the checkpoint again",
    )
