"""Conversion of the sentencepiece models of T5, mT5, XLM-R and CamemBERT to `tokenizers` tokenizers.

The sentencepiece library is needed for the conversion only: an index stores the result as `tokenizer.json`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from lexgear.errors import ErrorCode, InputError

BEGIN, PAD, END, UNKNOWN, MASK = "<s>", "<pad>", "</s>", "<unk>", "<mask>"


def read_sentencepiece(path: Path) -> Any:
    """Return the tokenizer of a sentencepiece file; as T5 expects, it ends every text with `</s>`."""
    model = _parse(path)
    pieces, kinds = _pieces(model, path), [piece.type for piece in model.pieces]
    try:
        unknown, end = kinds.index(model.SentencePiece.UNKNOWN), [text for text, _ in pieces].index(END)
    except ValueError as error:
        raise _invalid("not a sentencepiece model of a T5", path, "download the checkpoint again") from error
    bytes_known = model.SentencePiece.BYTE in kinds
    tokenizer = _tokenizer(model, models.Unigram(pieces, unknown, byte_fallback=bytes_known))
    tokenizer.post_processor = processors.TemplateProcessing(single=f"$A {END}", special_tokens=[(END, end)])
    return tokenizer


def read_fairseq_sentencepiece(path: Path, *, camembert: bool = False) -> Any:
    """Return the tokenizer of XLM-R or CamemBERT: pieces are numbered by fairseq, texts stand between `<s>` and `</s>`.

    XLM-R has its own first four tokens instead of sentencepiece's first three. CamemBERT has five more before all but
    the first, and so a second `<s>` and `</s>`, which are the ones it uses.
    """
    model = _parse(path)
    pieces = _pieces(model, path)
    if [text for text, _ in pieces[:3]] != [UNKNOWN, BEGIN, END]:
        problem = "not a sentencepiece model of XLM-R or CamemBERT"
        raise _invalid(problem, path, "use the one that the checkpoint was published with")
    first = [f"{BEGIN}NOTUSED", PAD, f"{END}NOTUSED", UNKNOWN] if camembert else [BEGIN, PAD, END, UNKNOWN]
    rest = [(f"{UNKNOWN}NOTUSED", -100.0), *pieces[1:]] if camembert else pieces[3:]
    vocabulary = [*((token, 0.0) for token in first), *rest, (MASK, 0.0)]
    numbers = {text: number for number, (text, _) in enumerate(vocabulary)}
    tokenizer = _tokenizer(model, models.Unigram(vocabulary, numbers[UNKNOWN], byte_fallback=False))
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A {END}", special_tokens=[(token, numbers[token]) for token in (BEGIN, END)]
    )
    return tokenizer


def _pieces(model: Any, path: Path) -> list[tuple[str, float]]:
    if model.trainer_spec.model_type != model.trainer_spec.UNIGRAM:
        raise _invalid("not a unigram model", path, "T5, mT5, XLM-R and CamemBERT have unigram models")
    return [(piece.piece, piece.score) for piece in model.pieces]


def _tokenizer(model: Any, pieces: Any) -> Any:
    """Return a tokenizer that prepares texts as the sentencepiece model does."""
    tokenizer = Tokenizer(pieces)
    tokenizer.normalizer = _normalizer(model.normalizer_spec)
    prefix = "always" if model.normalizer_spec.add_dummy_prefix else "never"
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=prefix)
    return tokenizer


def _parse(path: Path) -> Any:
    """Return the protobuf message in a sentencepiece file."""
    try:
        schema: Any = import_module("sentencepiece.sentencepiece_model_pb2")  # neither package has types
        decode_error: Any = import_module("google.protobuf.message").DecodeError
    except ImportError as error:
        raise InputError(
            "reading a sentencepiece model needs sentencepiece and protobuf",
            code=ErrorCode.MISSING_DEPENDENCY,
            file=path,
            remedy="pip install 'lexgear[hub]'",
            package="sentencepiece",
        ) from error
    try:
        return schema.ModelProto.FromString(path.read_bytes())
    except (OSError, decode_error) as error:
        raise _invalid("not a sentencepiece model", path, "download the checkpoint again") from error


def _normalizer(rules: Any) -> Any:
    steps: list[Any] = []
    if rules.precompiled_charsmap:
        steps.append(normalizers.Precompiled(rules.precompiled_charsmap))
    if rules.remove_extra_whitespaces:
        steps += [normalizers.Replace(Regex(" +"), " "), normalizers.Strip()]
    return normalizers.Sequence(steps)


def _invalid(problem: str, path: Path, remedy: str) -> InputError:
    return InputError(problem, code=ErrorCode.CHECKPOINT_INVALID, file=path, remedy=remedy)
