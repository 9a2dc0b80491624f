"""`lexgear` end to end on the sample."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
from lexgear.evaluation.comparison import Evaluation
from lexgear.evaluation.experiment import experiment
from lexgear.rankers.base import Ranker
from lexgear.rankers.lexgear.charge_fusion import MIN_LOG_P, ChargeFusion
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.lexgear.vector_fusion import VectorFusion
from lexgear.rankers.lexgear.weighting.ranking import document_scores
from lexgear.rankers.scope import Scope
from lexgear.rankers.words.bm25 import BM25
from lexgear.settings import configure


def measured(
    sample: Collection, queries: Sequence[Query], baseline: str, systems: dict[str, Ranker], measures: str
) -> Evaluation:
    return experiment(sample, {}, measures, queries=queries, baseline=baseline, fitted=systems)


def with_weights(ranker: Lexgear, **weights: float) -> Lexgear:
    """Return the same ranker with other weights."""
    other = ranker.with_generator(lambda generator: generator)
    other.inference.weights = ranker.inference.weights.changed(**weights)
    return other


def test_a_loaded_index_ranks_explains_and_judges_as_before(index: Index, unseen: list[Query]) -> None:
    loaded = Index.load(index.stored.directory)
    assert loaded.rank(unseen[:5], 10) == index.rank(unseen[:5], 10)
    assert loaded.search(unseen[0].text) == index.search(unseen[0].text)
    assert loaded.judge(unseen[0].text) == index.judge(unseen[0].text)


def test_the_exact_search_equals_scoring_every_document(ranker: Lexgear, unseen: list[Query]) -> None:
    ranker = with_weights(
        ranker, generator=0.25, content=0.5, past_questions=5.0
    )  # so that every part of the score counts
    names, sets = ranker.documents, ranker.inference.features.places.of_document
    for query in unseen[:4]:
        [hits] = ranker.search([query], len(names))
        facts = ranker.inference.read(ranker.names.text(query.text).text)
        parts = ranker.inference.leaf_scores(facts)
        weights = ranker.inference.weights
        leaves = parts.words + 0.5 * parts.content + 5.0 * parts.past_questions
        leaves += weights.concepts * parts.concepts + weights.nearest_question * parts.nearest_question
        every = document_scores(
            ranker.parts.ids.trie, ranker.inference.law_log_p(facts), ranker.inference.weights.charge, leaves, sets
        )
        assert {hit.document: hit.score for hit in hits} == pytest.approx(
            dict(zip(names, every, strict=True)),
            abs=1e-4 + 1e-5 * weights.charge,  # log P is rounded to five decimals
        )


def test_the_fusion_is_standardised_bm25_plus_the_clipped_log_of_p(
    ranker: Lexgear, sample: Collection, unseen: list[Query]
) -> None:
    fusion = ChargeFusion.of(ranker, sample)
    seen = ranker.names.query(unseen[0])
    log_p, trie = fusion.inference.law_log_p(fusion.inference.read(seen.text)), fusion.parts.ids.trie
    sets = fusion.inference.features.places.of_document
    bm25 = {hit.document: hit.score for hit in fusion.inference.features.bm25.search([seen], len(sample.documents))[0]}
    spread = np.std([bm25.get(document.id, 0.0) for document in sample.documents])
    for hit in fusion.search([unseen[0]], 30)[0]:
        position = [document.id for document in sample.documents].index(hit.document)
        p = sum(np.exp(log_p[trie.parent[leaf]]) for leaf in trie.leaves_of(sets[position]))
        expected = bm25.get(hit.document, 0.0) / spread + fusion.inference.weights.charge * max(np.log(p), MIN_LOG_P)
        assert hit.score == pytest.approx(expected, abs=1e-4)


def test_the_vector_fusion_is_standardised_bm25_plus_standardised_similarity(
    ranker: Lexgear, sample: Collection, unseen: list[Query]
) -> None:
    fusion = VectorFusion.beside(ranker)._learn_weight(sample)
    weights, names = fusion.inference.weights, [document.id for document in sample.documents]
    leaves = ranker.inference.leaf_scores(ranker.inference.read(ranker.names.query(unseen[0]).text))
    assert weights.content > 0
    for hit, explanation in fusion.search_explained(unseen[0], 10):
        position = names.index(hit.document)
        words, content = leaves.words[position], weights.content * leaves.content[position]
        assert hit.score == pytest.approx(words + content, abs=1e-4)
        assert explanation is not None
        assert (explanation.words, explanation.content, explanation.charge) == pytest.approx((words, content, 0.0))


def test_shares_of_the_children_of_every_node_sum_to_one(ranker: Lexgear, unseen: list[Query]) -> None:
    log_p, trie = ranker.inference.law_log_p(ranker.inference.read(unseen[0].text)), ranker.parts.ids.trie
    assert np.exp(log_p[ranker.inference.charge_nodes()]).sum() == pytest.approx(1.0)
    inner = [node for node in range(trie.node_count) if trie.child_count[node] and not np.isnan(log_p[node])]
    for node in (node for node in inner if trie.document[trie.first_child[node]] < 0):
        below = trie.children(node)
        assert np.exp(log_p[below.start : below.stop]).sum() == pytest.approx(np.exp(log_p[node]))


def test_lexgear_is_clearly_better_than_bm25(ranker: Lexgear, sample: Collection, unseen: list[Query]) -> None:
    found = measured(sample, unseen, "bm25", {"bm25": BM25().fit(sample), "lexgear": ranker}, "R@20,coverage@1")
    recall, coverage = (found.cells["lexgear", measure].difference for measure in found.measures)
    assert recall is not None
    assert coverage is not None
    assert recall.mean > 0
    assert recall.p < 0.05
    assert coverage.mean > 0


def test_uniform_charge_probabilities_make_the_ranking_worse(
    ranker: Lexgear, sample: Collection, unseen: list[Query]
) -> None:
    uniform = with_weights(ranker, generator=0.0, law_words=0.0)
    shares = np.exp(
        uniform.inference.law_log_p(uniform.inference.read(unseen[0].text))[uniform.inference.charge_nodes()]
    )
    assert shares == pytest.approx(np.full(46, 1 / 46))
    found = measured(sample, unseen, "lexgear", {"lexgear": ranker, "uniform": uniform}, "nDCG(dcg='exp-log2')@10,R@20")
    for measure in found.measures:
        difference = found.cells["uniform", measure].difference
        assert difference is not None
        assert difference.mean < -0.05
        assert difference.p < 0.05


def test_rankings_do_not_depend_on_other_queries_of_the_same_search(index: Index, unseen: list[Query]) -> None:
    assert [index.rank([query], 10)[0] for query in unseen[:4]] == index.rank(unseen[:4], 10)


def test_scopes_and_own_judgments_are_respected(index: Index, sample: Collection, unseen: list[Query]) -> None:
    [query, *_] = unseen
    first = index.rank([query], 1)[0][0].document
    own = replace(query, own_documents=(first,))
    assert first not in [hit.document for hit in index.rank([own], 1200)[0]]
    pool = [document.id for document in sample.documents[:7]]
    assert {hit.document for hit in index.rank([query], 100, Scope(pools={query.id: pool}))[0]} == set(pool)
    assert {hit.document.id for hit in index.search(query.text, filters=["charge=抢劫罪"])} <= {
        document.id for document in sample.documents if "抢劫罪" in document.charges
    }


def test_a_text_without_known_words_finds_nothing(index: Index) -> None:
    assert index.rank([Query("q", "。。。")], 5) == [[]]
    assert index.search("。。。") == []


def test_a_text_that_shares_no_word_is_ranked_by_its_vector(index: Index, sample: Collection) -> None:
    words_alone = Lexgear(configure(LexgearSettings, backbone="")).fit(replace(sample, queries=(), qrels={}))
    strange, foreign = Query("q", "饕餮盛宴"), Query("q", "vishing")
    assert words_alone.search([strange], 5) == [[]]
    assert len(index.rank([strange], 5)[0]) == 5
    assert index.rank([foreign], 5) == [[]]


def test_an_index_of_words_alone_cannot_judge(sample: Collection, tmp_path: Path) -> None:
    index = train(replace(sample, documents=sample.documents[:50]), BM25(), tmp_path / "index")
    with pytest.raises(InputError, match="an index of bm25 cannot judge"):
        index.judge("翻墙进入商店，拿走现金。")
