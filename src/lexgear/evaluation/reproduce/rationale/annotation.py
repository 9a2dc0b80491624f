"""Annotation of rationales by two people, as in the paper: the sheet they fill in, and its evaluation.

Each annotator marks whether the rationale suffices to tell the charges of the case: 1 if it does, 0 if not.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from lexgear.atomic import atomic_file
from lexgear.corpus.records import Collection
from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.reproduce.rationale.cases import study_cases
from lexgear.evaluation.reproduce.report import Cell, Table
from lexgear.evaluation.significance import bootstrap, bootstrap_of
from lexgear.files import read_text
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.records import RationaleSettings

ANNOTATORS = ("annotator_1", "annotator_2")
COLUMNS = ("id", "text", "rationale", "charges", *ANNOTATORS)
MARKS = {"1": 1, "0": 0}
_FORMULA = tuple("=+-@＝＋－＠")
"""Characters that start a formula in a spreadsheet, including the full-width forms that Chinese versions accept."""
PAPER: dict[str, tuple[Cell, Cell]] = {"accuracy, both": (0.94, 0.86), "agreement": (0.96, 0.96)}
"""Results of two Ph.D.s in law for f_R on 50 samples each of ELAM and LeCaRDv2; one agreement for all samples."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of both annotators for every sample."""

    first: Sequence[int]
    second: Sequence[int]


def draw_sheet(collection: Collection, out: Path, samples: int, seed: int) -> int:
    """Write a sheet of samples and return how many; `table-rationale` draws the same ones with the same seed.

    The rationale is extracted as from an undecided case; the charges are only for the annotators.
    """
    if out.exists():
        raise InputError(
            "the file exists, and marks in it would be lost",
            code=ErrorCode.OUTPUT_OCCUPIED,
            file=out,
            remedy="choose another file",
        )
    inputs = Inputs.of(collection, RationaleSettings())
    drawn = study_cases(collection, inputs, seed).sample(samples)
    rationales = inputs.of_queries([case.text for case in drawn])
    with atomic_file(out) as file:
        file.write("\ufeff")  # without it spreadsheets do not read a CSV file as UTF-8
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for case, rationale in zip(drawn, rationales, strict=True):
            cells = (case.id, case.text, rationale, "；".join(case.charges))
            writer.writerow([*map(sheet_cell, cells), "", ""])
    return len(drawn)


def sheet_cell(text: str) -> str:
    """Return a text as one line that no spreadsheet takes for a formula.

    >>> sheet_cell("=1+1"), sheet_cell("first\\nsecond")
    ("'=1+1", 'first second')
    """
    line = " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
    return f"'{line}" if line.startswith(_FORMULA) else line


def read_marks(sheet: Path) -> Marks:
    """Read the marks from a completed sheet; none may be missing."""
    reader = csv.DictReader(io.StringIO(read_text(sheet), newline=""))
    if missing := [name for name in ANNOTATORS if name not in (reader.fieldnames or ())]:
        raise InputError(
            f"no column {', '.join(missing)}",
            code=ErrorCode.FILE_MALFORMED,
            file=sheet,
            line=1,
            remedy="keep the columns of the sheet, separated by commas",
        )
    rows = []
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
        rows.append([MARKS[mark] for mark in marks])
    if not rows:
        raise InputError(
            "the sheet has no samples", code=ErrorCode.FILE_MALFORMED, file=sheet, remedy="draw a new sheet"
        )
    first, second = zip(*rows, strict=True)
    return Marks(first, second)


def annotation_table(marks: Marks) -> Table:
    """Return accuracy by each annotator and by both, and their agreement, with intervals over the samples."""
    pairs = list(zip(marks.first, marks.second, strict=True))
    measured: dict[str, list[float]] = {
        "accuracy, annotator 1": [float(one) for one in marks.first],
        "accuracy, annotator 2": [float(one) for one in marks.second],
        "accuracy, both": [fmean(pair) for pair in pairs],
        "agreement": [float(one == other) for one, other in pairs],
    }
    rows: list[Sequence[Cell]] = [
        (name, fmean(values), *bootstrap(values), *PAPER.get(name, (None, None))) for name, values in measured.items()
    ]
    kappa, interval = cohens_kappa(marks.first, marks.second), (None, None)
    rows.append(("Cohen's kappa", kappa, *(interval if kappa is None else _kappa_interval(marks)), None, None))
    notes = [
        f"{len(pairs)} samples; accuracy is the share marked 1, of both annotators the mean. low, high: 95% "
        "bootstrap interval over the samples.",
        "The interval of kappa is over 1,000 resamples; one in which both give every sample the same mark counts as 1.",
    ]
    if kappa is None:
        notes[1] = "Kappa is not defined: both annotators gave every sample the same mark."
    columns = ("measure", "value", "low", "high", "paper, ELAM", "paper, LeCaRDv2")
    return Table("f_R by two annotators", columns, rows, notes)


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
