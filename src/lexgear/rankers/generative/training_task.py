"""The data of one training of a generator."""

from __future__ import annotations

from dataclasses import dataclass

from lexgear.corpus.records import Collection
from lexgear.training.query_split import QuerySplit


@dataclass(frozen=True)
class TrainingTask:
    """Data of one training of the generator."""

    collection: Collection
    split: QuerySplit
    texts: list[str]
    """The documents as the model reads them, by position."""
    epochs: int
    documents_known: bool = False
    """True if the documents have been learnt before and only queries are new."""
