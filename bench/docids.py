"""Building the array trie against building a trie of Python dicts, both of the same 100,000 IDs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.side_by_side import Measured, time_ratio
from lexgear.docids.trie import Trie

IDS, CHARGES = 100_000, 480


def trie_against_dicts() -> Iterator[Measured]:
    """Build both from IDs of part, chapter, article, charge and document, with a random charge for each document."""
    charge = np.random.default_rng(7).integers(0, CHARGES, IDS)
    document = np.arange(IDS)
    levels = (charge // 240, 2 + charge // 48, 12 + charge // 2, 252 + charge, 252 + CHARGES + document)
    paths = np.stack(levels, axis=1)
    rows = paths.tolist()

    def build_dicts() -> dict[int, Any]:
        root: dict[int, Any] = {}
        for position, row in enumerate(rows):
            node = root
            for symbol in row[:-1]:
                node = node.setdefault(symbol, {})
            node[row[-1]] = position
        return root

    yield time_ratio(
        "trie_build_vs_dict_time",
        f"building the array trie against nested dicts, {IDS:,} IDs (below 1 wanted)",
        lambda: Trie.build(paths, document),
        build_dicts,
    )
