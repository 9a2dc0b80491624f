"""Centroids of a base model compared with plain dictionaries."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.pretraining.charge_words import ChargeWords
from lexgear.pretraining.data.prepare import Sources, prepare
from lexgear.pretraining.data.prepared import Prepared
from tiny_base import SETTINGS, judgments


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    where = tmp_path_factory.mktemp("prepared")
    save_collection(judgments(), where / "sample", SkippedRecords())
    prepare(Sources([where / "sample"]), SETTINGS, where / "out")
    return Prepared.load(where / "out")


def by_hand(prepared: Prepared, text: list[int]) -> dict[str, float]:
    """Return the cosine of a text with each charge that has cases."""
    cases = [Counter(prepared.facts.row(case).tolist()) for case in range(prepared.learnt)]
    rarity = {token: math.log((len(cases) + 1) / (sum(token in case for case in cases) + 1)) for token in {*text}}
    for token in {token for case in cases for token in case} - {*rarity}:
        rarity[token] = math.log((len(cases) + 1) / (sum(token in case for case in cases) + 1))

    def unit(counts: Counter[int]) -> dict[int, float]:
        vector = {token: (1 + math.log(times)) * rarity[token] for token, times in counts.items()}
        length = math.sqrt(sum(value**2 for value in vector.values()))
        return {token: value / length for token, value in vector.items()}

    asked, near = unit(Counter(text)), {}
    units = [unit(case) for case in cases]
    for node in {int(node) for case in range(prepared.learnt) for node in prepared.charges.row(case)}:
        total: Counter[int] = Counter()
        count = 0.0
        for case, vector in enumerate(units):
            charges = prepared.charges.row(case).tolist()
            if node in charges:
                count += 1 / len(charges)
                for token, value in vector.items():
                    total[token] += value / len(charges)  # type: ignore[assignment]
        length = math.sqrt(sum(value**2 for value in total.values()))
        dot = sum(value * total.get(token, 0) for token, value in asked.items())
        near[prepared.ids.node_name(node)] = dot / length * math.sqrt(count / (count + 1))
    return near


def test_a_text_comes_as_near_to_each_charge_as_counting_by_hand_says(prepared: Prepared, tmp_path: Path) -> None:
    ChargeWords.of(prepared).save(tmp_path / "words.npz")
    words = ChargeWords.load(tmp_path / "words.npz")
    text = prepared.facts.row(len(prepared.facts) - 1).tolist()
    near = dict(zip(words.places, words.cosines(np.array(text)).tolist(), strict=True))
    expected = by_hand(prepared, text)
    assert {place: near[place] for place in expected} == pytest.approx(expected, abs=2e-3)
    assert all(value == 0 for place, value in near.items() if place not in expected)


def test_cases_kept_out_come_nearest_to_a_charge_of_theirs(prepared: Prepared) -> None:
    words, kept_out = ChargeWords.of(prepared), range(prepared.learnt, len(prepared.facts))
    found = [words.places[int(words.cosines(prepared.facts.row(case)).argmax())] for case in kept_out]
    own = [{prepared.ids.node_name(int(node)) for node in prepared.charges.row(case)} for case in kept_out]
    assert np.mean([name in names for name, names in zip(found, own, strict=True)]) > 0.8


def test_a_text_without_a_token_comes_near_nothing(prepared: Prepared) -> None:
    assert not ChargeWords.of(prepared).cosines(np.zeros(0, np.int64)).any()
