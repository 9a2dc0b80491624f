"""Hierarchical k-means IDs, as in DSI; the baseline of law IDs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.ids import DocIds
from lexgear.docids.trie import Trie
from lexgear.errors import ErrorCode, InputError

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
MAX_ITERATIONS = 30
"""Iterations of Lloyd's algorithm per cluster at most; later ones change next to nothing."""


def kmeans_ids(
    vectors: NDArray[np.floating[Any]],
    *,
    branching: int = 10,
    leaf_size: int = 10,
    seed: int = 0,
    ids: Sequence[str] = (),
    by_level: bool = False,
) -> DocIds:
    """Split the documents into clusters of at most `leaf_size`, then number the documents of each cluster.

    As in DSI the symbols are digits, the same at every level and within clusters: 0-3-7-4 is document 4 of cluster 7 of
    cluster 3. With `by_level`, as in NCI, the symbol of a digit differs from level to level. `ids` are the document ids
    (default: their positions).

    >>> ids = kmeans_ids(np.array([[0.0], [9.0], [0.1]]), branching=2, leaf_size=2)
    >>> [ids.document_paths(position) for position in range(3)]
    [[(0, 0)], [(1, 0)], [(0, 1)]]
    """
    if branching < 2 or leaf_size < 1:
        raise InputError(
            "k-means IDs need a branching of at least 2 and a leaf size of at least 1", code=ErrorCode.INVALID_ARGUMENT
        )
    points = np.asarray(vectors, dtype=np.float32)
    if points.ndim != 2 or not np.isfinite(points).all():
        raise InputError(
            "k-means IDs need one vector per document, without NaN or infinity", code=ErrorCode.INVALID_ARGUMENT
        )
    if ids and len(ids) != len(points):
        raise InputError(f"{len(ids)} document ids for {len(points)} vectors", code=ErrorCode.INVALID_ARGUMENT)
    paths, digits = _paths(points, branching, leaf_size, np.random.default_rng(seed)), max(branching, leaf_size)
    symbols = [*map(str, range(digits))]
    if by_level:
        levels = paths.shape[1]
        paths = np.where(paths >= 0, paths + digits * np.arange(levels), -1)
        symbols = [f"{level}-{digit}" for level in range(levels) for digit in range(digits)]
    return DocIds(
        trie=Trie.build(paths, np.arange(len(points))),
        names=(*symbols, *(ids or map(str, range(len(points))))),
        law_symbols=len(symbols),
        kinds=("cluster",) * len(symbols),
    )


def _paths(points: Floats, branching: int, leaf_size: int, rng: np.random.Generator) -> Ints:
    """Return the digits of every document, one column per level."""
    columns: list[Ints] = []
    clusters = [np.arange(len(points))]
    while clusters:
        column = np.full(len(points), -1)
        below: list[Ints] = []
        for members in clusters:
            if len(members) <= leaf_size:
                column[members] = np.arange(len(members))
            else:
                column[members] = _split(points[members], branching, rng)
                below += [members[column[members] == digit] for digit in range(column[members].max() + 1)]
        columns.append(column)
        clusters = below
    return np.stack(columns, axis=1)


def _split(points: Floats, branching: int, rng: np.random.Generator) -> Ints:
    """Return the cluster of each point, numbered without gaps; identical points are distributed evenly."""
    used, clusters = np.unique(kmeans(points, branching, rng), return_inverse=True)
    return clusters if len(used) > 1 else np.arange(len(points)) * branching // len(points)


def kmeans(points: Floats, clusters: int, rng: np.random.Generator) -> Ints:
    """Return the nearest centre of each point after Lloyd's algorithm with k-means++ initialisation."""
    centres = _initial_centres(points, clusters, rng)
    nearest = _nearest(points, centres)
    for _ in range(MAX_ITERATIONS):
        for number in np.unique(nearest):
            centres[number] = points[nearest == number].mean(axis=0)
        before, nearest = nearest, _nearest(points, centres)
        if np.array_equal(before, nearest):
            break
    return nearest


def _initial_centres(points: Floats, clusters: int, rng: np.random.Generator) -> Floats:
    """Return k-means++ centres: points drawn by their squared distance from earlier centres."""
    drawn = [int(rng.integers(len(points)))]
    distance = np.full(len(points), np.inf)
    while len(drawn) < clusters:
        distance = np.minimum(distance, np.square(points - points[drawn[-1]]).sum(axis=1))
        reach = np.cumsum(distance)
        if reach[-1] == 0:
            break
        # A draw in (0, 1] never selects an existing centre, whose step in the sum is 0.
        drawn.append(int(np.searchsorted(reach, (1 - rng.random()) * reach[-1])))
    return points[drawn]


def _nearest(points: Floats, centres: Floats) -> Ints:
    nearest: Ints = np.argmin(np.square(centres).sum(axis=1) - 2 * points @ centres.T, axis=1)
    return nearest
