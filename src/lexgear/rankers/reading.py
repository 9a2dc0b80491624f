"""Reading of documents by an engine, partition by partition: counting words, encoding texts.

Partitions have a fixed size and their results are put together in order, so that nothing depends on the number of
workers. Every document is read by itself, so that the result is that of reading all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from lexgear.corpus.document_files import is_on_disk
from lexgear.corpus.records import Document
from lexgear.engine.current import current_engine
from lexgear.engine.in_process import InProcessEngine
from lexgear.lexical.counts import WordCounts, joined, merged
from lexgear.progress import Progress, silent

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
DOCUMENTS_PER_PARTITION = 500
PARTITIONS_PER_BLOCK = 20
"""Partitions whose word counts are put together at once: the words of each of 2,000 would take much memory."""


class Read(Protocol[R_co]):
    """A function that reads documents; other processes must be able to import it and get its arguments."""

    def __call__(self, documents: Sequence[Document], progress: Progress) -> R_co:
        """Return what is read."""


def read_documents(read: Read[R], documents: Sequence[Document], progress: Progress, label: str) -> list[R]:
    """Return what is read of all documents at once or, if an engine reads them or they are in a file, by partition."""
    return list(_read(read, documents, progress, label))


def _read(read: Read[R], documents: Sequence[Document], progress: Progress, label: str) -> Iterator[R]:
    engine = current_engine()
    if not documents or (engine is None and not is_on_disk(documents)):
        yield read(documents, progress)
        return
    starts = range(0, len(documents), DOCUMENTS_PER_PARTITION)
    partitions = (documents[start : start + DOCUMENTS_PER_PARTITION] for start in starts)
    results = (engine or InProcessEngine()).map(_Silently(read), partitions)
    for done, result in enumerate(results, start=1):
        yield result
        progress(min(done * DOCUMENTS_PER_PARTITION, len(documents)), len(documents), label)


def count_documents(
    count: Read[list[WordCounts]], documents: Sequence[Document], progress: Progress, label: str
) -> list[WordCounts]:
    """Return the word counts of all documents; `count` may count several texts of each document."""
    kinds: list[list[WordCounts]] = []
    waiting: list[list[WordCounts]] = []
    for part in _read(count, documents, progress, label):
        waiting.append(part)
        if len(waiting) == PARTITIONS_PER_BLOCK:
            kinds.append([merged(kind).moved() for kind in zip(*waiting, strict=True)])
            waiting.clear()
    if waiting:
        kinds.append(waiting[0] if len(waiting) == 1 else [merged(kind) for kind in zip(*waiting, strict=True)])
    return kinds[0] if len(kinds) == 1 else [joined(kind) for kind in zip(*kinds, strict=True)]


@dataclass(frozen=True)
class _Silently(Generic[R]):
    """A reader without progress, which is not reported from other processes."""

    read: Callable[[Sequence[Document], Progress], R]

    def __call__(self, documents: Sequence[Document]) -> R:
        return self.read(documents, silent)
