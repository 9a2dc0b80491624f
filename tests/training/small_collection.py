"""A collection that a model can be trained on in a second: a slice of the sample, and settings as small as they go."""

from dataclasses import replace
from typing import Any

from lexgear.corpus.records import Collection
from lexgear.corpus.sample.cases import sample_cases
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.settings import configure


def small_collection(documents: int = 40) -> Collection:
    """The first documents, and the queries that one of them answers."""
    whole = sample_cases()
    some = whole.documents[:documents]
    known = {document.id for document in some}
    labels = {
        query: {name: grade for name, grade in row.items() if name in known} for query, row in whole.qrels.items()
    }
    queries = [q for q in whole.queries if any(grade >= whole.relevant_from for grade in labels[q.id].values())]
    qrels = {query.id: labels[query.id] for query in queries}
    return replace(whole, documents=some, queries=tuple(queries), qrels=qrels)


TINY: dict[str, Any] = {
    "batch_size": 20,
    "max_length": 16,
    "hidden_size": 16,
    "num_heads": 2,
    "vocab_size": 400,
    "epochs": 2,
}
GEAR = configure(GearSettings, **TINY, lambda_l=0.0)
LEXGEAR = configure(LexgearSettings, **TINY, backbone="")
