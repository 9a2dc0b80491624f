"""Subword tokenizers: trained on a collection, or read from a checkpoint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from lexgear.model.checkpoint_tokenizer import checkpoint_tokenizer, read_tokenizer

PAD, UNKNOWN = "<pad>", "<unk>"
_END = 2
"""End token of a trained tokenizer: its language tag, which occurs in no text."""
_SPECIAL = re.compile(r"<[^<>]*>(?:NOTUSED)?|\[(?:PAD|UNK|CLS|SEP|MASK)\]")
_END_TOKENS = ("</s>", "[SEP]")
"""End tokens of checkpoints: of the T5 and RoBERTa families, and of BERT."""
_MASK_TOKENS = ("[MASK]", "<mask>")
"""Mask tokens of checkpoints: of BERT, and of the RoBERTa family."""
_BETWEEN_CHINESE = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) | (?=[\u3000-\u9fff\uff00-\uffef])")


class Tokens:
    """Subword tokenizer; a trained one segments Chinese into words first (rjieba), a checkpoint's takes raw text."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        self._words_first = tokenizer.token_to_id("<zh>") is not None

    @classmethod
    def train(cls, texts: Iterable[str], *, language: str, size: int) -> Tokens:
        """Train byte-pair tokens on texts; tokens never cross word boundaries."""
        tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
        tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        special = [PAD, UNKNOWN, f"<{language}>"]
        trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=special, min_frequency=2, show_progress=False)
        tokens = cls(tokenizer)
        tokens._words_first = language == "zh"
        tokenizer.train_from_iterator((tokens._shown(text) for text in texts), trainer)
        return tokens

    @classmethod
    def of_checkpoint(cls, place: Path, model_type: str = "") -> Tokens:
        """Return the tokenizer in a checkpoint directory, or that of a single file, for a type of model."""
        return cls(checkpoint_tokenizer(place, model_type))

    @property
    def size(self) -> int:
        """Vocabulary size."""
        return int(self._tokenizer.get_vocab_size())

    def encode(self, texts: Sequence[str], limit: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return token ids, one row per text, truncated to `limit` and padded, and the mask of valid tokens.

        A truncated text keeps the end token of the tokenizer (T5: `</s>`, trained tokenizers: none).
        """
        self._tokenizer.enable_truncation(limit)
        rows = [e.ids for e in self._tokenizer.encode_batch([self._shown(text) for text in texts])]
        lengths = np.array([max(len(row), 1) for row in rows], dtype=np.int64)  # an empty text takes one position too
        numbers = np.zeros((len(rows), int(lengths.max(initial=1))), dtype=np.int32)
        for place, row in enumerate(rows):
            numbers[place, : len(row)] = row
        return numbers, np.arange(numbers.shape[1]) < lengths[:, None]

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, without special tokens."""
        shown = [self._shown(text) for text in texts]
        return [len(e.ids) for e in self._counter.encode_batch_fast(shown, add_special_tokens=False)]

    @cached_property
    def _counter(self) -> Any:
        """Copy that never truncates: another thread may be encoding."""
        counter = Tokenizer.from_str(self._tokenizer.to_str())
        counter.no_truncation()
        return counter

    @property
    def special_count(self) -> int:
        """Number of special tokens that `encode` adds to a text."""
        return int(self._tokenizer.num_special_tokens_to_add(False))

    @property
    def end(self) -> int:
        """Token that ends a generated text: a checkpoint's own, or the language tag of a trained tokenizer."""
        found = [number for name in _END_TOKENS if (number := self._tokenizer.token_to_id(name)) is not None]
        return int(found[0]) if found else _END

    def ended(self, texts: Sequence[str], limit: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Encode target texts for generation: every row ends with the end token, even if truncated."""
        numbers, mask = self.encode(texts, limit - 1)
        numbers, mask = np.pad(numbers, ((0, 0), (0, 1))), np.pad(mask, ((0, 0), (0, 1)))
        rows, lengths = np.arange(len(mask)), mask.sum(1)
        open_ended = numbers[rows, lengths - 1] != self.end
        numbers[rows[open_ended], lengths[open_ended]] = self.end
        mask[rows[open_ended], lengths[open_ended]] = True
        return numbers, mask

    def piece(self, number: int) -> str:
        """Return the text of a token; empty for special tokens and ids beyond the tokenizer's vocabulary."""
        piece: str = self._tokenizer.id_to_token(number) or ""
        return "" if _SPECIAL.fullmatch(piece) else piece

    def decode(self, numbers: Sequence[int]) -> str:
        """Return the text of token ids without special tokens; French of a trained tokenizer stays in subwords."""
        pieces = [piece for piece in map(self.piece, numbers) if piece]
        if self._tokenizer.token_to_id("[SEP]") is not None:
            return _BETWEEN_CHINESE.sub("", " ".join(pieces).replace(" ##", ""))
        if self._words_first or self._tokenizer.token_to_id("</s>") is not None:
            return "".join(pieces).replace("▁", " ").strip()
        return " ".join(pieces)

    def rows(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of whole texts."""
        self._tokenizer.no_truncation()
        return [e.ids for e in self._tokenizer.encode_batch([self._shown(text) for text in texts])]

    @property
    def frame(self) -> tuple[int, int]:
        """Number of special tokens before and after every text: (1, 1) in BERT, (0, 1) in T5, none in a trained one."""
        return self.special_count // 2, self.special_count - self.special_count // 2

    def vocabulary(self) -> dict[str, int]:
        """Return all tokens with their ids."""
        return dict(self._tokenizer.get_vocab())

    def mask(self) -> int | None:
        """Return the mask token of a checkpoint's tokenizer; None if it has none."""
        known = self.vocabulary()
        return next((known[piece] for piece in _MASK_TOKENS if piece in known), None)

    def special_ids(self) -> list[int]:
        """Return the ids of special tokens, such as padding and `[CLS]`."""
        added = list(self._tokenizer.get_added_tokens_decoder())
        return sorted({*added, *(number for piece, number in self.vocabulary().items() if _SPECIAL.fullmatch(piece))})

    def to_json(self) -> str:
        """Return the tokenizer as JSON."""
        self._tokenizer.no_truncation()
        return str(self._tokenizer.to_str())

    def save(self, path: Path) -> None:
        """Write the tokenizer as JSON."""
        self._tokenizer.no_truncation()
        self._tokenizer.save(str(path))

    @classmethod
    def load(cls, path: Path) -> Tokens:
        """Read what `save` wrote."""
        return cls(read_tokenizer(path))

    def _shown(self, text: str) -> str:
        plain = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ")
        if self._words_first:
            import rjieba

            return " ".join(rjieba.cut(plain))
        return plain
