"""Classifier of criminal and other matters."""

import json

import numpy as np
import pytest

from lexgear.pretraining.matters import CRIME, Matters, learn_matters

RNG = np.random.default_rng(0)
CENTRES = {CRIME: RNG.normal(size=8), "debt": RNG.normal(size=8), "family": RNG.normal(size=8)}
CLASSES = [name for name in CENTRES for _ in range(40)]
VECTORS = np.array([CENTRES[name] + 0.1 * RNG.normal(size=8) for name in CLASSES])


@pytest.fixture(scope="module")
def matters() -> Matters:
    return Matters(*learn_matters(VECTORS, CLASSES, penalty=1e-3), threshold=0.5)


def test_texts_are_told_apart_and_other_matters_are_named(matters: Matters) -> None:
    assert matters.names == (CRIME, "debt", "family")
    assert matters.other_matter(CENTRES[CRIME]) is None
    assert matters.other_matter(CENTRES["debt"]) == "debt"
    assert matters.other_matter(CENTRES["family"]) == "family"
    assert sum(matters.probabilities(CENTRES["debt"]).values()) == pytest.approx(1)


def test_the_threshold_decides_in_doubt(matters: Matters) -> None:
    between = (CENTRES[CRIME] + CENTRES["debt"]) / 2
    share = matters.probabilities(between)[CRIME]
    for threshold, found in ((share - 0.01, None), (share + 0.01, "debt")):
        lenient = Matters(matters.names, matters.weights, matters.bias, threshold)
        assert lenient.other_matter(between) == found


def test_json_keeps_the_decisions(matters: Matters) -> None:
    again = Matters.from_row(json.loads(json.dumps(matters.to_row())))
    assert [again.other_matter(vector) for vector in VECTORS] == [matters.other_matter(vector) for vector in VECTORS]


def test_texts_with_more_weight_pull_the_border() -> None:
    middle = np.zeros(8)
    plain, heavy = (
        Matters(*learn_matters(VECTORS, CLASSES, 1e-3, weights), threshold=0.5).probabilities(middle)[CRIME]
        for weights in (None, np.where(np.array(CLASSES) == CRIME, 20.0, 1.0))
    )
    assert heavy > plain
