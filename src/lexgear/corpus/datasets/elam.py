"""Reader of ELAM as split by GEAR's authors: labels and charges of Chinese criminal cases; the texts are not public."""

from __future__ import annotations

from pathlib import Path

from lexgear.corpus.datasets.reader import (
    Record,
    Row,
    expect_shape,
    need_file,
    read_list,
    read_object,
    read_records,
)
from lexgear.corpus.label_checks import keep_known_labels
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.law.shipped import chinese_criminal_law
from lexgear.progress import Progress
from lexgear.trec import Label

_LAYOUT = "give the directory with the split of GEAR's authors"


def read_elam(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    """Read the candidates, queries and labels.

    The candidates are the 1,479 cases with a label of level 2, without the 147 test queries: 1,332. Each candidate is
    also a training query and is excluded from its own results. Labels of level 1 that lead outside the candidates are
    dropped by this rule and not listed as skipped records; `source` holds their number.
    """
    charge_file = need_file(source, "pid_charges.json", remedy=_LAYOUT)
    label_file = source / "atomicId_labels_2and1_dict.json"
    charges = read_object(charge_file)
    matching, related = _read_labels(source / "atomicId_labels_dict.json"), _read_labels(label_file)
    test = {str(case) for case in read_list(source / "test_set.json")}
    labelled = {*matching, *(other for others in matching.values() for other in others)}
    candidates, query_ids = labelled - test, labelled | test
    rows: list[tuple[None, Row]] = [
        (None, {"id": case, "charges": charges.get(case)})
        for case in dict.fromkeys([*charges, *sorted(query_ids)])
        if case in query_ids
    ]
    documents = read_records(
        charge_file,
        [row for row in rows if row[1]["id"] in candidates],
        lambda record: Document(record.id, charges=record.charges("charges")),
        skipped,
        progress=progress,
    )

    def query(record: Record) -> Query:
        split, own_documents = ("test", ()) if record.id in test else ("train", (record.id,))
        return Query(record.id, "", record.charges("charges"), split, own_documents)

    queries = read_records(charge_file, rows, query, skipped)
    labels = [
        Label(case, other, 2 if other in matching.get(case, ()) else 1)
        for case, others in related.items()
        for other in others
    ]
    inside = [label for label in labels if label.query in query_ids and label.document in candidates]
    return Collection(
        name="elam",
        language="zh",
        documents=documents,
        queries=queries,
        qrels=keep_known_labels(label_file, inside, queries, documents, skipped),
        law=chinese_criminal_law(),
        relevant_from=1,
        source={
            "data set": "ELAM, as split by GEAR's authors",
            "url": "https://github.com/ruc-wjyu/IOT-Match",
            "licence": "none stated",
            "texts": "none: only ids and charges of the cases are public",
            "labels outside the candidates": str(len(labels) - len(inside)),
            "cases outside the candidates": str(len(charges.keys() - query_ids)),
        },
    )


def _read_labels(path: Path) -> dict[str, tuple[str, ...]]:
    with expect_shape(path, "case id → ids of its similar cases"):
        return {case: tuple(map(str, others)) for case, others in read_object(path).items()}
