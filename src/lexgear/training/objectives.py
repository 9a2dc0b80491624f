"""What `gear` and `lexgear` learn from a batch, as losses over the same generator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.docids.ids import DocIds
from lexgear.model.generator import Generator, Read
from lexgear.model.walk import ModelWalk
from lexgear.search.beam import beam_search
from lexgear.training.examples import Examples, paths_to, sampled, steps_to
from lexgear.training.losses import LossSettings, label_term, revision_loss, sequence_nll
from lexgear.training.rewards import best_match

MOST_IDS = 6
"""IDs of an example that one batch scores; the others wait for another epoch."""


@dataclass
class GearObjective:
    """L = L_i + L_r + λ_l·L_c, as the paper has it; a batch is one of documents, with some queries beside it."""

    generator: Generator
    ids: DocIds
    documents: Examples
    queries: Examples
    settings: LossSettings
    queries_a_batch: int = 8
    beams: int = 10
    """Beams a query that L_c revises; 0 leaves L_c out."""
    children: bool = True
    """Softmax over a node's children; over the whole vocabulary otherwise, as in the paper."""

    def losses(self, batch: NDArray[np.int64], chance: np.random.Generator) -> Mapping[str, Tensor]:
        """L_i of the batch, L_r and λ_l·L_c of as many queries as asked for."""
        found = {"L_i": self._nll(self.documents.rows(batch), chance)}
        if len(self.queries):
            chosen = chance.choice(len(self.queries), min(self.queries_a_batch, len(self.queries)), replace=False)
            queries = self.queries.rows(chosen)
            read = self.generator.read(queries.numbers, queries.mask)
            found["L_r"] = self._nll(queries, chance, read)
            if self.beams and self.settings.lambda_l:
                found["L_c"] = self.settings.lambda_l * self._revision(queries, read)
        return found

    def _nll(self, examples: Examples, chance: np.random.Generator, read: Read | None = None) -> Tensor:
        leaves, owners = sampled(examples.leaves, MOST_IDS, chance)
        paths = paths_to(self.ids, leaves.tolist())
        read = read or self.generator.read(examples.numbers, examples.mask)
        steps = self.generator.step_log_probs(read, owners, paths, self.ids.trie, children=self.children)
        return sequence_nll(steps, torch.from_numpy(paths >= 0).to(steps.device))

    def _revision(self, queries: Examples, read: Read) -> Tensor:
        """The beams the model would return now, rewarded by how near they come to a relevant ID."""
        owners, leaves = [], []
        for place in range(len(queries)):
            walk = ModelWalk(self.generator, self.ids.trie, read, place, children=self.children)
            hits = beam_search(self.ids.trie, walk, self.beams, self.beams).hits
            owners += [place] * len(hits)
            leaves += [leaf for leaf, _ in hits]
        paths = paths_to(self.ids, leaves)
        steps = self.generator.step_log_probs(read, np.array(owners), paths, self.ids.trie, children=self.children)
        shape = (len(queries), self.beams, paths.shape[1])
        log_probs, rewards = steps.new_zeros(shape), steps.new_zeros(shape)
        mask = torch.zeros(shape, dtype=torch.bool, device=steps.device)
        options = {"mu": self.settings.mu, "gamma_h": self.settings.gamma_h}
        places = np.arange(len(owners)) - np.searchsorted(owners, owners)
        for row, (owner, beam, leaf) in enumerate(zip(owners, places.tolist(), leaves, strict=True)):
            golds = [steps_to(self.ids, gold) for gold in queries.leaves[owner].tolist()[:30]]
            match = best_match(steps_to(self.ids, leaf), golds, **options, distance=self.settings.distance)
            length = len(match.rewards)
            rewards[owner, beam, :length] = torch.from_numpy(match.rewards).to(rewards)
            log_probs[owner, beam] = steps[row]
            mask[owner, beam, :length] = True
        revised = revision_loss(log_probs, rewards, mask, gamma_r=self.settings.gamma_r, form=self.settings.form)
        gold = [leaves_of[:MOST_IDS] for leaves_of in queries.leaves]
        gold_owners = np.repeat(np.arange(len(gold)), [len(row) for row in gold])
        gold_paths = paths_to(self.ids, np.concatenate(gold).tolist())
        right = self.generator.step_log_probs(read, gold_owners, gold_paths, self.ids.trie, children=self.children)
        taken = torch.from_numpy(gold_paths >= 0).to(steps.device)
        return revised + label_term(right[None], taken[None], self.settings.lambda_w) / len(queries)


@dataclass
class LexgearObjective:
    """Name the charges of a text, and put it near the documents it belongs to."""

    generator: Generator
    ids: DocIds
    texts: Examples
    """Query-side texts with the leaves of the documents they lead to."""
    partners: Examples
    """Document-side texts, one for each document."""
    temperature: float = 0.05

    def losses(self, batch: NDArray[np.int64], chance: np.random.Generator) -> Mapping[str, Tensor]:
        """−log P of the charges' law nodes, and a contrastive loss against the other documents of the batch."""
        texts = self.texts.rows(batch)
        read = self.generator.read(texts.numbers, texts.mask)
        leaves, owners = sampled(texts.leaves, MOST_IDS, chance)
        nodes = self.ids.trie.parent[leaves]
        paths = paths_to(self.ids, nodes.tolist())
        steps = self.generator.step_log_probs(read, owners, paths, self.ids.trie)
        law = sequence_nll(steps, torch.from_numpy(paths >= 0).to(steps.device))
        partner = np.array([self.ids.trie.document[chance.choice(row)] for row in texts.leaves])
        others = self.partners.rows(partner)
        near = self.generator.vectors(self.generator.read(others.numbers, others.mask))
        likeness = self.generator.vectors(read).float() @ near.float().T / self.temperature
        same = torch.from_numpy(partner[:, None] == partner[None, :]).to(likeness.device)
        alone = same.float() / same.sum(1, keepdim=True)
        return {"law": law, "content": -(functional.log_softmax(likeness, dim=-1) * alone).sum(1).mean()}
