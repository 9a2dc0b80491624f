"""A sparse array of word weights: what a word adds to the score of each document that has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.errors import InputError

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class SparseWeights:
    """Weights in columns: those of word w stand at `starts[w]:starts[w + 1]`."""

    words: Mapping[str, int]
    starts: Ints
    documents: Ints
    weights: Floats
    document_count: int

    @classmethod
    def bm25(cls, texts: Sequence[Sequence[str]], *, k1: float, b: float) -> SparseWeights:
        """BM25 (Lucene's variant) as bm25s computes it, from the words of each document."""
        import bm25s

        words, ids = _numbered(texts)
        index = bm25s.BM25(k1=k1, b=b, method="lucene")
        scores = index.build_index_from_ids(list(range(len(words))), ids, show_progress=False)
        return cls(words, scores["indptr"], scores["indices"], scores["data"], len(texts))

    @classmethod
    def dirichlet(cls, texts: Sequence[Sequence[str]], *, mu: float) -> SparseWeights:
        """Query likelihood with Dirichlet smoothing, the part of a word: log(1 + tf / (μ · P(word)))."""
        words, ids = _numbered(texts)
        lengths = np.array([len(text) for text in ids])
        rows = np.repeat(np.arange(len(ids)), lengths)
        columns = np.fromiter((word for text in ids for word in text), dtype=np.int64, count=int(lengths.sum()))
        places, counts = np.unique(columns * max(len(ids), 1) + rows, return_counts=True)
        column, document = np.divmod(places, max(len(ids), 1))
        share = np.bincount(columns, minlength=len(words)) / max(lengths.sum(), 1)
        weights = np.log1p(counts / (mu * share[column]))
        starts = np.searchsorted(column, np.arange(len(words) + 1))
        return cls(words, starts.astype(np.int32), document.astype(np.int32), weights.astype(np.float32), len(texts))

    def known(self, words: Sequence[str]) -> list[int]:
        """The numbers of the words that occur in some document, repeated ones as often."""
        return [self.words[word] for word in words if word in self.words]

    def sums(self, words: Sequence[int]) -> Floats:
        """For every document the sum of the weights of these words; a repeated word counts again."""
        return self.dot(Counter(words))

    def dot(self, query: Mapping[int, float]) -> Floats:
        """For every document the sum of the weights of these words, each times its weight in the query.

        Each word once and all postings in one call: a seventh faster than word by word, as bm25s does it.
        """
        sums = np.zeros(self.document_count, dtype=np.float32)
        if query:
            numbers = np.fromiter(query, dtype=np.int64, count=len(query))
            spans = list(map(slice, self.starts[numbers].tolist(), self.starts[numbers + 1].tolist()))
            weights = [self.weights[span] for span in spans]
            for place, times in enumerate(query.values()):
                if times != 1:
                    weights[place] = weights[place] * np.float32(times)
            documents = np.concatenate([self.documents[span] for span in spans])
            np.add.at(sums, documents, np.concatenate(weights))
        return sums

    def save(self, path: Path, **more: NDArray[Any]) -> None:
        """Writes plain arrays (`.npz`, no pickle); `more` are arrays of the caller's."""
        arrays: dict[str, Any] = {
            "words": packed(list(self.words)),
            "starts": self.starts,
            "documents": self.documents,
            "weights": self.weights,
            "document_count": np.int64(self.document_count),
        }
        np.savez(path, allow_pickle=False, **arrays, **more)

    @classmethod
    def load(cls, path: Path) -> tuple[SparseWeights, dict[str, NDArray[Any]]]:
        """What `save` wrote, and the caller's arrays."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                arrays = dict(stored)
            words = {word: number for number, word in enumerate(unpacked(arrays.pop("words")))}
            own = [arrays.pop(name) for name in ("starts", "documents", "weights")]
            count = int(arrays.pop("document_count"))
        except FileNotFoundError as error:
            raise InputError("no such file", file=path) from error
        except Exception as error:
            raise InputError("not a readable array file", file=path, remedy="run lexgear check") from error
        return cls(words, own[0], own[1], own[2], count), arrays


def packed(names: Sequence[str]) -> NDArray[np.uint8]:
    """Strings as one array of bytes, a line each: no pickle, and no room lost to the longest one."""
    return np.frombuffer("\n".join(names).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def unpacked(array: NDArray[np.uint8]) -> list[str]:
    """The strings that `packed` packed."""
    return array.tobytes().decode("utf-8", "surrogatepass").split("\n") if array.size else []


def _numbered(texts: Sequence[Sequence[str]]) -> tuple[dict[str, int], list[list[int]]]:
    """Words numbered in the order they first occur, and the texts as numbers."""
    words: dict[str, int] = {}
    ids = [[words.setdefault(word, len(words)) for word in text] for text in texts]
    return words, ids
