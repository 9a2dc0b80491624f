"""Text to the numbers a model reads: words first (rjieba for Chinese), then pieces inside the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from lexgear.errors import InputError

PAD, UNKNOWN = "<pad>", "<unk>"
PAD_ID = 0


class Tokens:
    """A tokenizer of our own, trained on a collection."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.chinese = bool(tokenizer.token_to_id("<zh>"))

    @classmethod
    def train(cls, texts: Iterable[str], *, language: str, size: int) -> Tokens:
        """Byte-pair pieces learnt from the texts, never across the border of a word."""
        tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
        tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        special = [PAD, UNKNOWN, f"<{language}>"]
        trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=special, min_frequency=2, show_progress=False)
        tokens = cls(tokenizer)
        tokens.chinese = language == "zh"
        tokenizer.train_from_iterator((tokens._worded(text) for text in texts), trainer)
        return tokens

    @property
    def size(self) -> int:
        """How many tokens there are."""
        return int(self._tokenizer.get_vocab_size())

    def encode(self, texts: Sequence[str], limit: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Token numbers, a row a text, cut at `limit` and padded; and which of them count."""
        rows = [e.ids[:limit] for e in self._tokenizer.encode_batch([self._worded(text) for text in texts])]
        width = max((len(row) for row in rows), default=1) or 1
        numbers = np.full((len(rows), width), PAD_ID, dtype=np.int32)
        for place, row in enumerate(rows):
            numbers[place, : len(row)] = row
        mask = numbers != PAD_ID
        mask[:, 0] = True  # an empty text still has one position to look at
        return numbers, mask

    def save(self, path: Path) -> None:
        """Writes the tokenizer as JSON."""
        self._tokenizer.save(str(path))

    @classmethod
    def load(cls, path: Path) -> Tokens:
        """What `save` wrote."""
        try:
            return cls(Tokenizer.from_file(str(path)))
        except Exception as error:
            raise InputError("not a readable tokenizer", file=path, remedy="run lexgear check") from error

    def _worded(self, text: str) -> str:
        plain = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ")
        if self.chinese:
            import rjieba

            return " ".join(rjieba.cut(plain))
        return plain
