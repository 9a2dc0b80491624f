"""Training objective of `gear`, the paper's L = L_i + L_r + λ_l·L_c."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.model.generator.generator import EncodedTexts
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.search.beam import search_beams
from lexgear.search.scorer import run_together
from lexgear.training.examples import Examples, paths_to, steps_to
from lexgear.training.losses import LossSettings, label_term, revision_loss
from lexgear.training.objectives.tree import MAX_IDS, TreeObjective
from lexgear.training.rewards import best_match

MAX_GOLDS = 30
"""Relevant IDs that a beam is compared with at most."""


@dataclass
class GearObjective(TreeObjective):
    """L = L_i + L_r + λ_l·L_c over a batch of documents and some queries."""

    documents: Examples
    queries: Examples
    settings: LossSettings
    queries_per_batch: int = 8
    beams: int = 10
    """Beams per query that L_c revises; 0 disables L_c."""
    revised_per_batch: int = 2
    """Queries per batch that L_c revises: a beam search costs as much as several training steps."""
    children: bool = True
    """Softmax over a node's children; otherwise over the whole vocabulary, as in the paper."""

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return L_i of the batch, and L_r and λ_l·L_c of the sampled queries."""
        documents = self.documents.rows(batch)
        found = {"L_i": self._ids_nll(documents, self._read(documents), rng, children=self.children)}
        if len(self.queries):
            chosen = rng.choice(len(self.queries), min(self.queries_per_batch, len(self.queries)), replace=False)
            queries = self.queries.rows(chosen)
            read = self._read(queries)
            found["L_r"] = self._ids_nll(queries, read, rng, children=self.children)
            # The beams of a diverged model are meaningless; the loop reports the divergence.
            if self.beams and self.settings.lambda_l and torch.isfinite(found["L_r"]):
                revised = Examples(queries.numbers, queries.mask, queries.leaves[: self.revised_per_batch])
                found["L_c"] = self.settings.lambda_l * self._revision(revised, read)
        return found

    def _revision(self, queries: Examples, read: EncodedTexts) -> Tensor:
        """Return L_c: the current beams of the model, rewarded by their similarity to relevant IDs."""
        whole = WholeTree(self.generator, self.ids.trie, read.part(slice(len(queries))), children=self.children)
        found = run_together([search_beams(self.ids.trie, self.beams, self.beams) for _ in range(len(queries))], whole)
        owners = [place for place, result in enumerate(found) for _ in result.hits]
        leaves = [leaf for result in found for leaf, _ in result.hits]
        paths = paths_to(self.ids, leaves)
        steps = self.generator.step_log_probs(read, np.array(owners), paths, self.ids.trie, children=self.children)
        shape = (len(queries), self.beams, paths.shape[1])
        places = np.arange(len(owners)) - np.searchsorted(owners, owners)
        rewards, taken = np.zeros(shape), np.zeros(shape, dtype=np.bool_)
        golds = [[steps_to(self.ids, gold) for gold in row.tolist()[:MAX_GOLDS]] for row in queries.leaves]
        options = {"mu": self.settings.mu, "gamma_h": self.settings.gamma_h}
        for owner, place, leaf in zip(owners, places.tolist(), leaves, strict=True):
            path = steps_to(self.ids, leaf)
            match = best_match(path, golds[owner], **options, distance=self.settings.distance)
            rewards[owner, place, : len(path)] = match.rewards
            taken[owner, place, : len(path)] = True
        at = tuple(torch.from_numpy(np.asarray(part)).to(steps.device) for part in (owners, places))
        log_probs = steps.new_zeros(shape).index_put(at, steps)
        rewarded, mask = torch.from_numpy(rewards).to(steps), torch.from_numpy(taken).to(steps.device)
        revised = revision_loss(log_probs, rewarded, mask, gamma_r=self.settings.gamma_r, form=self.settings.form)
        gold = [leaves_of[:MAX_IDS] for leaves_of in queries.leaves]
        gold_owners = np.repeat(np.arange(len(gold)), [len(row) for row in gold])
        gold_paths = paths_to(self.ids, np.concatenate(gold).tolist())
        right = self.generator.step_log_probs(read, gold_owners, gold_paths, self.ids.trie, children=self.children)
        known = torch.from_numpy(gold_paths >= 0).to(steps.device)
        return revised + label_term(right[None], known[None], self.settings.lambda_w) / len(queries)
