"""DSI: cluster IDs, first tokens of documents, labelled queries only."""

from dataclasses import replace

import numpy as np
import pytest

from lexgear.corpus.records import Collection, Document
from lexgear.rankers.generative.dsi import Dsi
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.generative.settings import GenerativeSettings
from lexgear.settings import changed, configure
from rankers.generative.test_gear import COLLECTION

QUICK = configure(
    GenerativeSettings, epochs=14, batch_size=16, max_length=48, hidden_size=64, learning_rate=0.004, vocab_size=2000
)
CHARGES = {document.id: set(document.charges) for document in COLLECTION.documents}


@pytest.fixture(scope="module")
def dsi() -> Dsi:
    return Dsi(QUICK).fit(COLLECTION)


def test_a_document_has_one_id_of_digits_and_not_one_under_each_charge_of_the_law(dsi: Dsi) -> None:
    law = (
        Gear(configure(GearSettings, epochs=1, max_length=8, hidden_size=8, num_heads=2, lambda_l=0))
        .fit(COLLECTION)
        .parts.ids
    )
    places = range(len(COLLECTION.documents))
    assert [len(dsi.parts.ids.document_paths(place)) for place in places] == [1] * len(places)
    assert max(len(law.document_paths(place)) for place in places) > 1
    assert {symbol for place in places for symbol in dsi.parts.ids.document_paths(place)[0]} == set(range(10))
    assert all(dsi.parts.ids.document_paths(place) != law.document_paths(place) for place in places)
    assert dsi.parts.generator.documents.num_embeddings == 0
    near = [{*CHARGES[a.id]} & {*CHARGES[b.id]} for a, b in _neighbours(dsi, COLLECTION)]
    assert np.mean([bool(both) for both in near]) > 0.7  # clusters of what is alike


def _neighbours(dsi: Dsi, collection: Collection) -> list[tuple[Document, Document]]:
    """Return pairs of documents in the same last cluster."""
    last: dict[int, list[int]] = {}
    for place in range(len(collection.documents)):
        last.setdefault(int(dsi.parts.ids.trie.parent[dsi.parts.ids.trie.leaves_of(place)[0]]), []).append(place)
    pairs = [(row[0], other) for row in last.values() for other in row[1:]]
    return [(collection.documents[one], collection.documents[other]) for one, other in pairs]


def test_documents_are_memorised_from_their_first_tokens(dsi: Dsi) -> None:
    assert dsi.indexing_accuracy(COLLECTION, 40) >= 0.8
    longer = tuple(replace(one, sections={**one.sections, "reasoning": "另一段文字"}) for one in COLLECTION.documents)
    assert dsi.indexing_accuracy(replace(COLLECTION, documents=longer), 40) == dsi.indexing_accuracy(COLLECTION, 40)


def test_only_labelled_queries_are_used_as_queries(dsi: Dsi) -> None:
    assert dsi.training.log[0].keys() == {"epoch", "indexing", "retrieval", "rate", "steps", "tokens"}
    blank = Dsi(changed(QUICK, epochs=1)).fit(replace(COLLECTION, queries=(), qrels={}))
    assert blank.training.log[0].keys() == {"epoch", "indexing", "rate", "steps", "tokens"}
    batches = -(-len(COLLECTION.documents) // QUICK.training.batch_size)
    texts = len(COLLECTION.documents) + batches * QUICK.training.batch_size // 4
    assert dsi.training.log[0]["tokens"] <= texts * (
        QUICK.max_length + 6 * 3
    )  # a text is read once, and six of its IDs written


def test_the_first_documents_of_unseen_queries_mostly_have_their_charge(dsi: Dsi) -> None:
    queries = [query for query in COLLECTION.queries if query.split == "test"]
    right = [
        bool(CHARGES[hits[0].document] & set(query.charges))
        for query, hits in zip(queries, dsi.search(queries, 1), strict=True)
    ]
    shares = [np.mean([bool(one & set(query.charges)) for one in CHARGES.values()]) for query in queries]
    assert np.mean(right) > 1.5 * np.mean(shares)


def test_the_softmax_runs_over_all_digits_or_over_those_that_may_follow(dsi: Dsi) -> None:
    [query] = COLLECTION.queries[:1]
    settings = changed(QUICK, search="exact")
    dsi.settings = settings
    try:
        whole = np.exp([hit.score for hit in dsi.search([query], 200)[0]]).sum()
        dsi.settings = changed(settings, softmax="children")
        children = np.exp([hit.score for hit in dsi.search([query], 200)[0]]).sum()
    finally:
        dsi.settings = QUICK
    assert children == pytest.approx(1, abs=1e-3)
    assert whole < children - 1e-4
