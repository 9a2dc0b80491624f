"""Rankings and labels as TREC files: `qid Q0 docid rank score tag` and `qid 0 docid grade`."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from lexgear.atomic import atomic_file
from lexgear.errors import InputError
from lexgear.files import read_text

_Value = TypeVar("_Value", int, float)

Run: TypeAlias = Mapping[str, Mapping[str, float]]
"""query id → document id → score. The scores alone say the order: see `ranking`."""

Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
"""query id → document id → grade."""

HIGHEST_GRADE = 1000
"""trec_eval counts in an array as long as the highest grade: 10^8 takes it seconds, 2^40 kills it."""

_RUN_LINE = "a line is `qid Q0 docid rank score tag`"
_QRELS_LINE = "a line is `qid 0 docid grade`"


def ranking(scores: Mapping[str, float]) -> list[str]:
    """Documents from best to worst; equal scores go by document id.

    >>> ranking({"b": 1.0, "c": 2.0, "a": 1.0})
    ['c', 'a', 'b']
    """
    return sorted(scores, key=lambda document: (-scores[document], document))


def reciprocal_rank(documents: Iterable[str], relevant: Collection[str]) -> float:
    """Return 1 over the rank of the first relevant document, or 0 if there is none.

    >>> reciprocal_rank(["a", "b", "c"], {"b", "c"})
    0.5
    """
    return next((1 / rank for rank, document in enumerate(documents, start=1) if document in relevant), 0.0)


@dataclass(frozen=True, slots=True)
class Label:
    """One label, and the line it stands on where there is one."""

    query: str
    document: str
    grade: int
    line: int | None = None


def read_run(path: str | Path) -> dict[str, dict[str, float]]:
    """The rankings of a TREC run. The rank column is not used: as in trec_eval, the scores say the order."""
    path = Path(path)
    run: dict[str, dict[str, float]] = {}
    for number, (query, _, document, _, written, _) in _rows(path, 6, _RUN_LINE):
        score = _score(written)
        if math.isnan(score):
            raise InputError(f"the score {written!r} is no number", file=path, line=number, remedy=_RUN_LINE)
        _keep(run.setdefault(query, {}), query, document, score, path, number)
    return _some(run, path, _RUN_LINE)


def write_run(path: str | Path, run: Run, tag: str = "lexgear") -> None:
    """Writes a TREC run, best first; scores keep every digit, so that it reads back in the same order."""
    with atomic_file(Path(path)) as file:
        for query, scores in run.items():
            if any(math.isnan(score) for score in scores.values()):
                raise ValueError(f"query {query} has a score that is not a number")
            for rank, document in enumerate(ranking(scores), start=1):
                row = (query, "Q0", document, str(rank), repr(float(scores[document])), tag)
                file.write(_line(row))


def read_labels(path: Path) -> Iterator[Label]:
    """The labels of a TREC qrels file, line by line; there may be none."""
    for number, (query, _, document, written) in _rows(path, 4, _QRELS_LINE):
        grade = _grade(written)
        if grade is None:
            problem = f"the grade {written!r} is no whole number up to {HIGHEST_GRADE}"
            raise InputError(problem, file=path, line=number, remedy=_QRELS_LINE)
        yield Label(query, document, grade, number)


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """The grades of a TREC qrels file; a document labelled twice, or no label at all, is an error."""
    qrels: dict[str, dict[str, int]] = {}
    for label in read_labels(path):
        _keep(qrels.setdefault(label.query, {}), label.query, label.document, label.grade, path, label.line)
    return _some(qrels, path, _QRELS_LINE)


def write_qrels(path: Path, qrels: Qrels) -> None:
    """Writes a TREC qrels file."""
    with atomic_file(path) as file:
        for query, grades in qrels.items():
            for document, grade in grades.items():
                file.write(_line((query, "0", document, str(grade))))


def _rows(path: Path, columns: int, remedy: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of either format with their line numbers."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        row = line.split()
        if row and len(row) != columns:
            raise InputError(f"{len(row)} columns instead of {columns}", file=path, line=number, remedy=remedy)
        if row:
            yield number, row


def _keep(row: dict[str, _Value], query: str, document: str, value: _Value, path: Path, line: int | None) -> None:
    if document in row:
        problem = f"document {document} stands twice for query {query}"
        raise InputError(problem, file=path, line=line, remedy="keep one of the two lines")
    row[document] = value


def _some(table: dict[str, dict[str, _Value]], path: Path, remedy: str) -> dict[str, dict[str, _Value]]:
    if not table:
        raise InputError("the file is empty", file=path, remedy=remedy)
    return table


def _score(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        return math.nan


def _grade(written: str) -> int | None:
    try:
        grade = int(written)
    except ValueError:
        return None
    return grade if abs(grade) <= HIGHEST_GRADE else None


def _line(row: tuple[str, ...]) -> str:
    for part in row:
        if len(part.split()) != 1:
            raise InputError(f"{part!r} cannot stand in a TREC file", remedy="use an id without spaces")
    return " ".join(row) + "\n"
