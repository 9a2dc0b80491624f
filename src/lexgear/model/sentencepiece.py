"""A T5's `spiece.model` as a tokenizer that needs neither sentencepiece nor protobuf to run.

transformers reads such a file only where protobuf is installed; the file is a handful of its messages, read here.
`tests/model/test_sentencepiece.py` holds the result to sentencepiece's own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from lexgear.errors import InputError

END = "</s>"
_UNIGRAM, _UNKNOWN, _BYTE = 1, 2, 6
_MODEL = {"piece": 1, "trainer": 2, "normalizer": 3}
_PIECE = {"text": 1, "score": 2, "kind": 3}
_TRAINER = {"kind": 3}
_NORMALIZER = {"characters": 2, "prefix": 3, "squeeze": 4}

Fields = dict[int, list[Any]]


def read_sentencepiece(path: Path) -> Any:
    """The tokenizer in a sentencepiece file; as T5 expects it, every text ends with `</s>`."""
    try:
        model = _fields(path.read_bytes())
        pieces = [_fields(piece) for piece in model[_MODEL["piece"]]]
        vocabulary = [(_one(piece, _PIECE["text"], b"").decode(), _score(piece)) for piece in pieces]
        kinds = [_one(piece, _PIECE["kind"], 1) for piece in pieces]
        numbers = {text: number for number, (text, _) in enumerate(vocabulary)}
        trainer, rules = (_fields(_one(model, _MODEL[part], b"")) for part in ("trainer", "normalizer"))
        if _one(trainer, _TRAINER["kind"], _UNIGRAM) != _UNIGRAM:
            raise InputError("a sentencepiece model that is no unigram model", file=path, remedy="T5 has unigram ones")
        tokenizer = Tokenizer(models.Unigram(vocabulary, kinds.index(_UNKNOWN), byte_fallback=_BYTE in kinds))
        end = numbers[END]
    except (OSError, KeyError, IndexError, ValueError, struct.error) as error:
        raise InputError("not a sentencepiece model of a T5", file=path, remedy="fetch it again") from error
    tokenizer.normalizer = _normalizer(rules)
    prefix = "always" if _one(rules, _NORMALIZER["prefix"], 1) else "never"
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=prefix)
    tokenizer.post_processor = processors.TemplateProcessing(single=f"$A {END}", special_tokens=[(END, end)])
    return tokenizer


def _normalizer(rules: Fields) -> Any:
    steps: list[Any] = []
    if characters := _one(rules, _NORMALIZER["characters"], b""):
        steps.append(normalizers.Precompiled(characters))
    if _one(rules, _NORMALIZER["squeeze"], 1):
        steps += [normalizers.Replace(Regex(" +"), " "), normalizers.Strip()]
    return normalizers.Sequence(steps)


def _score(piece: Fields) -> float:
    return float(struct.unpack("<f", _one(piece, _PIECE["score"], bytes(4)))[0])


def _one(fields: Fields, number: int, default: Any) -> Any:
    """The last value of a field, as protobuf has it, or its default."""
    return fields[number][-1] if number in fields else default


def _fields(message: bytes) -> Fields:
    """The values of a protobuf message by field number: whole numbers, or bytes."""
    found: Fields = {}
    for number, value in _pairs(message):
        found.setdefault(number, []).append(value)
    return found


def _pairs(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        if key & 7 == 0:
            value, place = _varint(message, place)
            yield key >> 3, value
            continue
        if key & 7 == 2:
            size, place = _varint(message, place)
        else:
            size = {1: 8, 5: 4}[key & 7]
        if place + size > len(message):
            raise ValueError("a message that ends too early")
        yield key >> 3, message[place : place + size]
        place += size


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """A number in groups of seven bits, the lowest first; the high bit says that more follow."""
    value = shift = 0
    while True:
        byte = message[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
        shift += 7
