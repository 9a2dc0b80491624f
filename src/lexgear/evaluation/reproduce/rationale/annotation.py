"""Annotation of rationales by two people, as in the paper: the sheet they fill in, and its evaluation.

The sheet shows every case once per method of the paper's table. Each annotator marks whether what the method keeps of
the case suffices to tell its charges: 1 if it does, 0 if not.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from lexgear.atomic import atomic_file
from lexgear.corpus.records import Collection
from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.reproduce.rationale.cases import StudyCase, study_cases
from lexgear.evaluation.reproduce.rationale.model_inputs import MakeInputs
from lexgear.evaluation.reproduce.rationale.tables import PAPER_ACCURACY, RATIONALE
from lexgear.evaluation.reproduce.report import Cell, Table
from lexgear.evaluation.significance import bootstrap, bootstrap_of
from lexgear.files import read_text
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.records import RationaleSettings

ANNOTATORS = ("annotator_1", "annotator_2")
COLUMNS = ("id", "method", "text", "rationale", "charges", *ANNOTATORS)
MARKS = {"1": 1, "0": 0}
_FORMULA = tuple("=+-@＝＋－＠")
"""Characters that start a formula in a spreadsheet, including the full-width forms that Chinese versions accept."""
PAPER_AGREEMENT = (0.96, 0.96)
"""Agreement of two Ph.D.s in law on 50 samples each of ELAM and LeCaRDv2; one number for all samples."""
ALL_METHODS = "all methods"


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of both annotators for every sample."""

    first: Sequence[int]
    second: Sequence[int]


def draw_cases(collection: Collection, samples: int, seed: int) -> Sequence[StudyCase]:
    """Return the cases of a sheet; `table-rationale` draws the same ones with the same seed."""
    return study_cases(collection, Inputs.of(collection, RationaleSettings()), seed).sample(samples)


def write_sheet(out: Path, drawn: Sequence[StudyCase], methods: Mapping[str, MakeInputs], seed: int) -> int:
    """Write a sheet and return the number of its rows.

    A row is a case with what one method keeps of it, read as an undecided case; the charges are only for the
    annotators. Rows are in random order, so that an annotator does not see the methods side by side.
    """
    check_sheet(out)
    texts = [case.text for case in drawn]
    kept = {name: make(texts) for name, make in methods.items()}
    rows = [(case, name, kept[name][place]) for place, case in enumerate(drawn) for name in methods]
    order = np.random.default_rng(seed).permutation(len(rows)).tolist()
    with atomic_file(out) as file:
        file.write("\ufeff")  # without it spreadsheets do not read a CSV file as UTF-8
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for case, name, rationale in (rows[place] for place in order):
            cells = (case.id, name, case.text, rationale, "；".join(case.charges))
            writer.writerow([*map(sheet_cell, cells), "", ""])
    return len(rows)


def check_sheet(out: Path) -> None:
    """Raise an `InputError` if there is a sheet already."""
    if out.exists():
        raise InputError(
            "the file exists, and marks in it would be lost",
            code=ErrorCode.OUTPUT_OCCUPIED,
            file=out,
            remedy="choose another file",
        )


def sheet_cell(text: str) -> str:
    """Return a text as one line that no spreadsheet takes for a formula.

    >>> sheet_cell("=1+1"), sheet_cell("first\\nsecond")
    ("'=1+1", 'first second')
    """
    line = " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
    return f"'{line}" if line.startswith(_FORMULA) else line


