"""Batched document search on a GPU, given the scores of the whole tree."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.docids.trie import Trie
from lexgear.search.scorer import ROUNDING, Ints, ranked


@torch.inference_mode()
def best_documents_batched(
    trie: Trie,
    log_p: Tensor,
    k: int,
    tie_order: Ints | None = None,
    allowed: NDArray[np.bool_] | None = None,
) -> list[list[tuple[int, float]]]:
    """Return for each row of `log_p` (texts, nodes) the k documents with the highest Σ P(ID), best first.

    The result is that of `best_documents` for each text; `allowed` is (texts, documents).
    """
    leaves = np.flatnonzero(trie.leaf_mask)
    owners = torch.from_numpy(trie.document[leaves].astype(np.int64)).to(log_p.device)
    count = int(trie.document.max(initial=-1)) + 1
    at_leaves = log_p[:, torch.from_numpy(leaves).to(log_p.device)]
    spread = owners.expand_as(at_leaves)
    best = at_leaves.new_full((len(log_p), count), -torch.inf).scatter_reduce(1, spread, at_leaves, "amax")
    sums = torch.zeros_like(best).scatter_add(1, spread, (at_leaves - best[:, owners]).exp())
    scores = best + sums.log()
    if allowed is not None:
        scores = scores.masked_fill(~torch.from_numpy(allowed).to(scores.device), -torch.inf)
    # Scores that round to the k-th are included: ranking uses rounded scores and breaks ties by order.
    floor = scores.topk(min(k, count)).values[:, -1:] - ROUNDING
    texts, documents = torch.nonzero((scores >= floor) & (scores > -torch.inf), as_tuple=True)
    found, owner = documents.cpu().numpy(), texts.cpu().numpy()
    values = scores[texts, documents].cpu().numpy()
    ties = np.arange(count) if tie_order is None else tie_order
    bounds = np.searchsorted(owner, np.arange(len(log_p) + 1))
    return [
        ranked(found[start:end], values[start:end], ties[found[start:end]], k)
        for start, end in pairwise(bounds.tolist())
    ]
