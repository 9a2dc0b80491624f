"""The judgment of `gear`: the law nodes that its beams generate."""

from collections.abc import Sequence

import numpy as np
import pytest

from lexgear.docids.trie import Trie
from lexgear.rankers.generative.gear_predictor import law_of_beams
from lexgear.search.beam import beam_search
from lexgear.search.scorer import LogP

COMMON, RARE = 0, 1
DOCUMENTS = [COMMON] * 10 + [RARE] * 2
TRIE = Trie.build(
    np.array([[charge, 2 + number] for number, charge in enumerate(DOCUMENTS)]), np.arange(len(DOCUMENTS))
)


class Walk:
    """A walk that gives the common charge .6 of the `total`, the rare one .4, and all documents of a charge alike."""

    def __init__(self, total: float) -> None:
        self.total = total

    def expand(self, nodes: Sequence[int]) -> list[LogP]:
        steps = {0: np.array([0.6, 0.4]) * self.total, 1: np.full(10, 0.1), 2: np.full(2, 0.5)}
        return [np.log(steps[node]) for node in nodes]


@pytest.mark.parametrize("total", [1.0, 0.3])  # a softmax over the vocabulary loses mass on other symbols
def test_a_charge_with_many_documents_keeps_its_probability(total: float) -> None:
    beams = beam_search(TRIE, Walk(total), beams=2, k=2)
    assert {TRIE.parent[leaf] for leaf, _ in beams.hits} == {2}
    log_p = law_of_beams(TRIE, beams)
    assert np.exp(log_p[:3]) == pytest.approx([1.0, 0.6, 0.4])
    assert np.isnan(log_p[3:]).all()


def test_a_charge_that_no_beam_reaches_is_not_named() -> None:
    log_p = law_of_beams(TRIE, beam_search(TRIE, Walk(1.0), beams=1, k=1))
    assert log_p[:3].tolist() == [0.0, 0.0, -np.inf]
