"""Training objective of `gear`, the paper's L = L_i + L_r + λ_l·L_c."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.model.generator.generator import EncodedTexts
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.search.beam import search_beams
from lexgear.search.scorer import Result, run_together
from lexgear.training.examples import Examples, Ints, paths_to, sample_leaves, steps_to
from lexgear.training.losses import LossSettings, label_term, revision_loss
from lexgear.training.objectives.tree import MAX_IDS, TreeObjective
from lexgear.training.rewards import Floats, best_match

MAX_GOLDS = 30
"""Relevant IDs that a beam is compared with at most, unless L_c is the printed one."""


@dataclass
class GearObjective(TreeObjective):
    """L = L_i + L_r + λ_l·L_c over a batch of documents and some queries.

    In the form `paper` every loss is the printed sum: over all IDs of the documents, over all pairs of a query and a
    relevant ID, and over all queries of the batch. Otherwise they are means, some IDs are sampled per text, and L_c
    revises few queries.
    """

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
        found = {"L_i": self._generation_loss(documents, self._read(documents), rng)}
        if len(self.queries):
            chosen = rng.choice(len(self.queries), min(self.queries_per_batch, len(self.queries)), replace=False)
            queries = self.queries.rows(chosen)
            read = self._read(queries)
            found["L_r"] = self._generation_loss(queries, read, rng)
            # The beams of a diverged model are meaningless; the loop reports the divergence.
            if self.beams and self.settings.lambda_l and torch.isfinite(found["L_r"]):
                revised = queries if self._printed else queries.first(self.revised_per_batch)
                found["L_c"] = self.settings.lambda_l * self._revision(revised, read, rng)
        return found

    def __post_init__(self) -> None:
        self._rewards = lru_cache(maxsize=200_000)(self._compute_rewards)
        """Rewards of a leaf for a query's relevant leaves: beams come back from epoch to epoch."""

    def __reduce__(self) -> tuple[type[GearObjective], tuple[Any, ...]]:
        return type(self), tuple(getattr(self, one.name) for one in fields(self) if one.init)

    def _compute_rewards(self, leaf: int, golds: tuple[int, ...]) -> Floats:
        settings, paths = self.settings, [steps_to(self.ids, gold) for gold in golds]
        return best_match(
            steps_to(self.ids, leaf), paths, mu=settings.mu, gamma_h=settings.gamma_h, distance=settings.distance
        ).rewards

    @property
    def _printed(self) -> bool:
        return self.settings.form == "paper"

    def _generation_loss(self, examples: Examples, read: EncodedTexts, rng: np.random.Generator) -> Tensor:
        """Return −log P of the IDs of the examples: the sum over all of them, or the mean over a sample."""
        if not self._printed:
            return self._ids_nll(examples, read, rng, children=self.children)
        paths = paths_to(self.ids, np.concatenate(examples.leaves).tolist())
        return self._nll(read, _owners(examples.leaves), paths, children=self.children, mean=False)

    def _revision(self, queries: Examples, read: EncodedTexts, rng: np.random.Generator) -> Tensor:
        """Return L_c: the current beams of the model, rewarded by their similarity to relevant IDs."""
        found = self._beams(queries)
        owners = [place for place, result in enumerate(found) for _ in result.hits]
        leaves = [leaf for result in found for leaf, _ in result.hits]
        paths = paths_to(self.ids, leaves)
        steps = self.generator.step_log_probs(read, np.array(owners), paths, self.ids.trie, children=self.children)
        shape = (len(queries), self.beams, paths.shape[1])
        places = np.arange(len(owners)) - np.searchsorted(owners, owners)
        rewards, taken = np.zeros(shape), np.zeros(shape, dtype=np.bool_)
        most = None if self._printed else MAX_GOLDS
        golds = [tuple(row.tolist()[:most]) for row in queries.leaves]
        for owner, place, leaf in zip(owners, places.tolist(), leaves, strict=True):
            earned = self._rewards(leaf, golds[owner])
            rewards[owner, place, : len(earned)] = earned
            taken[owner, place, : len(earned)] = True
        at = tuple(torch.from_numpy(np.asarray(part)).to(steps.device) for part in (owners, places))
        log_probs = steps.new_zeros(shape).index_put(at, steps)
        rewarded, mask = torch.from_numpy(rewards).to(steps), torch.from_numpy(taken).to(steps.device)
        revised = revision_loss(log_probs, rewarded, mask, gamma_r=self.settings.gamma_r, form=self.settings.form)
        mean = revised + self._label_term(queries, read, rng) / len(queries)
        return mean * len(queries) if self._printed else mean

    def _beams(self, queries: Examples) -> list[Result]:
        """Return the beams of each query, searched without dropout, as a search for documents is."""
        trie, generator = self.ids.trie, self.generator
        was_training = generator.training
        generator.eval()
        with torch.no_grad():
            read = generator.read(queries.numbers, queries.mask)
            whole = WholeTree(generator, trie, read, children=self.children)
        generator.train(was_training)
        return run_together([search_beams(trie, self.beams, self.beams) for _ in range(len(queries))], whole)

    def _label_term(self, queries: Examples, read: EncodedTexts, rng: np.random.Generator) -> Tensor:
        """Return the λ_w term, summed over the relevant IDs of the queries: all of them, or a sample."""
        if self._printed:
            leaves, owners = np.concatenate(queries.leaves), _owners(queries.leaves)
        else:
            leaves, owners = sample_leaves(queries.leaves, MAX_IDS, rng)
        paths = paths_to(self.ids, leaves.tolist())
        steps = self.generator.step_log_probs(read, owners, paths, self.ids.trie, children=self.children)
        known = torch.from_numpy(paths >= 0).to(steps.device)
        return label_term(steps[None], known[None], self.settings.lambda_w)


def _owners(leaves: Sequence[Ints]) -> Ints:
    """Return the number of the example that each leaf belongs to."""
    return np.repeat(np.arange(len(leaves)), [len(row) for row in leaves])
