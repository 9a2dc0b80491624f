"""Setup for comparing exact search with transformers' `generate` with 30 beams: same model, same tree, same log P."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bench.generators import Tree, lecard_sized_tree, make_both_models, some_texts
from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.model.generator.walk import ModelWalks
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.search.batched import best_documents_batched
from lexgear.search.exact import search_documents, search_ids
from lexgear.search.scorer import run_together

K = 30
"""Number of documents to find, and of beams."""
Hits = list[tuple[int, float]]


@dataclass(frozen=True, eq=False)
class Contest:
    """Both models and their texts; each search gets the encoder's states and starts at the decoder."""

    tree: Tree
    ours: Generator
    peer: Any
    texts: NDArray[np.int64]

    @classmethod
    def of(cls, texts: int, tree: Tree | None = None, **sizes: int) -> Contest:
        """Return a contest over this number of texts of 512 words; by default LeCaRD's tree and 60M parameters."""
        tree = tree or lecard_sized_tree()
        drawn = some_texts(tree, texts)
        return cls(tree, *make_both_models(tree, drawn, **sizes), drawn)

    def to(self, device: str, dtype: torch.dtype) -> Contest:
        """Return the contest with both models on another device and in another precision."""
        return Contest(self.tree, self.ours.to(device, dtype), self.peer.to(device, dtype), self.texts)

    @torch.inference_mode()
    def encoded(self, texts: slice) -> Tensor:
        """Return the states of our encoder for some texts."""
        tokens = self._tokens(texts)
        return _done(self.ours.backbone.encoder(self.ours.backbone.embed(tokens), tokens > 0))

    @torch.inference_mode()
    def encoded_by_peer(self, texts: slice) -> Tensor:
        """Return the states of transformers' encoder for some texts."""
        return _done(self.peer.encoder(input_ids=self._tokens(texts)).last_hidden_state)

    @torch.inference_mode()
    def exact(self, states: Tensor) -> list[Hits]:
        """Return the 30 best documents of each text: node by node on a CPU, the whole tree in one pass on a GPU."""
        trie, read = self.tree.trie, self.read(states)
        if states.is_cuda:
            return best_documents_batched(trie, WholeTree(self.ours, trie, read).log_p, K)
        searches = [search_documents(trie, K) for _ in states]
        return [result.hits for result in run_together(searches, ModelWalks(self.ours, trie, read))]

    @torch.inference_mode()
    def generate(self, states: Tensor, **more: Any) -> Any:
        """Return the 30 IDs of transformers' beam search; `renormalize_logits` gives a softmax over the children."""
        from transformers.modeling_outputs import BaseModelOutput

        encoded: dict[str, Any] = {"last_hidden_state": states}
        return self.peer.generate(
            encoder_outputs=BaseModelOutput(**encoded),
            attention_mask=torch.ones(states.shape[:2], dtype=torch.int64, device=states.device),
            num_beams=K,
            num_return_sequences=K,
            max_new_tokens=int(self.tree.trie.depth.max()),
            prefix_allowed_tokens_fn=lambda _, tokens: self._allowed.get(tuple(tokens.tolist()), [0]),
            renormalize_logits=True,
            length_penalty=0.0,
            do_sample=False,
            return_dict_in_generate=True,
            **more,
        )

    def misses_a_better_document(self, generated: Any, exact: Hits) -> bool:
        """Return True if a document outside the list of one text is better, by log Σ P over its IDs, than one inside.

        The list is the documents of the 30 IDs; if nothing is missed, exact search ranks the same documents first.
        """
        listed = set((generated.sequences[:, -1] - 1 - self.tree.law_symbols).tolist())
        return listed != {document for document, _ in exact[: len(listed)]}

    def disagreement(self, states: Tensor) -> float:
        """Return the largest difference of log P over the IDs of one text that both sides found."""
        trie = self.tree.trie
        [result] = run_together([search_ids(trie, K)], ModelWalks(self.ours, trie, self.read(states)))
        ours = {trie.path(leaf): score for leaf, score in result.hits}
        found = self.generate(states, output_scores=True)
        theirs = zip((found.sequences[:, 1:] - 1).tolist(), found.sequences_scores.tolist(), strict=True)
        apart = [abs(ours[tuple(path)] - score) for path, score in theirs if tuple(path) in ours]
        return max(apart) if len(apart) > K / 2 else float("inf")

    def read(self, states: Tensor) -> EncodedTexts:
        """Return keys and values of every decoder layer: our search needs them, so they count as search."""
        mask = torch.ones(states.shape[:2], dtype=torch.bool, device=states.device)
        return EncodedTexts(
            states, mask, self.ours.backbone.decoder.memory(states, mask), torch.zeros_like(states[:, 0])
        )

    def _tokens(self, texts: slice) -> Tensor:
        return torch.from_numpy(self.texts[texts]).to(self.ours.device)

    @cached_property
    def _allowed(self) -> dict[tuple[int, ...], list[int]]:
        """The tokens that may follow each prefix: token 0 is the start, the others are symbols plus one."""
        trie = self.tree.trie
        prefixes: list[tuple[int, ...]] = [(0,)]
        for parent, symbol in zip(trie.parent[1:].tolist(), trie.symbol[1:].tolist(), strict=True):
            prefixes.append((*prefixes[parent], 1 + symbol))
        ranges = [trie.children(node) for node in range(trie.node_count)]
        followers = [(1 + trie.symbol[below.start : below.stop]).tolist() for below in ranges]
        return {prefix: tokens for prefix, tokens in zip(prefixes, followers, strict=True) if tokens}


def _done(states: Tensor) -> Tensor:
    if states.is_cuda:
        torch.cuda.synchronize()
    return states
