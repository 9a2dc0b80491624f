"""Checks that charges are learnt, and only from training labels."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lexgear.corpus.records import Collection, Query
from lexgear.evaluation.coverage import coverage
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.settings import changed, configure
from rankers.generative.test_gear import COLLECTION as SLICE
from rankers.small import QUICK_LEXGEAR

TINY_GEAR = configure(
    GearSettings, epochs=1, max_length=24, hidden_size=16, num_heads=2, vocab_size=500, num_train_beams=2
)


def coverage_at_1(ranker: Lexgear, queries: Sequence[Query]) -> float:
    """Return the mean share of a query's charges that the first predicted charge covers."""
    nodes = ranker.inference.charge_nodes()
    first = [
        int(nodes[np.argmax(ranker.inference.law_log_p(ranker.inference.read(query.text))[nodes])])
        for query in map(ranker.names.query, queries)
    ]
    named = [ranker.parts.ids.node_name(node).rsplit("/", 1)[-1] for node in first]
    gold = {query.id: query.charges for query in queries}
    judged = {query.id: [(name,)] for query, name in zip(queries, named, strict=True)}
    return float(np.mean(list(coverage(gold, judged, 1).values())))


def test_coverage_drops_to_random_if_charges_are_permuted_among_documents(
    ranker: Lexgear, sample: Collection, unseen: list[Query]
) -> None:
    order = np.random.default_rng(5).permutation(len(sample.documents))
    charges = [sample.documents[place].charges for place in order]
    documents = tuple(
        replace(document, charges=others) for document, others in zip(sample.documents, charges, strict=True)
    )
    senseless = Lexgear(changed(QUICK_LEXGEAR, max_length=8, hidden_size=8)).fit(replace(sample, documents=documents))
    # A charge drawn at random is right once in 46: of 40 queries, more than 4 (0.1) with a probability of 0.002.
    assert coverage_at_1(senseless, unseen) <= 0.1
    assert coverage_at_1(ranker, unseen) > 0.8


def shuffled(collection: Collection) -> Collection:
    """Return the same texts with the labels of the test queries exchanged."""
    test = [query for query in collection.queries if query.split == "test"]
    others = dict(zip((query.id for query in test), [*test[1:], test[0]], strict=True))
    queries = tuple(
        replace(query, charges=others[query.id].charges) if query.id in others else query
        for query in collection.queries
    )
    qrels = {
        name: collection.qrels[others[name].id] if name in others else row for name, row in collection.qrels.items()
    }
    return replace(collection, queries=queries, qrels=qrels)


@pytest.mark.parametrize("ranker", [Gear(TINY_GEAR), Lexgear(QUICK_LEXGEAR)], ids=lambda ranker: ranker.name)
def test_labels_of_test_queries_change_neither_the_index_nor_the_results(
    ranker: Gear | Lexgear, tmp_path: Path
) -> None:
    other = type(ranker)(ranker.settings)
    mixed_up = shuffled(SLICE)
    assert [query.text for query in mixed_up.queries] == [query.text for query in SLICE.queries]
    assert mixed_up.queries != SLICE.queries
    for one, collection, name in ((ranker, SLICE, "right"), (other, mixed_up, "shuffled")):
        one.fit(collection)
        (tmp_path / name).mkdir()
        one.save(tmp_path / name)
    for path in (tmp_path / "right").iterdir():
        assert path.read_bytes() == (tmp_path / "shuffled" / path.name).read_bytes(), path.name
    test = [[query for query in one.queries if query.split == "test"] for one in (SLICE, mixed_up)]
    assert ranker.search(test[0], 10) == other.search(test[1], 10)
    assert [ranker.search_explained(query, 3) for query in test[0]] == [
        other.search_explained(query, 3) for query in test[1]
    ]
