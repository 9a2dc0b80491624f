"""Training data of the fine-tuning as token numbers, for a machine that has no texts and no tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.trie import NAMES, Trie

Ints = NDArray[Any]
RAGGED = ("queries", "documents", "judged", "grades", "pools")
"""Fields of `AdaptationData` with one array per query or document."""


@dataclass(frozen=True)
class AdaptationData:
    """Training queries and documents as token numbers, with the graded documents of each query."""

    queries: Sequence[Ints]
    documents: Sequence[Ints]
    judged: Sequence[Ints]
    """Documents with a grade, by query."""
    grades: Sequence[Ints]
    """Their grades."""
    pools: Sequence[Ints] = ()
    """Candidates of each query; empty if the collection has no pools."""
    relevant_from: int = 1
    """Lowest grade of a relevant document."""
    trie: Trie | None = None
    """The law, if the generator names charges, which it must not forget."""

    def relevant(self, query: int) -> Ints:
        """Return the relevant documents of a query."""
        return self.judged[query][self.grades[query] >= self.relevant_from]

    def only(self, queries: Ints) -> AdaptationData:
        """Return the same documents with some of the queries."""
        picked = queries.tolist()
        return AdaptationData(
            [self.queries[at] for at in picked],
            self.documents,
            [self.judged[at] for at in picked],
            [self.grades[at] for at in picked],
            [self.pools[at] for at in picked] if self.pools else (),
            self.relevant_from,
            self.trie,
        )

    def save(self, path: Path) -> None:
        """Write plain arrays, for a machine that has no texts and no tokenizer."""
        arrays = {}
        for name in RAGGED:
            rows: Sequence[Ints] = getattr(self, name)
            arrays[name] = np.concatenate([np.empty(0, np.int32), *rows]).astype(np.int32)
            arrays[f"{name}_sizes"] = np.array([len(row) for row in rows], dtype=np.int32)
        if self.trie:
            arrays |= {f"trie_{name}": getattr(self.trie, name) for name in NAMES}
        np.savez(path, allow_pickle=False, relevant_from=np.array(self.relevant_from), **arrays)

    @classmethod
    def load(cls, path: Path) -> AdaptationData:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as stored:
            arrays = dict(stored)
        rows = {
            name: np.split(arrays[name].astype(np.int64), np.cumsum(arrays[f"{name}_sizes"])[:-1])
            if len(arrays[f"{name}_sizes"])
            else ()
            for name in RAGGED
        }
        trie = Trie(**{name: arrays[f"trie_{name}"] for name in NAMES}) if "trie_symbol" in arrays else None
        return cls(**rows, relevant_from=int(arrays["relevant_from"]), trie=trie)
