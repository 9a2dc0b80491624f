import math
from pathlib import Path

import pytest

from lexgear.corpus.records import Collection, Document, Query
from lexgear.errors import InputError
from lexgear.lexical.words import chinese_words
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.rankers.baselines.gold_charge import (
    GoldChargePopular,
    GoldChargePopularSettings,
    GoldChargeRandom,
    GoldChargeRandomSettings,
)
from lexgear.rankers.registry import RANKERS
from lexgear.rankers.scope import Scope
from lexgear.rankers.words.bm25 import BM25
from lexgear.rankers.words.query_likelihood import QueryLikelihood, QueryLikelihoodSettings
from rankers.small import COLLECTION

QUERY = COLLECTION.queries[0]


def ids(hits: list[ScoredId]) -> list[str]:
    return [hit.document for hit in hits]


@pytest.mark.parametrize("name", RANKERS)
def test_a_saved_ranker_ranks_as_before(name: str, tmp_path: Path) -> None:
    ranker = RANKERS[name]().fit(COLLECTION)
    ranker.save(tmp_path)
    loaded = RANKERS[name].load(tmp_path, ranker.settings)
    assert loaded.search(COLLECTION.queries, 4) == ranker.search(COLLECTION.queries, 4)


@pytest.mark.parametrize("kind", [BM25, QueryLikelihood])
def test_words_find_the_case_and_ties_go_by_id(kind: type[Ranker]) -> None:
    [hits] = kind().fit(COLLECTION).search([QUERY], 10)
    assert ids(hits) == ["d1", "d4", "d2"]
    assert hits[0].score == hits[1].score


@pytest.mark.parametrize("kind", [BM25, QueryLikelihood])
def test_a_text_without_known_words_finds_nothing(kind: type[Ranker]) -> None:
    assert kind().fit(COLLECTION).search([Query("q", "。。。"), Query("r", "")], 10) == [[], []]


def test_ties_at_the_cut_go_by_id_whatever_k_is() -> None:
    documents = tuple(Document(f"d{n:02}", {"text": "拿走现金"}) for n in reversed(range(30)))
    ranker = BM25().fit(Collection("ties", "zh", documents))
    for k in (1, 7, 30, 100):
        [hits] = ranker.search([Query("q", "现金")], k)
        assert ids(hits) == [f"d{n:02}" for n in range(30)][:k]


def test_own_judgments_and_documents_excluded_by_the_scope_are_left_out() -> None:
    ranker = BM25().fit(COLLECTION)
    own = Query("q", QUERY.text, own_documents=("d1",))
    assert ids(ranker.search([own], 10)[0]) == ["d4", "d2"]
    assert ids(ranker.search([own], 10, Scope(exclude={"q": ["d4"]}))[0]) == ["d2"]


def test_pools_and_filters_limit_the_documents_but_keep_their_scores() -> None:
    ranker = BM25().fit(COLLECTION)
    everything = {hit.document: hit.score for hit in ranker.search([QUERY], 10)[0]}
    [hits] = ranker.search([QUERY], 10, Scope(only={"d1", "d2", "gone"}, pools={"q1": ["d2", "d3", "d1"]}))
    assert {hit.document: hit.score for hit in hits} == {name: everything[name] for name in ("d1", "d2")}
    assert ranker.search([QUERY], 10, Scope(pools={})) == [[]]


def test_query_likelihood_is_the_probability_of_the_query_up_to_a_constant() -> None:
    mu = 50.0
    ranker = QueryLikelihood(QueryLikelihoodSettings(mu=mu)).fit(COLLECTION)
    texts = [chinese_words("\n".join(document.sections.values())) for document in COLLECTION.documents]
    everything = [word for text in texts for word in text]
    query = [word for word in chinese_words(QUERY.text) if word in everything]

    def log_likelihood(text: list[str]) -> float:
        share = {word: everything.count(word) / len(everything) for word in query}
        return sum(math.log((text.count(word) + mu * share[word]) / (len(text) + mu)) for word in query)

    constant = sum(math.log(everything.count(word) / len(everything)) for word in query)
    for hit in ranker.search([QUERY], 10)[0]:
        text = texts[[document.id for document in COLLECTION.documents].index(hit.document)]
        assert hit.score + constant == pytest.approx(log_likelihood(text), abs=1e-4)


def test_the_verdict_never_reaches_the_words_of_a_judgment() -> None:
    document = Document("d", {"fact": "拿走现金", "reasoning": "", "verdict": "犯盗窃罪"})
    ranker = BM25().fit(Collection("one", "zh", (document,)))
    assert ranker.search([Query("q", "盗窃罪")], 1) == [[]]


def test_a_label_of_a_query_never_reaches_its_input() -> None:
    for kind in (BM25, QueryLikelihood):
        ranker = kind().fit(COLLECTION)
        plain = [Query(query.id, query.text) for query in COLLECTION.queries]
        assert ranker.search(plain, 4) == ranker.search(COLLECTION.queries, 4)


def test_gold_charges_then_random_order_depends_only_on_the_seed() -> None:
    first, again, other = (
        ids(GoldChargeRandom(GoldChargeRandomSettings(seed)).fit(COLLECTION).search([QUERY], 4)[0])
        for seed in (1, 1, 4)
    )
    assert first == again != other
    assert {*first[:2]} == {*other[:2]} == {"d1", "d4"}


def test_gold_charges_then_popularity_counts_only_training_labels() -> None:
    query = COLLECTION.queries[1]
    assert ids(GoldChargePopular().fit(COLLECTION).search([query], 4)[0]) == ["d4", "d1", "d2", "d3"]
    exact = GoldChargePopular(GoldChargePopularSettings(exact=True)).fit(COLLECTION)
    assert ids(exact.search([Query("q", "", charges=("抢劫罪",))], 4)[0]) == ["d2", "d1", "d4", "d3"]


@pytest.mark.parametrize("kind", [GoldChargeRandom, GoldChargePopular])
def test_gold_charge_rankers_refuse_a_query_without_charges(kind: type[Ranker]) -> None:
    ranker = kind().fit(COLLECTION)
    with pytest.raises(InputError, match=r"gold charges; 1 of 2 queries have none, such as bare .*another ranker"):
        ranker.search([QUERY, Query("bare", QUERY.text)], 4)


def test_a_collection_without_any_text_is_refused() -> None:
    with pytest.raises(InputError, match="no document of bare has a text"):
        BM25().fit(Collection("bare", "zh", (Document("d", charges=("盗窃罪",)),)))
