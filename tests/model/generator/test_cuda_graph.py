"""Graphed generator compared with walks; the graphs themselves need a GPU."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from lexgear.docids.trie import Trie
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.cuda_graph import LENGTH_STEP, GraphedGenerator, PrecomputedWalk
from lexgear.model.generator.generator import Generator
from lexgear.model.generator.walk import ModelWalk
from lexgear.model.t5 import T5Shape
from lexgear.search.exact import best_documents
from random_tries import DOCUMENT_SYMBOLS, tries

SHAPE = T5Shape(vocabulary=40, width=24, heads=2, head_width=12, inner=32, encoder_layers=1, decoder_layers=2)


def generator_with(documents: int) -> Generator:
    torch.manual_seed(5)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return Generator(Backbone(SHAPE), DOCUMENT_SYMBOLS, documents, summary=True).eval().to(device)


@settings(max_examples=20)
@given(trie=tries(leaves_apart=True))
def test_every_text_gets_the_answer_of_a_walk_though_it_is_padded(trie: Trie) -> None:
    generator = generator_with(12)
    numbers, mask = np.random.default_rng(0).integers(1, 40, (2, 9)), np.ones((2, 9), dtype=bool)
    mask[1, 5:] = False
    log_p, vectors = GraphedGenerator(generator, trie).scores_and_vectors(numbers, mask)
    read = generator.read_only(numbers, mask)
    assert vectors == pytest.approx(generator.vectors(read).detach().float().cpu().numpy(), abs=1e-5)
    for text in range(2):
        walked = best_documents(trie, ModelWalk(generator, trie, read, text), 5).hits
        known = best_documents(trie, PrecomputedWalk(trie, log_p[text]), 5).hits
        assert [score for _, score in known] == pytest.approx([score for _, score in walked], abs=1e-4)


@settings(max_examples=10)
@given(trie=tries(leaves_apart=True))
def test_the_law_is_answered_for_where_documents_have_no_symbols(trie: Trie) -> None:
    generator, numbers = generator_with(0), np.array([[3, 1, 4]])
    log_p, _ = GraphedGenerator(generator, trie).scores_and_vectors(numbers, np.ones((1, 3), dtype=bool))
    law = ~trie.leaf_mask
    for node in np.flatnonzero(law):
        below = [child for child in trie.children(int(node)) if law[child]]
        if below and len(below) == len(trie.children(int(node))):
            assert np.exp(log_p[0, below] - log_p[0, node]).sum() == pytest.approx(1)


def test_texts_of_nearly_the_same_length_share_a_recording() -> None:
    trie = Trie.build(np.array([[0, 1], [0, 2]]), np.arange(2))
    recorded = GraphedGenerator(generator_with(12), trie)
    for length in (3, LENGTH_STEP, LENGTH_STEP + 1):
        recorded.scores_and_vectors(np.ones((1, length), dtype=np.int64), np.ones((1, length), dtype=bool))
    assert sorted(recorded.captured_shapes) == [(1, LENGTH_STEP), (1, 2 * LENGTH_STEP)]
