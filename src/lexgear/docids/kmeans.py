"""Hierarchical k-means IDs, as DSI makes them: what law IDs are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.ids import DocIds
from lexgear.docids.trie import Trie
from lexgear.errors import InputError

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
ROUNDS = 30
"""At most so many rounds of Lloyd's algorithm a cluster: later ones move next to nothing."""


def kmeans_ids(
    vectors: NDArray[np.floating[Any]],
    *,
    branching: int = 10,
    leaf_size: int = 10,
    seed: int = 0,
    ids: Sequence[str] = (),
) -> DocIds:
    """Splits the documents into clusters until each holds at most `leaf_size`, then numbers those inside.

    As in DSI the symbols are digits, the same at every level and for the numbers inside: 0-3-7-4 is document 4 of
    cluster 7 of cluster 3. `ids` are the documents' names, their positions where none are given.

    >>> ids = kmeans_ids(np.array([[0.0], [9.0], [0.1]]), branching=2, leaf_size=2)
    >>> [ids.document_paths(position) for position in range(3)]
    [[(0, 0)], [(1, 0)], [(0, 1)]]
    """
    if branching < 2 or leaf_size < 1:
        raise InputError("k-means IDs need a branching of 2 and a leaf size of 1 at least")
    points = np.asarray(vectors, dtype=np.float32)
    if points.ndim != 2 or not np.isfinite(points).all():
        raise InputError("k-means IDs need one vector a document, without NaN or infinity")
    if ids and len(ids) != len(points):
        raise InputError(f"{len(ids)} document ids for {len(points)} vectors")
    digits = max(branching, leaf_size)
    return DocIds(
        trie=Trie.build(_paths(points, branching, leaf_size, np.random.default_rng(seed)), np.arange(len(points))),
        names=(*map(str, range(digits)), *(ids or map(str, range(len(points))))),
        law_symbols=digits,
        kinds=("cluster",) * digits,
    )


def _paths(points: Floats, branching: int, leaf_size: int, rng: np.random.Generator) -> Ints:
    """The digits of every document, a column a level."""
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
    """The cluster of each point, numbered without gaps; points all alike are dealt out evenly."""
    used, clusters = np.unique(kmeans(points, branching, rng), return_inverse=True)
    return clusters if len(used) > 1 else np.arange(len(points)) * branching // len(points)


def kmeans(points: Floats, clusters: int, rng: np.random.Generator) -> Ints:
    """The nearest centre of each point after Lloyd's algorithm, started by k-means++."""
    centres = _spread(points, clusters, rng)
    nearest = _nearest(points, centres)
    for _ in range(ROUNDS):
        for number in np.unique(nearest):
            centres[number] = points[nearest == number].mean(axis=0)
        before, nearest = nearest, _nearest(points, centres)
        if np.array_equal(before, nearest):
            break
    return nearest


def _spread(points: Floats, clusters: int, rng: np.random.Generator) -> Floats:
    """k-means++: each new centre is a point drawn by its squared distance from those drawn before."""
    drawn = [int(rng.integers(len(points)))]
    distance = np.full(len(points), np.inf)
    while len(drawn) < clusters:
        distance = np.minimum(distance, np.square(points - points[drawn[-1]]).sum(axis=1))
        reach = np.cumsum(distance)
        if reach[-1] == 0:
            break
        # A draw in (0, 1] never lands on a point that is a centre already: its step of the sum is 0.
        drawn.append(int(np.searchsorted(reach, (1 - rng.random()) * reach[-1])))
    return points[drawn]


def _nearest(points: Floats, centres: Floats) -> Ints:
    nearest: Ints = np.argmin(np.square(centres).sum(axis=1) - 2 * points @ centres.T, axis=1)
    return nearest
