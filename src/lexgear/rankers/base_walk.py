"""How a base model's shares become probabilities: learnt on the cases kept out of it, whole and told in part."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lexgear.model.device import best_device
from lexgear.model.whole_tree import WholeTree
from lexgear.pretraining.base import Base
from lexgear.pretraining.prepared import Prepared
from lexgear.pretraining.telling import told_in_part
from lexgear.progress import Progress, silent
from lexgear.rankers.mixture import calibrated
from lexgear.search.scorer import LogP

AT_ONCE = 20
GENERATOR_ALONE = MappingProxyType({"generator": 1.0, "law_words": 0.0})
"""The weights of a walk where no cases are known whose words could be looked at."""


def learnt_walk(base: Base, prepared: Prepared, progress: Progress = silent) -> dict[str, float]:
    """The weights that a base judges by, as `base.json` keeps them."""
    cases = np.arange(prepared.learnt, len(prepared.facts))
    nodes, chance = base.ids.nodes_of("charge"), np.random.default_rng(0)
    if not len(nodes) or not len(cases):
        return {**GENERATOR_ALONE}
    generator = base.generator.to(best_device())
    shares: list[LogP] = []
    applies: list[NDArray[np.bool_]] = []
    for start in range(0, len(cases), AT_ONCE):
        some = cases[start : start + AT_ONCE]
        in_part = told_in_part(prepared.facts.windows(some), base.longest, chance)
        for numbers, mask in (prepared.facts.windows(some, base.longest), in_part):
            tree = WholeTree(generator, base.ids.trie, generator.read_only(numbers, mask))
            shares.append(tree.log_p[:, nodes.tolist()].cpu().numpy())
            applies += [np.isin(nodes, prepared.charges.row(case)) for case in some.tolist()]
        progress(start + len(some), len(cases), "weighing")
    _, slope, offset = calibrated(np.concatenate(shares).ravel(), np.concatenate(applies))
    return {**GENERATOR_ALONE, "slope": slope, "offset": offset}
