"""One T5 in transformers and in our implementation, with the same weights, over a tree of LeCaRD's size.

The weights are random; only the output vectors are fitted, so that the scores resemble those of a trained generator:

- Cross-attention is sharpened fourfold and its output doubled: otherwise all texts look alike, as means of words.
- Law nodes have a standard deviation of 1. Coordinate 0 of every input is 10, comes out of the layers as about 3, and
  with coordinate 0 of the outputs gives a prior: the logarithm of the number of IDs below a node.
- Every text has a charge, drawn in proportion to its cases, whose law path gains 5 at each step (ridge regression on
  the decoder's states): the charge gets a probability of .5 to .9, the rest goes mostly to frequent charges.
- Documents have a standard deviation of 2, so that a charge of 300 cases spreads over about 40 of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.corpus.records import Collection, Document
from lexgear.docids.law import law_ids
from lexgear.docids.trie import Trie
from lexgear.law.shipped import chinese_criminal_law
from lexgear.model.checkpoints import from_transformers
from lexgear.model.generator.generator import Generator

DOCUMENTS, IDS = 9_088, 12_000
SEVERAL = 1_898
"""Number of documents with more than one charge, as in LeCaRD."""
LAW_SPREAD, DOCUMENT_SPREAD, CHARGE_GAIN = 1.0, 2.0, 5.0


@dataclass(frozen=True, eq=False)
class Tree:
    """A trie whose symbols below `law_symbols` are law nodes."""

    trie: Trie
    law_symbols: int

    @property
    def symbols(self) -> int:
        """Number of law nodes and documents."""
        return int(self.trie.symbol.max()) + 1


def lecard_sized_tree(documents: int = DOCUMENTS, ids: int = IDS) -> Tree:
    """Return a tree of IDs of one length, as in the paper, under the charges of the built-in law.

    The share of the r-th charge is proportional to (r + 10)⁻²: LeCaRD's first charge has 1,144 cases, its eleventh
    257, its fortieth 68, its last 1.
    """
    chance = np.random.default_rng(7)
    law = chinese_criminal_law()
    charges = np.array([node.number for node in law.of_kind("charge")])
    chance.shuffle(charges)
    share = (np.arange(len(charges)) + 11.0) ** -2
    share /= share.sum()
    several = documents * SEVERAL // DOCUMENTS
    counts = np.where(np.arange(documents) < several, 2, 1)
    counts += np.bincount(chance.integers(0, several, ids - counts.sum()), minlength=documents)
    drawn = (chance.choice(charges, count, replace=False, p=share).tolist() for count in counts)
    records = tuple(Document(f"d{place}", {}, charges=tuple(names)) for place, names in enumerate(drawn))
    found = law_ids(Collection("bench", "zh", records, law=law), shape="fixed")
    return Tree(found.trie, found.law_symbols)


def some_texts(tree: Tree, count: int, length: int = 512) -> NDArray[np.int64]:
    """Return texts of random words, which share their tokens with the symbols of IDs."""
    return np.random.default_rng(11).integers(1, 1 + tree.symbols, (count, length))


def make_both_models(tree: Tree, texts: NDArray[np.int64], width: int = 512, layers: int = 8) -> tuple[Generator, Any]:
    """Return our generator and a `T5ForConditionalGeneration` whose tokens are a start token and the tree's symbols."""
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(7)
    shape: dict[str, Any] = {"d_model": width, "d_kv": 64, "d_ff": 2 * width, "num_layers": layers}
    shape |= {"num_heads": width // 64, "vocab_size": 1 + tree.symbols}
    # As in v1.1: the gated feed-forward, and states that are not scaled down before the logits.
    layout: dict[str, Any] = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
    tokens: dict[str, Any] = {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": None}
    peer: Any = T5ForConditionalGeneration(T5Config(**shape, **layout, **tokens))
    peer.eval().requires_grad_(False)
    for block in peer.decoder.block:
        block.layer[1].EncDecAttention.q.weight.mul_(4)
        block.layer[1].EncDecAttention.o.weight.mul_(2)
    peer.shared.weight[:, 0] = 10.0
    law = slice(1, 1 + tree.law_symbols)
    ours = Generator(from_transformers(peer), tree.law_symbols, tree.symbols - tree.law_symbols)
    ours.eval().requires_grad_(False)
    ours.start.copy_(peer.shared.weight[0])
    ours.law_in.weight.copy_(peer.shared.weight[law])
    ours.law_out.weight.mul_(LAW_SPREAD)[:, 0] = torch.from_numpy(_log_ids_below(tree)) / 3.0
    ours.law_out.weight.add_(_charge_signal(ours, tree, texts))
    ours.documents.weight.mul_(DOCUMENT_SPREAD)[:, 0] = 0.0
    outputs = torch.cat([torch.zeros(1, width), ours.law_out.weight, ours.documents.weight])
    peer.lm_head.weight = torch.nn.Parameter(outputs, requires_grad=False)
    return ours, peer


def _charge_signal(generator: Generator, tree: Tree, texts: NDArray[np.int64]) -> Tensor:
    """Return what to add to the outputs of law nodes: each text gains `CHARGE_GAIN` at every step to its charge."""
    trie = tree.trie
    leaves = np.random.default_rng(13).choice(np.flatnonzero(trie.leaf_mask), len(texts))
    paths = np.array([trie.ancestry(leaf)[:-1] for leaf in leaves])
    parents = np.concatenate([np.zeros((len(paths), 1), dtype=np.int64), paths[:, :-1]], axis=1)
    states = []
    for text, path in zip(texts, paths, strict=True):
        read = generator.read_only(text[None], np.ones((1, len(text)), dtype=bool))
        states.append(generator.walk_states(read, torch.zeros(1, dtype=torch.int64), path[None], trie)[0])
    at, more = torch.cat(states), torch.zeros_like(generator.law_out.weight)
    for node in np.unique(parents):
        here = np.flatnonzero(parents.ravel() == node)
        gram = at[here] @ at[here].T + torch.eye(len(here))
        right = torch.from_numpy(trie.symbol[paths.ravel()[here]].astype(np.int64))
        more.index_add_(0, right, CHARGE_GAIN * torch.linalg.solve(gram, at[here]))
    return more


def _log_ids_below(tree: Tree) -> NDArray[np.float32]:
    """Return the logarithm of the number of IDs below each law node, by symbol."""
    trie = tree.trie
    below = trie.leaf_mask.astype(np.int64)
    for node in range(trie.node_count - 1, 0, -1):
        below[trie.parent[node]] += below[node]
    law_nodes = np.flatnonzero(~trie.leaf_mask)[1:]
    found = np.zeros(tree.law_symbols, dtype=np.float32)
    found[trie.symbol[law_nodes]] = np.log(below[law_nodes])
    return found
