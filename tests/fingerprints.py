"""Fingerprints of real texts, which tests may keep: id, length and the beginning of the sha256."""

from collections.abc import Sequence
from hashlib import sha256

from lexgear.corpus.records import Document, Query

Fingerprint = tuple[str, int, str]


def fingerprint(record: Document | Query) -> Fingerprint:
    return record.id, len(record.text), sha256(record.text.encode()).hexdigest()[:8]


def first_tenth_last(records: Sequence[Document | Query]) -> list[Fingerprint]:
    return [fingerprint(records[place]) for place in (0, 9, -1)]
