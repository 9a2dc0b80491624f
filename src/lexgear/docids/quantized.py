"""IDs by product quantisation, as in Ultron: one code word per part of a document's vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.ids import DocIds
from lexgear.docids.kmeans import Floats, Ints, kmeans
from lexgear.docids.trie import Trie
from lexgear.errors import ErrorCode, InputError


@dataclass(frozen=True, eq=False)
class Codebook:
    """Code words of each sub-space (Jégou et al., PAMI 2011).

    >>> book = Codebook.of(np.array([[0.0, 5.0], [1.0, 5.0], [0.0, 7.0]]), subspaces=2, codewords=2)
    >>> book.decode(book.encode(np.array([[0.9, 6.9]])))
    array([[1., 7.]], dtype=float32)
    """

    words: tuple[Floats, ...]
    """Distinct code words of each sub-space, one per row."""

    @classmethod
    def of(cls, vectors: NDArray[np.floating[Any]], *, subspaces: int, codewords: int, seed: int = 0) -> Self:
        """Cluster each sub-space of the vectors; there are at most as many sub-spaces as dimensions."""
        if subspaces < 1 or codewords < 2:
            raise InputError(
                "quantised IDs need at least one sub-space and two code words", code=ErrorCode.INVALID_ARGUMENT
            )
        points = np.asarray(vectors, dtype=np.float32)
        if points.ndim != 2 or not points.size or not np.isfinite(points).all():
            raise InputError(
                "quantised IDs need one vector per document, without NaN or infinity", code=ErrorCode.INVALID_ARGUMENT
            )
        rng = np.random.default_rng(seed)
        parts = np.array_split(points, min(subspaces, points.shape[1]), axis=1)
        return cls(tuple(_centres(part, kmeans(part, codewords, rng)) for part in parts))

    def encode(self, vectors: NDArray[np.floating[Any]]) -> Ints:
        """Return the nearest code word per sub-space: one row per vector, one column per sub-space."""
        bounds = np.cumsum([words.shape[1] for words in self.words])[:-1]
        parts = np.split(np.asarray(vectors, dtype=np.float64), bounds, axis=1)
        return np.stack([_nearest(part, words) for part, words in zip(parts, self.words, strict=True)], axis=1)

    def decode(self, codes: Ints) -> Floats:
        """Return the vectors of codes."""
        return np.concatenate([words[codes[:, place]] for place, words in enumerate(self.words)], axis=1)


def quantized_ids(codes: Ints, *, ids: Sequence[str] = ()) -> DocIds:
    """Return IDs made of each document's codes; documents with the same codes are numbered by one more symbol.

    Every sub-space has its own symbols: code word 3 of the first is unrelated to code word 3 of the second.

    >>> ids = quantized_ids(np.array([[1, 0], [0, 2], [1, 0]]))
    >>> [ids.format_id(ids.trie.leaves_of(position)[0]) for position in range(3)]
    ['0-1-0-0', '0-0-2', '0-1-0-1']
    """
    if ids and len(ids) != len(codes):
        raise InputError(f"{len(ids)} document ids for {len(codes)} codes", code=ErrorCode.INVALID_ARGUMENT)
    sizes = codes.max(axis=0) + 1
    numbers = number_duplicates(list(map(tuple, codes.tolist())))
    ties = max(numbers) + 1
    first = np.cumsum(sizes) - sizes
    last = np.where(np.array(numbers) >= 0, int(sizes.sum()) + np.array(numbers), -1)
    words = [f"{place}/{word}" for place, size in enumerate(sizes.tolist()) for word in range(size)]
    return DocIds(
        trie=Trie.build(np.column_stack([codes + first, last]), np.arange(len(codes))),
        names=(*words, *(f"same/{number}" for number in range(ties)), *(ids or map(str, range(len(codes))))),
        law_symbols=len(words) + ties,
        kinds=(*("codeword",) * len(words), *("number",) * ties),
    )


def number_duplicates(paths: Sequence[tuple[Any, ...]]) -> list[int]:
    """Number the paths that occur several times or continue in others; −1 for unique paths.

    >>> number_duplicates(["ab", "abc", "x", "x"])
    [0, -1, 0, 1]
    """
    inner = {path[:length] for path in paths for length in range(len(path))}
    times: dict[Any, int] = {}
    order = []
    for path in paths:
        order.append(times.get(path, 0))
        times[path] = order[-1] + 1
    shared = (times[path] > 1 or path in inner for path in paths)
    return [number if also else -1 for number, also in zip(order, shared, strict=True)]


def _centres(points: Floats, nearest: Ints) -> Floats:
    means = np.stack([points[nearest == number].mean(axis=0) for number in np.unique(nearest)])
    return np.unique(means, axis=0)


def _nearest(points: NDArray[np.float64], words: Floats) -> Ints:
    wide = words.astype(np.float64)
    nearest: Ints = np.argmin(np.square(wide).sum(axis=1) - 2 * points @ wide.T, axis=1)
    return nearest
