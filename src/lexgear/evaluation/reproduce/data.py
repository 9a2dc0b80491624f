"""Collections by name: the built-in samples, or any collection directory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lexgear.corpus.records import Collection
from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.corpus.store import load_collection
from lexgear.errors import ErrorCode, InputError

SAMPLES = ("sample", "sample-fr", "tiny")
TINY_DOCUMENTS, TINY_QUERIES = 120, 6
"""Size of `tiny`: enough to go through every step of every system in seconds. Queries are per split."""


def load_data(name: str) -> Collection:
    """Return `sample` (cases), `sample-fr` (statutes), `tiny` (a part of the cases), or a collection directory."""
    if name == "sample":
        return sample_cases()
    if name == "sample-fr":
        return sample_statutes()
    if name == "tiny":
        return _tiny(sample_cases())
    if not Path(name).is_dir():
        raise InputError(
            f"no data named {name!r}",
            code=ErrorCode.UNKNOWN_NAME,
            remedy=f"choose from {', '.join(SAMPLES)}, or name a collection directory",
            name=name,
        )
    return load_collection(Path(name))


def _tiny(collection: Collection) -> Collection:
    """Return the first queries of each split, the documents relevant to them, and some others."""
    queries = [
        query
        for split in ("train", "test")
        for query in [one for one in collection.queries if one.split == split][:TINY_QUERIES]
    ]
    wanted = {
        name
        for query in queries
        for name, grade in collection.qrels[query.id].items()
        if grade >= collection.relevant_from
    }
    others = [document.id for document in collection.documents if document.id not in wanted]
    wanted |= set(others[:: max(len(others) // max(TINY_DOCUMENTS - len(wanted), 1), 1)])
    documents = tuple(document for document in collection.documents if document.id in wanted)
    kept = {document.id for document in documents}
    labels = {one.id: {name: g for name, g in collection.qrels[one.id].items() if name in kept} for one in queries}
    return replace(collection, name="tiny", documents=documents, queries=tuple(queries), qrels=labels, pools={})
