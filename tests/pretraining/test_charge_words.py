"""Centroids of a base model compared with plain dictionaries."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from lexgear.docids.ids import DocIds
from lexgear.docids.law import law_ids
from lexgear.lexical.words import segmenter
from lexgear.pretraining.charge_words import MIN_CASES, ChargeWords
from tiny_base import judgments

Cases = list[tuple[list[str], list[int]]]
KEPT_OUT = 20


@pytest.fixture(scope="module")
def ids() -> DocIds:
    return law_ids(judgments(), whole_law=True)


@pytest.fixture(scope="module")
def cases(ids: DocIds) -> Cases:
    """The words and charges of judgments."""
    cut = segmenter("zh")
    nodes = {ids.node_name(node).rsplit("/", 1)[-1]: node for node in ids.nodes_of("charge").tolist()}
    return [
        (cut(one.sections["fact"]), [nodes[name] for name in one.charges if name in nodes])
        for one in judgments().documents
    ]


def charge_words(ids: DocIds, cases: Cases) -> ChargeWords:
    return ChargeWords.of(ids, ((words, np.array(nodes, dtype=np.int64)) for words, nodes in cases))


def by_hand(ids: DocIds, cases: Cases, text: list[str]) -> dict[str, float]:
    """Return the cosine of a text with each charge that has cases."""
    counted = [Counter(words) for words, _ in cases]
    count_in = Counter(word for case in counted for word in case)
    rarity = {word: math.log((len(cases) + 1) / (times + 1)) for word, times in count_in.items() if times >= MIN_CASES}

    def unit(counts: Counter[str]) -> dict[str, float]:
        vector = {word: (1 + math.log(times)) * rarity[word] for word, times in counts.items() if word in rarity}
        length = math.sqrt(sum(value**2 for value in vector.values()))
        return {word: value / length for word, value in vector.items()}

    asked, near = unit(Counter(text)), {}
    units = [unit(case) for case in counted]
    for node in {node for _, nodes in cases for node in nodes}:
        total: dict[str, float] = {}
        count = 0.0
        for (_, nodes), vector in zip(cases, units, strict=True):
            if node in nodes:
                count += 1 / len(nodes)
                for word, value in vector.items():
                    total[word] = total.get(word, 0.0) + value / len(nodes)
        length = math.sqrt(sum(value**2 for value in total.values()))
        dot = sum(value * total.get(word, 0.0) for word, value in asked.items())
        near[ids.node_name(node)] = dot / length * math.sqrt(count / (count + 1))
    return near


def test_a_text_comes_as_near_to_each_charge_as_counting_by_hand_says(
    ids: DocIds, cases: Cases, tmp_path: Path
) -> None:
    learnt, (text, _) = cases[:-1], cases[-1]
    charge_words(ids, learnt).save(tmp_path / "words.npz")
    words = ChargeWords.load(tmp_path / "words.npz")
    near = dict(zip(words.places, words.cosines(words.numbers(text)).tolist(), strict=True))
    expected = by_hand(ids, learnt, text)
    assert {place: near[place] for place in expected} == pytest.approx(expected, abs=2e-3)
    assert all(value == 0 for place, value in near.items() if place not in expected)


def test_cases_kept_out_come_nearest_to_a_charge_of_theirs(ids: DocIds, cases: Cases) -> None:
    words = charge_words(ids, cases[:-KEPT_OUT])
    found = [words.places[int(words.cosines(words.numbers(text)).argmax())] for text, _ in cases[-KEPT_OUT:]]
    own = [{ids.node_name(node) for node in nodes} for _, nodes in cases[-KEPT_OUT:]]
    assert np.mean([name in names for name, names in zip(found, own, strict=True)]) > 0.8


def test_a_text_without_a_known_word_comes_near_nothing(ids: DocIds, cases: Cases) -> None:
    words = charge_words(ids, cases)
    assert not words.cosines(words.numbers(["xyz"])).any()
