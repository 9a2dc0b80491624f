"""Calibration of a base model: the map from shares to probabilities, fitted on held-out cases, whole and shortened."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from lexgear.model.device import best_device
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.pretraining.base import Base
from lexgear.pretraining.data.partial_facts import partial_facts
from lexgear.pretraining.data.prepared import Prepared
from lexgear.progress import Progress, silent
from lexgear.rankers.lexgear.weights import LabelledText, learn_walk

AT_ONCE = 20
GENERATOR_ALONE = MappingProxyType({"generator": 1.0, "law_words": 0.0})
"""The weights of a walk where no cases are known whose words could be looked at."""
_WALK = ("generator", "law_words", "slope", "offset")


def learnt_walk(base: Base, prepared: Prepared, progress: Progress = silent) -> dict[str, float]:
    """The weights that a base judges by, as `base.json` keeps them."""
    cases = np.arange(prepared.learnt, len(prepared.facts))
    nodes, chance = base.ids.nodes_of("charge"), np.random.default_rng(0)
    if not len(nodes) or not len(cases):
        return {**GENERATOR_ALONE}
    generator, trie = base.generator.to(best_device()), base.ids.trie
    texts: list[LabelledText] = []
    for start in range(0, len(cases), AT_ONCE):
        some = cases[start : start + AT_ONCE]
        whole = prepared.facts.windows(some)
        in_part = partial_facts(whole, base.longest, chance)
        readings = ((prepared.facts.windows(some, base.longest), whole), (in_part, in_part))
        for (numbers, mask), (every, counts) in readings:
            shares = WholeTree(generator, trie, generator.read_only(numbers, mask)).log_p.double().cpu().numpy()
            for place, case in enumerate(some.tolist()):
                near = base.charge_words.nearness(base.ids, every[place][counts[place]])
                texts.append(LabelledText(shares[place], near, np.isin(nodes, prepared.charges.row(case))))
        progress(start + len(some), len(cases), "weighing")
    walk = learn_walk(trie, nodes, texts).to_row()
    return {name: walk[name] for name in _WALK}
