"""Whole-tree scores compared with walks."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from lexgear.docids.trie import Trie
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.model.generator.walk import ModelWalks
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.model.t5 import T5Shape
from lexgear.search.batched import best_documents_batched
from lexgear.search.exact import search_documents
from lexgear.search.scorer import run_together
from random_tries import DOCUMENT_SYMBOLS, tries

TEXTS = 3


@pytest.fixture(scope="module")
def generator() -> Generator:
    torch.manual_seed(5)
    shape = T5Shape(vocabulary=40, width=24, heads=2, head_width=12, inner=32, encoder_layers=1, decoder_layers=2)
    return Generator(Backbone(shape), DOCUMENT_SYMBOLS, 12, summary=True).eval()


@pytest.fixture(scope="module")
def read(generator: Generator) -> EncodedTexts:
    numbers = np.random.default_rng(0).integers(1, 40, (TEXTS, 9))
    mask = np.ones(numbers.shape, dtype=bool)
    mask[-1, 5:] = False
    return generator.read_only(numbers, mask)


@pytest.mark.parametrize("children", [True, False])
@settings(max_examples=25)
@given(trie=tries(leaves_apart=True))
def test_one_pass_over_the_tree_finds_what_walks_find(
    generator: Generator, read: EncodedTexts, children: bool, trie: Trie
) -> None:
    whole = WholeTree(generator, trie, read, children=children)
    searches = [[search_documents(trie, 4) for _ in range(TEXTS)] for _ in range(2)]
    walked = run_together(searches[0], ModelWalks(generator, trie, read, children=children))
    found = run_together(searches[1], whole)
    at_once = best_documents_batched(trie, whole.log_p, 4)
    for asked, answered, ranked in zip(walked, found, at_once, strict=True):
        scores = dict(asked.hits)
        assert len(answered.hits) == len(ranked) == len(scores)
        for document, score in (*answered.hits, *ranked):
            assert scores.get(document, min(scores.values())) == pytest.approx(score, abs=1e-4)


@settings(max_examples=10)
@given(trie=tries(leaves_apart=True))
def test_only_allowed_documents_are_found_and_ties_go_by_their_order(
    generator: Generator, read: EncodedTexts, trie: Trie
) -> None:
    log_p = torch.zeros(1, trie.node_count)
    documents = int(trie.document.max()) + 1
    allowed = np.ones((1, documents), dtype=bool)
    allowed[0, 0] = False
    ids = np.bincount(trie.document[trie.leaf_mask])
    order = sorted(range(1, documents), key=lambda document: (-round(float(np.log(ids[document])), 5), -document))
    [found] = best_documents_batched(trie, log_p, documents, tie_order=-np.arange(documents), allowed=allowed)
    assert [document for document, _ in found] == order


def test_paths_of_very_different_lengths_are_scored_side_by_side(generator: Generator, read: EncodedTexts) -> None:
    trie = Trie.build(np.array([[1, 2, 3, 4, 100], [5, 101, -1, -1, -1]]), np.array([0, 1]))
    paths = np.array(
        [trie.ancestry(int(trie.leaves_of(0)[0])), [*trie.ancestry(int(trie.leaves_of(1)[0])), -1, -1, -1]]
    )
    steps = generator.step_log_probs(read, np.array([0, 0]), paths, trie)
    whole = WholeTree(generator, trie, read)
    expected = [float(whole.log_p[0, int(trie.leaves_of(document)[0])]) for document in (0, 1)]
    assert steps.sum(1).tolist() == pytest.approx(expected, abs=1e-4)
