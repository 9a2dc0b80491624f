"""Searches compared with `generate` of transformers on the same small model."""

from types import SimpleNamespace

import pytest
import torch

from bench.contest import Contest, K
from bench.generators import lecard_sized_tree
from lexgear.model.generator.walk import ModelWalk
from lexgear.search.beam import beam_search
from lexgear.search.exact import best_documents


@pytest.fixture(scope="module")
def contest() -> Contest:
    pytest.importorskip("transformers")
    return Contest.of(4, lecard_sized_tree(documents=400, ids=520), width=64, layers=2)


@pytest.mark.parametrize("text", range(4))
def test_our_beams_are_those_of_generate(contest: Contest, text: int) -> None:
    trie, states = contest.tree.trie, contest.encoded(slice(text, text + 1))
    ours = beam_search(trie, ModelWalk(contest.ours, trie, contest.read(states), 0)).hits
    theirs = contest.generate(states, output_scores=True)
    paths = [tuple(path) for path in (theirs.sequences[:, 1:] - 1).tolist()]
    assert {trie.path(leaf) for leaf, _ in ours} == set(paths)
    scores = dict(zip(paths, theirs.sequences_scores.tolist(), strict=True))
    assert [scores[trie.path(leaf)] for leaf, _ in ours] == pytest.approx([score for _, score in ours], abs=1e-4)


def test_a_batch_finds_what_each_text_finds_alone(contest: Contest) -> None:
    trie, states = contest.tree.trie, contest.encoded(slice(0, 4))
    for text, hits in enumerate(contest.exact(states)):
        alone = best_documents(trie, ModelWalk(contest.ours, trie, contest.read(states), text), K).hits
        assert [document for document, _ in hits] == [document for document, _ in alone]


def test_a_list_misses_a_document_only_if_one_outside_is_better(contest: Contest) -> None:
    [hits] = contest.exact(contest.encoded(slice(0, 1)))
    best = torch.tensor([[1 + contest.tree.law_symbols + document] for document, _ in hits])
    assert not contest.misses_a_better_document(SimpleNamespace(sequences=best), hits)
    assert not contest.misses_a_better_document(SimpleNamespace(sequences=best[:20]), hits), (
        "a shorter list of the best"
    )
    assert contest.misses_a_better_document(SimpleNamespace(sequences=best[1:]), hits)
