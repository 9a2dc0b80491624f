"""Table of data set statistics: counted from the collections, with the paper's own numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from lexgear.corpus.records import Collection
from lexgear.evaluation.reproduce.report import Cell, Table
from lexgear.training.query_split import relevant

STATISTICS = (
    "Avg. length per candidate",
    "Avg. length per query",
    "Avg. charges per candidate",
    "Available candidates per query",
    "of them, relevant to some query",
    "official candidates per query",
    "Queries involved",
    "of them, for testing",
    "Charges involved",
)
PAPER: dict[str, tuple[Cell, ...]] = {
    "elam": (1163.68, 1304.98, 1.00, 1332, None, None, 147, None, 97),
    "lecardv2": (1568.38, 558.18, 1.50, 1390, None, None, 653, None, 100),
    "bsard": (880.29, 92.48, None, 1612, None, None, 1108, None, None),
}
"""The column of each data set in the paper's table "Statistics of the datasets" (GEAR, SIGIR 2024)."""
SAME_AS = {
    "bsard-rebuilt": "bsard",
    "bsard-closed": "bsard",
    "bsard-rebuilt-closed": "bsard",
    "lecardv2-closed": "lecardv2",
}
"""Our name → the paper's, for files that differ but stand for the same data set."""
NOTES = (
    "Lengths are in characters, in French too: the paper states no unit, but a question of BSARD has about 15 words, "
    "so 92.48 can only be characters.",
    "Queries involved are those with a relevant candidate; charges involved are those of the candidates.",
)
REMARKS = {
    "elam": "the paper counts the testing queries alone, but the charges of all 2,363 cases in the files of the split",
    "bsard": "the paper's candidates are the articles relevant to some question",
}
"""Data sets that the paper counts differently, according to its authors' files."""


def datasets_table(collections: Sequence[Collection]) -> Table:
    """Return one column per data set, followed by the paper's column if it has one."""
    columns, cells, notes = ["statistic"], [], list(NOTES)
    for collection in collections:
        columns.append(collection.name)
        cells.append(_statistics(collection))
        paper = SAME_AS.get(collection.name, collection.name)
        if paper in PAPER:
            columns.append(f"{collection.name}, paper")
            cells.append(PAPER[paper])
            notes += [f"{collection.name}: {REMARKS[paper]}."] if paper in REMARKS else []
        notes += _remarks(collection)
    rows = [(name, *(column[place] for column in cells)) for place, name in enumerate(STATISTICS)]
    return Table("Statistics of the data sets", columns, rows, notes)


def _statistics(collection: Collection) -> tuple[Cell, ...]:
    documents = collection.documents
    answers = {query.id: relevant(collection, query) for query in collection.queries}
    involved = [query for query in collection.queries if answers[query.id]]
    testing = sum(query.split == "test" for query in involved)
    charges = {charge for document in documents for charge in document.charges}
    return (
        _mean(len(document.text) for document in documents if document.text),
        _mean(len(query.text) for query in involved if query.text),
        _mean(len(document.charges) for document in documents if document.charges),
        len(documents),
        len({name for names in answers.values() for name in names}),
        _mean(map(len, collection.pools.values())),
        len(involved),
        testing or None,
        len(charges) or None,
    )


def _remarks(collection: Collection) -> list[str]:
    """Return notes on a column: missing texts and charges, and the caveat of the source."""
    name, documents, queries = collection.name, collection.documents, collection.queries
    found = []
    for what, missing, total in (
        ("candidates have no text", sum(not one.text for one in documents), len(documents)),
        ("queries have no text", sum(not one.text for one in queries), len(queries)),
        ("candidates have no charge", sum(not one.charges for one in documents), len(documents)),
    ):
        if missing and (missing < total or "text" in what):
            found.append(f"{name}: {missing:,} of {total:,} {what} and are left out of that average.")
    if caveat := collection.source.get("caveat"):
        found.append(f"{name}: {caveat}.")
    return found


def _mean(counts: Iterable[int]) -> float | None:
    values = list(counts)
    return fmean(values) if values else None
