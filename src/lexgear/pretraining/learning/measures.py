"""Validation of a base model: accuracy of charges, and retrieval of facts by reasoning."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.data.token_streams import Stream

BATCH_SIZE = 50


@torch.inference_mode()
def validate(generator: Generator, prepared: Prepared, longest: int) -> dict[str, float]:
    """Return `first` (most probable charge right), `top3`, and `own` (own facts retrieved first) on held-out cases."""
    cases = np.arange(prepared.learnt, len(prepared.facts))
    if not len(cases):
        return {}
    found = charge_accuracy(generator, prepared, prepared.facts, prepared.charges, cases, longest)
    asking = cases[prepared.reasoning.lengths[cases] > 0]
    if len(asking):
        facts, reasoning = (
            torch.cat(
                [generator.vectors(read).float() for _, read in _reads(generator, prepared, stream, asking, longest)]
            )
            for stream in (prepared.facts, prepared.reasoning)
        )
        first = (reasoning @ facts.T).argmax(1).cpu().numpy()
        found["own"] = float(np.mean(first == np.arange(len(asking))))
    return found


@torch.inference_mode()
def charge_accuracy(
    generator: Generator, prepared: Prepared, texts: Stream, charges: Stream, rows: NDArray[np.int64], longest: int
) -> dict[str, float]:
    """Return the shares of texts with a right charge first and among the first three."""
    trie = prepared.ids.trie
    nodes = np.flatnonzero(trie.child_count == 0)
    ranked = [
        nodes[WholeTree(generator, trie, read).log_p[:, nodes].argsort(1, descending=True)[:, :3].cpu().numpy()]
        for _, read in _reads(generator, prepared, texts, rows, longest)
    ]
    right = [np.isin(best, charges.row(row)) for row, best in zip(rows, np.concatenate(ranked), strict=True)]
    return {"first": float(np.mean([hit[0] for hit in right])), "top3": float(np.mean([hit.any() for hit in right]))}


def _reads(
    generator: Generator, prepared: Prepared, texts: Stream, rows: NDArray[np.int64], longest: int
) -> Iterator[tuple[NDArray[np.int64], EncodedTexts]]:
    for start in range(0, len(rows), BATCH_SIZE):
        some = rows[start : start + BATCH_SIZE]
        yield some, generator.read(*prepared.framed(texts.windows(some, prepared.room(longest))))
