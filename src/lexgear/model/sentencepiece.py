"""Conversion of a T5's `spiece.model` to a `tokenizers` tokenizer.

The sentencepiece library is needed for the conversion only: an index stores the result as `tokenizer.json`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from lexgear.errors import ErrorCode, InputError

END = "</s>"


def read_sentencepiece(path: Path) -> Any:
    """Return the tokenizer of a sentencepiece file; as T5 expects, it ends every text with `</s>`."""
    model = _parse(path)
    pieces = [(piece.piece, piece.score) for piece in model.pieces]
    kinds = [piece.type for piece in model.pieces]
    if model.trainer_spec.model_type != model.trainer_spec.UNIGRAM:
        raise _invalid("not a unigram model", path, "T5 and mT5 have unigram models")
    try:
        unknown, end = kinds.index(model.SentencePiece.UNKNOWN), [text for text, _ in pieces].index(END)
    except ValueError as error:
        raise _invalid("not a sentencepiece model of a T5", path, "download the checkpoint again") from error
    tokenizer = Tokenizer(models.Unigram(pieces, unknown, byte_fallback=model.SentencePiece.BYTE in kinds))
    tokenizer.normalizer = _normalizer(model.normalizer_spec)
    prefix = "always" if model.normalizer_spec.add_dummy_prefix else "never"
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=prefix)
    tokenizer.post_processor = processors.TemplateProcessing(single=f"$A {END}", special_tokens=[(END, end)])
    return tokenizer


def _parse(path: Path) -> Any:
    """Return the protobuf message in a sentencepiece file."""
    try:
        schema: Any = import_module("sentencepiece.sentencepiece_model_pb2")  # neither package has types
        decode_error: Any = import_module("google.protobuf.message").DecodeError
    except ImportError as error:
        raise InputError(
            "reading spiece.model needs sentencepiece and protobuf",
            code=ErrorCode.MISSING_DEPENDENCY,
            file=path,
            remedy="pip install 'lexgear[hub]'",
            package="sentencepiece",
        ) from error
    try:
        return schema.ModelProto.FromString(path.read_bytes())
    except (OSError, decode_error) as error:
        raise _invalid("not a sentencepiece model of a T5", path, "download the checkpoint again") from error


def _normalizer(rules: Any) -> Any:
    steps: list[Any] = []
    if rules.precompiled_charsmap:
        steps.append(normalizers.Precompiled(rules.precompiled_charsmap))
    if rules.remove_extra_whitespaces:
        steps += [normalizers.Replace(Regex(" +"), " "), normalizers.Strip()]
    return normalizers.Sequence(steps)


def _invalid(problem: str, path: Path, remedy: str) -> InputError:
    return InputError(problem, code=ErrorCode.CHECKPOINT_INVALID, file=path, remedy=remedy)
