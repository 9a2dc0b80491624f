"""Our own ranker end to end on a slice of the sample, and the judgment it gives."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Query
from lexgear.errors import InputError
from lexgear.rankers.bm25 import BM25
from lexgear.rankers.law_words import LawWords
from lexgear.rankers.lexgear import Lexgear
from lexgear.rankers.lexgear_settings import LexgearSettings
from lexgear.rankers.mixture import Mixture, document_scores
from lexgear.rankers.scope import Scope
from rankers.test_gear import COLLECTION

QUICK = LexgearSettings(epochs=3, batch=16, tokens=48, width=32, vocabulary=1000)
TEST = [query for query in COLLECTION.queries if query.split == "test"]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return train(COLLECTION, Lexgear(QUICK), tmp_path_factory.mktemp("lexgear") / "index")


@pytest.fixture(scope="module")
def ranker(index: Index) -> Lexgear:
    assert isinstance(index.ranker, Lexgear)
    return index.ranker


def test_a_loaded_index_ranks_and_judges_as_before(index: Index) -> None:
    loaded = Index.load(index.stored.directory)
    assert loaded.rank(TEST, 10) == index.rank(TEST, 10)
    assert loaded.judge(TEST[0].text) == index.judge(TEST[0].text)


def test_the_exact_search_equals_scoring_every_document(ranker: Lexgear) -> None:
    names = ranker.ids.names[ranker.ids.law_symbols :]
    leaves = np.flatnonzero(ranker.ids.trie.leaf_mask)
    parents, owners = ranker.ids.trie.parent[leaves], ranker.ids.trie.document[leaves]
    for query, hits in zip(TEST, ranker.search(TEST, len(names)), strict=True):
        log_p = ranker.shares(query.text)
        _, vectors = ranker._walks([query.text])
        words, content = ranker._leaf_parts(query, vectors[0])
        mixed = words + ranker.mixture.content * content
        every = document_scores(log_p, ranker.mixture.charge, mixed, parents, owners)
        assert {hit.document: hit.score for hit in hits} == pytest.approx(
            dict(zip(names, every, strict=True)), abs=1e-4
        )


def test_shares_of_the_children_of_every_node_sum_to_one(ranker: Lexgear) -> None:
    log_p = ranker.shares(TEST[0].text)
    charges = ranker.charge_nodes()
    assert np.exp(log_p[charges]).sum() == pytest.approx(1.0)
    assert len(charges) == 46  # the whole law, though four charges alone have cases here


def test_the_judgment_names_the_charge_its_article_and_its_path(index: Index) -> None:
    right = 0
    for query in TEST:
        opinion = index.judge(query.text)
        first = opinion.charges[0]
        right += first.name in query.charges
        assert [charge.probability for charge in opinion.charges] == sorted(
            (charge.probability for charge in opinion.charges), reverse=True
        )
        assert first.path[-1].endswith(first.name)
        if first.applies:
            assert first.path[-2].rsplit("/", 1)[-1] in opinion.articles
    assert right / len(TEST) >= 0.75


@pytest.mark.parametrize("text", ["", "。。。", "你好", "Il pleut sur la ville depuis hier", "\ud800", "🙂🙂", "\x00"])
def test_where_there_is_nothing_to_judge_it_says_so(index: Index, text: str) -> None:
    opinion = index.judge(text)
    assert opinion.note
    assert opinion.charges == ()


def test_an_index_of_words_alone_cannot_judge(tmp_path: Path) -> None:
    index = train(COLLECTION, BM25(), tmp_path / "index")
    with pytest.raises(InputError, match="an index of bm25 cannot judge"):
        index.judge("翻墙进入商店，拿走现金。")


def test_no_label_of_a_query_reaches_its_input(index: Index) -> None:
    shuffled = [replace(query, charges=("放火罪",), split="train") for query in TEST]
    assert index.rank(shuffled, 5) == index.rank(TEST, 5)


def test_rankings_do_not_depend_on_what_is_searched_beside_them(index: Index) -> None:
    assert [index.rank([query], 10)[0] for query in TEST[:4]] == index.rank(TEST[:4], 10)


def test_scopes_and_own_judgments_hold(index: Index) -> None:
    [query, *_] = TEST
    first = index.rank([query], 1)[0][0].document
    own = replace(query, own=(first,))
    assert first not in [hit.document for hit in index.rank([own], 200)[0]]
    pool = [document.id for document in COLLECTION.documents[:7]]
    assert {hit.document for hit in index.rank([query], 100, Scope(pools={query.id: pool}))[0]} == set(pool)


def test_a_text_without_known_words_finds_nothing(index: Index) -> None:
    assert index.rank([Query("q", "。。。")], 5) == [[]]


def test_words_under_a_node_are_those_of_all_cases_below_it(ranker: Lexgear) -> None:
    trie = ranker.ids.trie
    words = LawWords.of(trie, [["偷"] if "盗窃罪" in d.charges else ["撞"] for d in COLLECTION.documents])
    theft = next(n for n in ranker.charge_nodes().tolist() if ranker.ids.node_name(n).endswith("/盗窃罪"))
    crash = next(n for n in ranker.charge_nodes().tolist() if ranker.ids.node_name(n).endswith("/交通肇事罪"))
    scores = words.scores(["偷", "偷", "nie gehört"])
    assert scores[theft] > 0 > scores[crash]
    assert words.lengths[theft] == sum("盗窃罪" in document.charges for document in COLLECTION.documents)


def test_probability_rises_with_the_share_and_stays_between_zero_and_one() -> None:
    mixture = Mixture(slope=0.5, offset=1.0)
    values = [mixture.probability(np.log(share)) for share in (1e-30, 1e-9, 0.01, 0.5, 1.0)]
    assert values == sorted(values)
    assert 0 < values[0] < 0.01 < values[-1] < 1
