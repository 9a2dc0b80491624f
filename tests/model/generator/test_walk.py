"""Walks of many queries compared with the walk of each query alone."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.model.generator.walk import TOP, ModelWalk, ModelWalks
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.model.t5 import T5Shape
from lexgear.search.beam import search_beams
from lexgear.search.exact import search_documents, search_ids
from lexgear.search.scorer import Result, run, run_together
from random_tries import DOCUMENT_SYMBOLS, trie_of, tries

WORDS, DOCUMENTS = 40, 300
text_lengths = st.lists(st.integers(1, 12), min_size=1, max_size=5)


@pytest.fixture(scope="module")
def generator() -> Generator:
    torch.manual_seed(5)
    shape = T5Shape(vocabulary=WORDS, width=24, heads=2, head_width=12, inner=32, encoder_layers=2, decoder_layers=2)
    made = Generator(Backbone(shape), DOCUMENT_SYMBOLS, DOCUMENTS, summary=True).eval().requires_grad_(False)
    for table in (made.law_out, made.documents):
        table.weight.mul_(3)  # far from uniform, so that a search skips much of the tree
    return made


def texts_of(lengths: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    numbers = np.random.default_rng(len(lengths)).integers(1, WORDS, (len(lengths), max(lengths)))
    return numbers, np.arange(max(lengths)) < np.array(lengths)[:, None]


def read_one_by_one(generator: Generator, lengths: Sequence[int]) -> list[EncodedTexts]:
    numbers, mask = texts_of(lengths)
    return [generator.read_only(numbers[[row], :end], mask[[row], :end]) for row, end in enumerate(lengths)]


def inner_nodes(trie: Trie) -> list[int]:
    return [int(node) for node in np.flatnonzero(trie.child_count)]


def small_law() -> Trie:
    """Return 300 documents with one or two IDs under 40 charges in four chapters; half of the articles have one
    charge."""
    chance = np.random.default_rng(2)
    articles = [(chapter, article) for chapter in range(4) for article in range(4, 11)]
    charges = [(*place, charge) for place in articles for charge in range(11, 12 + (place[1] % 2))]
    own = [chance.choice(len(charges), chance.integers(1, 3), replace=False) for _ in range(DOCUMENTS)]
    return trie_of([[charges[pick] for pick in picks] for picks in own])


@pytest.mark.parametrize("children", [True, False])
@settings(max_examples=25)
@given(trie=tries(leaves_apart=True), lengths=text_lengths)
def test_queries_read_and_walked_together_get_what_each_gets_alone(
    generator: Generator, children: bool, trie: Trie, lengths: list[int]
) -> None:
    walks = ModelWalks(generator, trie, generator.read_only(*texts_of(lengths)), children=children)
    alone = [ModelWalk(generator, trie, read, 0, children=children) for read in read_one_by_one(generator, lengths)]
    for node in inner_nodes(trie):
        together = walks.expand({query: [node] for query in range(len(lengths))})
        for query, walk in enumerate(alone):
            assert together[query][0] == pytest.approx(walk.expand([node])[0], abs=1e-5)


@settings(max_examples=25)
@given(trie=tries(leaves_apart=True), lengths=text_lengths, chance=st.randoms(use_true_random=False))
def test_it_does_not_matter_which_query_asks_for_what_and_when(
    generator: Generator, trie: Trie, lengths: list[int], chance: Random
) -> None:
    read = generator.read_only(*texts_of(lengths))
    nodes = inner_nodes(trie)
    at_once = [ModelWalk(generator, trie, read, query).expand(nodes) for query in range(len(lengths))]
    walks, waiting = ModelWalks(generator, trie, read), {query: {0} for query in range(len(lengths))}
    while waiting := {query: left for query, left in waiting.items() if left}:
        asked = {query: chance.sample(sorted(left), chance.randint(1, len(left))) for query, left in waiting.items()}
        for query, answers in walks.expand(asked).items():
            for node, answer in zip(asked[query], answers, strict=True):
                assert answer == pytest.approx(at_once[query][nodes.index(node)], abs=1e-5)
                waiting[query].remove(node)
                waiting[query].update(child for child in trie.children(node) if trie.child_count[child])


@pytest.mark.parametrize("search", [search_documents, search_ids, search_beams])
def test_searches_run_together_find_what_each_finds_alone(generator: Generator, search: type) -> None:
    trie, lengths = small_law(), [12, 3, 7, 1, 12, 9]
    walks = ModelWalks(generator, trie, generator.read_only(*texts_of(lengths)))
    together = run_together([search(trie, 10) for _ in lengths], walks)
    for result, read in zip(together, read_one_by_one(generator, lengths), strict=True):
        alone = run(search(trie, 10), ModelWalk(generator, trie, read, 0))
        same(result, alone)
        assert result.expanded < len(inner_nodes(trie)), "the search had to choose"


def same(found: Result, expected: Result) -> None:
    assert [item for item, _ in found.hits] == [item for item, _ in expected.hits]
    assert [score for _, score in found.hits] == pytest.approx([score for _, score in expected.hits], abs=2e-5)


def test_the_top_of_the_law_takes_one_pass_and_steps_without_a_choice_take_none(generator: Generator) -> None:
    trie = small_law()
    passes: list[int] = []
    decoder = generator.backbone.decoder
    hook = decoder.norm.register_forward_hook(lambda _, given, __: passes.append(given[0].shape[1]))
    walk = ModelWalk(generator, trie, generator.read_only(*texts_of([5])), 0)
    law, chapters, articles, charges, _ = (list(level) for level in trie.levels())
    with_choice = [node for node in (*law, *chapters, *articles) if trie.child_count[node] > 1]
    below_no_choice = [node for node in charges if trie.child_count[trie.parent[node]] == 1]
    try:
        for level in (law, chapters, articles):
            walk.expand(level)
        assert passes == [len(with_choice)]
        assert len(with_choice) <= TOP
        walk.expand(below_no_choice)
        assert passes[1:] == [2 * len(below_no_choice)], "each with the article above it"
    finally:
        hook.remove()


def test_a_step_without_a_choice_is_certain_only_among_children(generator: Generator) -> None:
    trie = trie_of([[(0, 1)], [(0, 1)]])
    read = generator.read_only(*texts_of([5]))
    [below] = ModelWalk(generator, trie, read, 0).expand([0])
    [among_all] = ModelWalk(generator, trie, read, 0, children=False).expand([0])
    assert below.tolist() == [0.0]
    assert among_all[0] < 0.0


def test_nobody_asking_is_no_fault(generator: Generator) -> None:
    assert ModelWalks(generator, small_law(), generator.read_only(*texts_of([5, 6]))).expand({}) == {}


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_a_gpu_finds_what_the_cpu_finds(generator: Generator) -> None:
    trie, texts = small_law(), texts_of([12, 3, 7])
    walks = ModelWalks(generator, trie, generator.read_only(*texts))
    on_cpu = run_together([search_documents(trie, 10) for _ in range(3)], walks)
    try:
        generator.cuda()
        read = generator.read_only(*texts)
        for scored in (ModelWalks(generator, trie, read), WholeTree(generator, trie, read)):
            on_gpu = run_together([search_documents(trie, 10) for _ in range(3)], scored)
            for found, wanted in zip(on_gpu, on_cpu, strict=True):
                same(found, wanted)
    finally:
        generator.cpu()
