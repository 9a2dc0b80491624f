"""Collection and settings with which a model trains in a second."""

from dataclasses import replace
from typing import Any

from lexgear.corpus.records import Collection
from lexgear.corpus.sample.cases import sample_cases
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.lexgear.settings import LexgearSettings


def small_collection(documents: int = 40) -> Collection:
    """Return the first documents of the sample and the queries that they answer."""
    whole = sample_cases()
    some = whole.documents[:documents]
    known = {document.id for document in some}
    labels = {
        query: {name: grade for name, grade in row.items() if name in known} for query, row in whole.qrels.items()
    }
    queries = [q for q in whole.queries if any(grade >= whole.relevant_from for grade in labels[q.id].values())]
    qrels = {query.id: labels[query.id] for query in queries}
    return replace(whole, documents=some, queries=tuple(queries), qrels=qrels)


TINY: dict[str, Any] = {"batch": 20, "tokens": 16, "width": 16, "heads": 2, "vocabulary": 400, "epochs": 2}
GEAR = GearSettings(**TINY, lambda_l=0.0)
LEXGEAR = LexgearSettings(**TINY, backbone="")