def read_marks(sheet: Path) -> dict[str, Marks]:
    """Read method → marks from a completed sheet; none may be missing. Sheets without methods are of f_R alone."""
    reader = csv.DictReader(io.StringIO(read_text(sheet), newline=""))
    if missing := [name for name in ANNOTATORS if name not in (reader.fieldnames or ())]:
        raise InputError(
            f"no column {', '.join(missing)}",
            code=ErrorCode.FILE_MALFORMED,
            file=sheet,
            line=1,
            remedy="keep the columns of the sheet, separated by commas",
        )
    rows: dict[str, list[list[int]]] = {}
    for row in reader:
        marks = [(row[name] or "").strip() for name in ANNOTATORS]
        for name, mark in zip(ANNOTATORS, marks, strict=True):
            if mark not in MARKS:
                raise InputError(
                    f"the mark of {name} is {mark!r}" if mark else f"no mark of {name}",
                    code=ErrorCode.RECORD_INVALID,
                    file=sheet,
                    line=reader.line_num,
                    remedy="write 1 if the rationale suffices to tell the charges, otherwise 0",
                    value=mark,
                )
        rows.setdefault(row.get("method") or RATIONALE, []).append([MARKS[mark] for mark in marks])
    if not rows:
        raise InputError(
            "the sheet has no samples", code=ErrorCode.FILE_MALFORMED, file=sheet, remedy="draw a new sheet"
        )
    return {name: Marks(*zip(*pairs, strict=True)) for name, pairs in rows.items()}


def annotation_table(marks: Mapping[str, Marks]) -> Table:
    """Return accuracy by each annotator and by both, and their agreement, for each method and for all together."""
    known = [name for name in PAPER_ACCURACY if name in marks]
    rows = [row for name in (*known, *(marks.keys() - known)) for row in _method_rows(name, marks[name])]
    if len(marks) > 1:
        together = Marks(
            [mark for one in marks.values() for mark in one.first],
            [mark for one in marks.values() for mark in one.second],
        )
        rows += [row for row in _method_rows(ALL_METHODS, together) if not str(row[1]).startswith("accuracy")]
    samples = ", ".join(f"{len(one.first)} of {name}" for name, one in marks.items())
    notes = [
        f"samples: {samples}; accuracy is the share marked 1, of both annotators the mean. low, high: 95% bootstrap "
        "interval over the samples.",
        "The interval of kappa is over 1,000 resamples; one in which both give every sample the same mark counts as 1. "
        "Kappa is not defined if both annotators gave every sample the same mark.",
    ]
    columns = ("method", "measure", "value", "low", "high", "paper, ELAM", "paper, LeCaRDv2")
    return Table("Rationales by two annotators", columns, rows, notes)


def _method_rows(name: str, marks: Marks) -> list[Sequence[Cell]]:
    pairs = list(zip(marks.first, marks.second, strict=True))
    measured: dict[str, list[float]] = {
        "accuracy, annotator 1": [float(one) for one in marks.first],
        "accuracy, annotator 2": [float(one) for one in marks.second],
        "accuracy, both": [fmean(pair) for pair in pairs],
        "agreement": [float(one == other) for one, other in pairs],
    }
    nothing: tuple[Cell, Cell] = (None, None)
    paper = {"accuracy, both": PAPER_ACCURACY.get(name, nothing), "agreement": PAPER_AGREEMENT}
    rows: list[Sequence[Cell]] = [
        (name, measure, fmean(values), *bootstrap(values), *paper.get(measure, nothing))
        for measure, values in measured.items()
    ]
    kappa = cohens_kappa(marks.first, marks.second)
    interval = nothing if kappa is None else _kappa_interval(marks)
    return [*rows, (name, "Cohen's kappa", kappa, *interval, *nothing)]


def cohens_kappa(first: Sequence[int], second: Sequence[int]) -> float | None:
    """Return the agreement beyond chance (Cohen 1960); None if all marks are the same.

    >>> cohens_kappa([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    """
    agreed = fmean(float(one == other) for one, other in zip(first, second, strict=True))
    yes, also = fmean(first), fmean(second)
    by_chance = yes * also + (1 - yes) * (1 - also)
    return None if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)


def _kappa_interval(marks: Marks) -> tuple[float, float]:
    def kappa(places: Sequence[int]) -> float:
        found = cohens_kappa([marks.first[place] for place in places], [marks.second[place] for place in places])
        return 1.0 if found is None else found

    return bootstrap_of(kappa, len(marks.first))
