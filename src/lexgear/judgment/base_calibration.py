"""Calibration of a base model: the map from shares to probabilities, fitted on held-out cases, whole and shortened."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from lexgear.lexical.words import segmenter
from lexgear.model.device import best_device
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.pretraining.base import Base
from lexgear.pretraining.data.partial_facts import partial_facts
from lexgear.pretraining.data.prepared import Prepared
from lexgear.progress import Progress, silent
from lexgear.rankers.lexgear.weighting.labelled_texts import LabelledText
from lexgear.rankers.lexgear.weighting.walk_grid import learn_walk
from lexgear.rankers.lexgear.weighting.weights import Weights

BATCH_SIZE = 20
GENERATOR_ALONE = MappingProxyType({"generator": 1.0, "law_words": 0.0})
"""Weights of a walk without case words."""
_WALK_WEIGHTS = ("generator", "law_words", "matters", "slope", "offset", "odds")


def learn_base_walk(base: Base, prepared: Prepared, progress: Progress = silent) -> dict[str, float]:
    """Return the weights of a base model's walk and its calibration, as stored in `base.json`."""
    cases = np.arange(prepared.learnt, len(prepared.facts))
    nodes, rng = base.ids.nodes_of("charge"), np.random.default_rng(0)
    if not len(nodes) or not len(cases):
        return {**GENERATOR_ALONE}
    generator, trie = base.generator.to(best_device()), base.ids.trie
    segment = segmenter("zh")  # only the Chinese law has charges
    texts: list[LabelledText] = []
    for start in range(0, len(cases), BATCH_SIZE):
        batch = cases[start : start + BATCH_SIZE]
        whole, room = prepared.facts.windows(batch), prepared.room(base.longest)
        part = partial_facts(whole, room, rng)
        for beginning, (all_numbers, all_mask) in ((prepared.facts.windows(batch, room), whole), (part, part)):
            read = generator.read_only(*prepared.framed(beginning))
            shares = WholeTree(generator, trie, read).log_p.double().cpu().numpy()
            for row, case in enumerate(batch.tolist()):
                text = base.tokens.decode(all_numbers[row][all_mask[row]].tolist())
                near = base.charge_words.nearness(base.ids, base.charge_words.numbers(segment(text)))
                texts.append(LabelledText(shares[row], near, np.isin(nodes, prepared.charges.row(case))))
        progress(start + len(batch), len(cases), "learning the weights")
    return walk_row(learn_walk(trie, nodes, texts))


def walk_row(weights: Weights) -> dict[str, float]:
    """Return the weights of a walk and its calibration, as stored in `base.json`."""
    row = weights.to_row()
    return {name: row[name] for name in _WALK_WEIGHTS}
