import numpy as np
import pytest

from lexgear.docids.ids import DocIds
from lexgear.docids.trie import Trie
from lexgear.rankers.lexgear.evidence import Evidence
from lexgear.rationale.records import Part

# Charges 甲 and 乙, a document under each.
TRIE = Trie.build(np.array([[0, 2], [1, 3]]), np.array([0, 1]))
IDS = DocIds(TRIE, ("code/甲", "code/乙", "d1", "d2"), 2, ("charge", "charge"))
FIRST, SECOND = 1, 2
SENTENCES = [Part("sentence", text, place, place + 1, 9.0, "") for place, text in enumerate("αβγ")]


def evidence() -> Evidence:
    nearness = np.zeros((3, TRIE.node_count))
    nearness[:, FIRST], nearness[:, SECOND] = [0.1, 0.3, 0.0], [0.2, 0.1, 0.0]
    return Evidence(IDS, SENTENCES, lambda nodes: nearness[:, list(nodes)])


def named(parts: tuple[Part, ...]) -> list[tuple[str, str, float]]:
    return [(part.text, part.charge, part.score) for part in parts]


def test_a_sentence_supports_the_nearest_charge() -> None:
    first, second = evidence().distinctive([FIRST, SECOND])
    assert named(first) == [("β", "甲", 0.3)]
    assert named(second) == [("α", "乙", 0.2)]


def test_sentences_without_nearness_are_left_out() -> None:
    assert named(evidence().nearest([FIRST])) == [("β", "甲", 0.3), ("α", "甲", 0.1)]
    assert named(evidence().nearest([FIRST, SECOND])) == [("β", "甲", 0.3), ("α", "乙", 0.2)]
    assert evidence().nearest([]) == ()


@pytest.mark.parametrize("nodes", [[], [FIRST]])
def test_a_text_without_sentences_gives_no_evidence(nodes: list[int]) -> None:
    empty = Evidence(IDS, [], lambda nodes: np.zeros((0, len(nodes))))
    assert empty.distinctive(nodes) == [()] * len(nodes)
    assert empty.nearest(nodes) == ()
