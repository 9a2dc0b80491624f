"""Reading of documents by an engine, partition by partition: counting words, encoding texts.

Partitions have a fixed size and their results are put together in order, so that nothing depends on the number of
workers. Every document is read by itself, so that the result is that of reading all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from lexgear.corpus.records import Document
from lexgear.engine.current import current_engine
from lexgear.lexical.counts import WordCounts, merged
from lexgear.progress import Progress, silent

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
DOCUMENTS_PER_PARTITION = 500


class Read(Protocol[R_co]):
    """A function that reads documents; other processes must be able to import it and get its arguments."""

    def __call__(self, documents: Sequence[Document], progress: Progress) -> R_co:
        """Return what is read."""


def read_documents(read: Read[R], documents: Sequence[Document], progress: Progress, label: str) -> list[R]:
    """Return what is read of all documents at once or, by an engine, of each partition."""
    engine = current_engine()
    if engine is None or not documents:
        return [read(documents, progress)]
    starts = range(0, len(documents), DOCUMENTS_PER_PARTITION)
    partitions = (documents[start : start + DOCUMENTS_PER_PARTITION] for start in starts)
    results: list[R] = []
    for result in engine.map(_Silently(read), partitions):
        results.append(result)
        progress(min(len(results) * DOCUMENTS_PER_PARTITION, len(documents)), len(documents), label)
    return results


def count_documents(
    count: Read[list[WordCounts]], documents: Sequence[Document], progress: Progress, label: str
) -> list[WordCounts]:
    """Return the word counts of all documents; `count` may count several texts of each document."""
    parts = read_documents(count, documents, progress, label)
    return parts[0] if len(parts) == 1 else [merged(kind) for kind in zip(*parts, strict=True)]


@dataclass(frozen=True)
class _Silently(Generic[R]):
    """A reader without progress, which is not reported from other processes."""

    read: Callable[[Sequence[Document], Progress], R]

    def __call__(self, documents: Sequence[Document]) -> R:
        return self.read(documents, silent)
