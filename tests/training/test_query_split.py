from dataclasses import replace

import numpy as np

from lexgear.corpus.records import Collection, Document, Query
from lexgear.docids.law import law_ids
from lexgear.training.query_split import (
    QuerySplit,
    charges_of,
    relevant,
    relevant_leaves,
    split_queries,
    trainable_judgments,
)
from training.small_collection import small_collection

COLLECTION = small_collection()
TRAIN = [query.id for query in COLLECTION.queries if query.split == "train"]


def test_every_labelled_training_query_is_learnt_from_or_held_out_never_both_and_no_test_query_is() -> None:
    learnt, held_out = split_queries(COLLECTION, 0.25, seed=0)
    assert sorted(query.id for query in learnt + held_out) == sorted(TRAIN)
    assert len(held_out) == round(len(TRAIN) / 4)


def test_the_same_seed_holds_out_the_same_queries_and_another_seed_others() -> None:
    assert split_queries(COLLECTION, 0.25, seed=1) == split_queries(COLLECTION, 0.25, seed=1)
    assert split_queries(COLLECTION, 0.25, seed=1)[1] != split_queries(COLLECTION, 0.25, seed=2)[1]


def test_queries_with_incomplete_labels_are_learnt_from_and_never_held_out() -> None:
    marked = {name: place % 2 == 0 for place, name in enumerate(TRAIN)}
    queries = tuple(replace(query, incomplete_labels=marked.get(query.id, False)) for query in COLLECTION.queries)
    learnt, held_out = split_queries(replace(COLLECTION, queries=queries), 0.5, seed=0)
    assert sorted(query.id for query in learnt + held_out) == sorted(TRAIN)
    assert len(held_out) == round(len(TRAIN) // 2 / 2)
    assert not any(query.incomplete_labels for query in held_out)


def test_what_the_makers_bar_from_training_is_neither_learnt_from_nor_held_out() -> None:
    document = COLLECTION.documents[3].id
    barred = replace(COLLECTION, source={"never_train_on": f"{TRAIN[0]} {TRAIN[1]} {document}"})
    learnt, held_out = split_queries(barred, 0.5, seed=0)
    assert {query.id for query in learnt + held_out} == set(TRAIN) - set(TRAIN[:2])
    assert 3 not in trainable_judgments(barred)
    assert len(trainable_judgments(barred)) == len(COLLECTION.documents) - 1


def test_a_query_whose_only_relevant_document_is_its_own_judgment_teaches_nothing() -> None:
    [query] = [query for query in COLLECTION.queries if query.id == TRAIN[0]]
    own = replace(query, own_documents=tuple(relevant(COLLECTION, query)))
    alone = replace(COLLECTION, queries=(own,))
    assert split_queries(alone, 0.0, seed=0) == ([], [])


def test_the_leaves_of_a_query_are_those_of_its_relevant_documents() -> None:
    ids = law_ids(COLLECTION)
    queries, _ = split_queries(COLLECTION, 0.0, seed=0)
    names = ids.names[ids.law_symbols :]
    for query, leaves in zip(queries, relevant_leaves(COLLECTION, queries, ids), strict=True):
        found = {names[place] for place in np.asarray(ids.trie.document[leaves]).tolist()}
        assert found == set(relevant(COLLECTION, query))


def test_a_split_says_what_its_queries_are_for() -> None:
    queries = list(COLLECTION.queries)
    split = QuerySplit(queries[:5], queries[5:7], queries[7:10])
    assert str(split) == "trained on 5 labelled queries; held out: 2 for validation, 3 for weight learning"
    assert str(QuerySplit([])) == "no labelled training queries: trained on the documents alone"


def test_a_query_without_charges_has_those_of_at_least_half_of_its_answers() -> None:
    query, charges = (
        Query("q", "一案", split="train"),
        [("甲罪",), ("甲罪", "乙罪"), ("丙罪", "乙罪"), ("甲罪", "丁罪")],
    )
    documents = tuple(Document(f"d{at}", {}, charges=names) for at, names in enumerate(charges))
    answers = {"q": {"d0": 3, "d1": 3, "d2": 3, "d3": 0}}
    asked = Collection("asked", "zh", documents, queries=(query,), qrels=answers, relevant_from=2)
    assert charges_of(asked, query) == ("甲罪", "乙罪")
    assert charges_of(asked, replace(query, charges=("戊罪",))) == ("戊罪",)
