"""Evidence by a generator: the probability of a law node given each sentence alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lexgear.rankers.generative.generator_parts import GeneratorParts
from lexgear.rankers.lexgear.evidence import Evidence
from lexgear.rationale.records import Part
from lexgear.search.scorer import LogP
from lexgear.training.examples import paths_to


def sentence_evidence(parts: GeneratorParts, sentences: Sequence[Part]) -> Evidence:
    """Return which sentences support which node, by the generator's probabilities given each sentence alone."""
    generator, ids = parts.generator, parts.ids
    read = generator.read_only(*parts.encode([part.text for part in sentences] or [""]))

    def nearness(nodes: Sequence[int]) -> LogP:
        paths = np.tile(paths_to(ids, nodes), (len(sentences), 1))
        owners = np.repeat(np.arange(len(sentences)), len(nodes))
        steps = generator.step_log_probs(read, owners, paths, ids.trie).detach().double().cpu().numpy()
        return np.asarray(np.exp(steps.sum(1)).reshape(len(sentences), len(nodes)))

    return Evidence(ids, sentences, nearness)
