"""Training pairs of a query generator: labelled queries, and documents that are not barred."""

import os
import subprocess
import sys
from dataclasses import replace

from lexgear.rankers.generative.writing_pairs import writing_pairs
from training.small_collection import small_collection

COLLECTION = small_collection()
TRAIN = [query for query in COLLECTION.queries if query.split == "train"]
TEXTS = [document.text for document in COLLECTION.documents]
PLACE = {document.id: place for place, document in enumerate(COLLECTION.documents)}


def test_every_relevant_document_of_a_query_is_a_pair_with_some_of_its_clauses() -> None:
    pairs = writing_pairs(COLLECTION, TRAIN, TEXTS, count=0, seed=0)
    wanted = {
        (query.id, PLACE[name])
        for query in TRAIN
        for name, grade in COLLECTION.qrels[query.id].items()
        if grade >= COLLECTION.relevant_from
    }
    assert len(pairs) == len(wanted)
    assert {pair.document for pair in pairs} == {place for _, place in wanted}
    assert all(any(pair.query in query.text for query in TRAIN) for pair in pairs)
    assert all(pair.text == TEXTS[pair.document] for pair in pairs)
    assert max(len(pair.query) for pair in pairs) < min(len(query.text) for query in TRAIN)


def test_facts_of_documents_serve_as_queries_if_training_queries_are_few() -> None:
    pairs = writing_pairs(COLLECTION, [], TEXTS, count=60, seed=0)
    assert len(pairs) == 60
    assert {pair.document for pair in pairs} == set(range(40))
    for pair in pairs:
        facts = COLLECTION.documents[pair.document].sections["fact"]
        assert pair.query in facts or "某罪" in pair.query  # the names of charges are masked


def test_the_selected_clauses_share_informative_words_with_the_document() -> None:
    document = replace(
        COLLECTION.documents[0],
        sections={
            "fact": "当日天气晴朗，当时无人在场，有人翻墙盗窃保险柜，盗窃保险柜后离开。",
            "reasoning": "翻墙盗窃保险柜。",
        },
    )
    collection = replace(COLLECTION, documents=(document, *COLLECTION.documents[1:]))
    texts = [one.text for one in collection.documents]
    pairs = writing_pairs(collection, [], texts, count=40, seed=0)
    [own] = [pair.query for pair in pairs if pair.document == 0]
    assert own.count("盗窃保险柜") == 2


def test_barred_judgments_and_test_queries_give_no_pairs() -> None:
    barred = [document.id for document in COLLECTION.documents[:5]]
    collection = replace(COLLECTION, source={"never_train_on": " ".join(barred)})
    pairs = writing_pairs(collection, [], TEXTS, count=80, seed=0)
    assert {pair.document for pair in pairs} == set(range(5, 40))


def test_the_seed_selects_the_documents() -> None:
    one, same, other = (writing_pairs(COLLECTION, [], TEXTS, count=10, seed=seed) for seed in (0, 0, 1))
    assert one == same != other


def test_pairs_do_not_depend_on_the_order_of_sets() -> None:
    asked = "from lexgear.corpus.sample.cases import sample_cases\n" + (
        "from lexgear.rankers.generative.writing_pairs import writing_pairs\n"
        "sample = sample_cases()\n"
        "texts = [document.text for document in sample.documents]\n"
        "print([pair.query for pair in writing_pairs(sample, [], texts, 1200, 0)])"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", asked], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert len(told[0]) > 10_000
    assert told[0] == told[1]
