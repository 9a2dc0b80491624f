"""TREC run files (`qid Q0 docid rank score tag`) and qrels files (`qid 0 docid grade`)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from lexgear.atomic import atomic_file
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_text

_Value = TypeVar("_Value", int, float)

Run: TypeAlias = Mapping[str, Mapping[str, float]]
"""query id → document id → score. The order follows from the scores: see `ranking`."""

Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
"""query id → document id → grade."""

HIGHEST_GRADE = 1000
"""trec_eval allocates an array as long as the highest grade: 10^8 takes seconds, 2^40 crashes it."""

_RUN_LINE = "write lines of the form `qid Q0 docid rank score tag`"
_QRELS_LINE = "write lines of the form `qid 0 docid grade`"


def ranking(scores: Mapping[str, float]) -> list[str]:
    """Return the document ids from best to worst; ties go by document id.

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
    """A relevance label, with its line number if it comes from a file."""

    query: str
    document: str
    grade: int
    line: int | None = None


def read_run(path: str | Path) -> dict[str, dict[str, float]]:
    """Read a TREC run. As in trec_eval, the order follows from the scores; the rank column is ignored."""
    path = Path(path)
    run: dict[str, dict[str, float]] = {}
    for number, (query, _, document, _, written, _) in _rows(path, 6, _RUN_LINE):
        score = _score(written)
        if math.isnan(score):
            raise _malformed(f"the score {written!r} is not a number", path, number, _RUN_LINE)
        _add(run.setdefault(query, {}), query, document, score, path, number)
    return _require_rows(run, path, _RUN_LINE)


def write_run(path: str | Path, run: Run, tag: str = "lexgear") -> None:
    """Write a TREC run, best documents first; scores keep all digits, so the order survives reading back."""
    with atomic_file(Path(path)) as file:
        for query, scores in run.items():
            if any(math.isnan(score) for score in scores.values()):
                raise ValueError(f"query {query} has a score that is NaN")
            for rank, document in enumerate(ranking(scores), start=1):
                row = (query, "Q0", document, str(rank), repr(float(scores[document])), tag)
                file.write(_line(row))


def read_labels(path: Path) -> Iterator[Label]:
    """Yield the labels of a TREC qrels file; the file may be empty."""
    for number, (query, _, document, written) in _rows(path, 4, _QRELS_LINE):
        grade = _grade(written)
        if grade is None:
            problem = f"the grade {written!r} is not a whole number of at most {HIGHEST_GRADE}"
            raise _malformed(problem, path, number, _QRELS_LINE)
        yield Label(query, document, grade, number)


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Read a TREC qrels file; an empty file or a document labelled twice is an error."""
    qrels: dict[str, dict[str, int]] = {}
    for label in read_labels(path):
        _add(qrels.setdefault(label.query, {}), label.query, label.document, label.grade, path, label.line)
    return _require_rows(qrels, path, _QRELS_LINE)


def write_qrels(path: Path, qrels: Qrels) -> None:
    """Write a TREC qrels file."""
    with atomic_file(path) as file:
        for query, grades in qrels.items():
            for document, grade in grades.items():
                file.write(_line((query, "0", document, str(grade))))


def _rows(path: Path, columns: int, remedy: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a run or qrels file with their line numbers."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        row = line.split()
        if row and len(row) != columns:
            raise _malformed(f"{len(row)} columns instead of {columns}", path, number, remedy)
        if row:
            yield number, row


def _add(row: dict[str, _Value], query: str, document: str, value: _Value, path: Path, line: int | None) -> None:
    if document in row:
        raise InputError(
            f"document {document} appears twice for query {query}",
            code=ErrorCode.DUPLICATE_ID,
            file=path,
            line=line,
            remedy="keep one of the two lines",
            document=document,
            query=query,
        )
    row[document] = value


def _require_rows(table: dict[str, dict[str, _Value]], path: Path, remedy: str) -> dict[str, dict[str, _Value]]:
    if not table:
        raise _malformed("the file is empty", path, None, remedy)
    return table


def _malformed(problem: str, path: Path, line: int | None, remedy: str) -> InputError:
    return InputError(problem, code=ErrorCode.FILE_MALFORMED, file=path, line=line, remedy=remedy)


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
            raise InputError(
                f"{part!r} is empty or has spaces, which TREC files do not allow",
                code=ErrorCode.INVALID_ARGUMENT,
                remedy="use an id without spaces",
                value=part,
            )
    return " ".join(row) + "\n"
