"""Explanations of hits agree with the scores of the search."""

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings

from lexgear.api import Index
from lexgear.corpus.records import Collection, Query
from lexgear.docids.trie import Trie
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.word_index import CountedSegment, WordIndex, bm25_weights
from lexgear.rankers.explanation import Explanation, extend_log_p
from lexgear.rankers.lexgear.charge_fusion import ChargeFusion
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.words.bm25 import BM25
from lexgear.search.exact import best_documents
from random_tries import random_walk, tries, walk_shapes

PARTS = ("charge", "content", "words", "past_questions", "legal_terms")


def parts(explanation: Explanation | None) -> float:
    assert explanation is not None
    return float(sum(getattr(explanation, part) for part in PARTS))


@pytest.mark.parametrize("kind", [Lexgear, ChargeFusion])
def test_charge_content_and_words_add_up_to_the_score(
    kind: type[Lexgear], ranker: Lexgear, sample: Collection, unseen: list[Query]
) -> None:
    asked = ChargeFusion.of(ranker, sample) if kind is ChargeFusion else ranker
    for query in unseen[:8]:
        explained = asked.search_explained(query, 10)
        assert [hit for hit, _ in explained] == asked.search([query], 10)[0]
        for hit, why in explained:
            assert parts(why) == pytest.approx(hit.score, abs=1e-4, rel=1e-5)


def test_paths_list_every_step_of_each_id(index: Index, ranker: Lexgear, unseen: list[Query]) -> None:
    several = 0
    for query in unseen[:8]:
        log_p = ranker.inference.law_log_p(ranker.inference.read(ranker.names.text(query.text).text))
        share = {
            ranker.parts.ids.node_name(node): np.exp(log_p[node]) for node in ranker.inference.charge_nodes().tolist()
        }
        for hit in index.search(query.text):
            assert hit.explanation is not None
            ends = [path[-1].place for path in hit.explanation.paths]
            assert sorted(ends) == sorted(path[-1].id for path in hit.paths)
            for path in hit.explanation.paths:
                assert prod(step.probability for step in path) == pytest.approx(share[path[-1].place], rel=1e-6)
            several += len(ends) > 1
    assert several


def test_shared_words_are_those_with_the_highest_weights(ranker: Lexgear, unseen: list[Query]) -> None:
    [(hit, why), *_] = ranker.search_explained(unseen[0], 1)
    assert why is not None
    assert len(why.shared) == 5
    position, words = (
        ranker.inference.features.bm25.documents.index(hit.document),
        ranker.inference.features.bm25.segment(unseen[0].text),
    )
    index = ranker.inference.features.bm25.index
    alone = {word: float(index.sums([word] * words.count(word))[position]) for word in dict.fromkeys(words)}
    heaviest = sorted(alone.values(), reverse=True)[:5]
    assert [weight for _, weight in why.shared] == pytest.approx(heaviest)
    assert [alone[word] for word, _ in why.shared] == pytest.approx(heaviest)


def test_the_rationale_of_a_hit_is_in_the_query_and_supports_its_charges(index: Index, unseen: list[Query]) -> None:
    for query in unseen[:8]:
        for hit in index.search(query.text, k=3):
            assert hit.explanation is not None
            for part in hit.explanation.rationale:
                assert query.text[part.start : part.end] == part.text
                assert part.charge in hit.document.charges


def test_the_score_of_bm25_is_explained_by_words_only(sample: Collection, unseen: list[Query]) -> None:
    for hit, why in BM25().fit(sample).search_explained(unseen[0], 3):
        assert why is not None
        assert (why.charge, why.content, why.words, why.paths) == (0, 0, hit.score, ())
        assert why.shared


def test_a_row_holds_everything_as_plain_values(index: Index, unseen: list[Query]) -> None:
    [hit] = index.search(unseen[0].text, k=1)
    row = hit.to_row()["explanation"]
    assert sum(row[part] for part in PARTS) == pytest.approx(hit.score, abs=1e-4, rel=1e-5)
    assert [step["place"] for step in row["paths"][0]] == [node.id for node in hit.paths[0][1:]]
    assert row["shared"][0].keys() == {"word", "weight"}
    assert row["rationale"][0].keys() == {"kind", "text", "start", "end", "score", "charge"}


@given(tries(), walk_shapes)
@settings(max_examples=60)
def test_nodes_that_a_search_pruned_are_expanded_exactly_once(trie: Trie, shape: tuple[int, float]) -> None:
    walk = random_walk(trie, *shape)
    found = best_documents(trie, walk, 1)
    leaves = np.flatnonzero(trie.leaf_mask)
    log_p = extend_log_p(trie, walk, found.log_p, leaves)  # the walk fails if a node is expanded twice
    assert log_p[leaves] == pytest.approx([walk.log_p(leaf) for leaf in leaves.tolist()])


def test_a_word_in_no_document_is_not_a_shared_word() -> None:
    index = WordIndex([CountedSegment.of(WordCounts.of([["刀", "夜"], ["夜"]]))], bm25_weights(1.5, 0.75))
    found = index.shared(["刀", "夜", "未见"], [0, 1], 5)
    assert [[word for word, _ in shared] for shared in found] == [["刀", "夜"], ["夜"]]
    assert index.shared(["未见"], [0], 5) == [()]
