"""Filters for labels and candidate pools that refer to unknown queries or documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lexgear.corpus.datasets.reader import HasId
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.trec import Label


def keep_known_labels(
    file: Path,
    labels: Iterable[Label],
    queries: Iterable[HasId],
    documents: Iterable[HasId],
    skipped: SkippedRecords,
) -> dict[str, dict[str, int]]:
    """Return query id → document id → grade; skip labels of unknown queries or documents and repeated labels."""
    labels, query_ids = list(labels), {query.id for query in queries}
    labelled = {label.document for label in labels}
    document_ids = {document.id for document in documents if document.id in labelled} if labels else set()
    qrels: dict[str, dict[str, int]] = {}
    for label in labels:
        reason = ""
        if label.query not in query_ids:
            reason = "label of an unknown query"
        elif label.document not in document_ids:
            reason = "label of an unknown document"
        elif label.document in qrels.get(label.query, {}):
            reason = "second label of the same document"
        if reason:
            skipped.add(file, label.line, f"{label.query} {label.document}", reason)
        else:
            qrels.setdefault(label.query, {})[label.document] = label.grade
    return qrels


def keep_known_pools(
    file: Path, pools: Mapping[str, Iterable[str]], documents: Iterable[HasId], skipped: SkippedRecords
) -> dict[str, tuple[str, ...]]:
    """Return query id → candidates; skip unknown candidates."""
    known = {document.id for document in documents}
    kept: dict[str, tuple[str, ...]] = {}
    for query, pool in pools.items():
        for document in (document for document in pool if document not in known):
            skipped.add(file, None, f"{query} {document}", "unknown candidate")
        kept[query] = tuple(document for document in pool if document in known)
    return kept
