"""A sheet of rationales for two annotators, as the paper had them judged, and what their marks amount to.

Each is asked whether the rationale suffices to tell the charges of the case: 1 if it does, 0 if not.
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
from lexgear.errors import InputError
from lexgear.evaluation.reproduce.report import Cell, Grid
from lexgear.evaluation.reproduce.study_cases import study_cases
from lexgear.evaluation.significance import bootstrap, bootstrap_of
from lexgear.files import read_text
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.records import RationaleSettings

ANNOTATORS = ("annotator_1", "annotator_2")
COLUMNS = ("id", "text", "rationale", "charges", *ANNOTATORS)
MARKS = {"1": 1, "0": 0}
_FORMULA = tuple("=+-@＝＋－＠")
"""What makes a spreadsheet calculate; the wide forms too, which those set to Chinese take for the same."""
PAPER: dict[str, tuple[Cell, Cell]] = {"accuracy, both": (0.94, 0.86), "agreement": (0.96, 0.96)}
"""What two Ph.D.s in law gave f_R on 50 samples of ELAM and of LeCaRDv2; one agreement for all samples."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What both annotators said of every sample."""

    first: Sequence[int]
    second: Sequence[int]


def draw_sheet(collection: Collection, out: Path, samples: int, seed: int) -> int:
    """Writes a sheet of samples, the very ones that `table-rationale` draws with this seed; returns how many.

    The rationale is that of an undecided case; its charges stand beside it for the annotators alone.
    """
    if out.exists():
        raise InputError("there already, and marks in it would be lost", file=out, remedy="choose another --out")
    inputs = Inputs.of(collection, RationaleSettings())
    drawn = study_cases(collection, inputs, seed).drawn(samples)
    rationales = inputs.of_queries([case.text for case in drawn])
    with atomic_file(out) as file:
        file.write("\ufeff")  # spreadsheets take a CSV file for UTF-8 only with this mark
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for case, rationale in zip(drawn, rationales, strict=True):
            cells = (case.id, case.text, rationale, "；".join(case.charges))
            writer.writerow([*map(cell, cells), "", ""])
    return len(drawn)


def cell(text: str) -> str:
    """A text on one line, so that a line of the file is a row of the sheet, and never taken for a formula.

    >>> cell("=1+1"), cell("first\\nsecond")
    ("'=1+1", 'first second')
    """
    line = " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
    return f"'{line}" if line.startswith(_FORMULA) else line


def read_marks(sheet: Path) -> Marks:
    """The marks of a sheet that came back; all of them must be there."""
    reader = csv.DictReader(io.StringIO(read_text(sheet), newline=""))
    if missing := [name for name in ANNOTATORS if name not in (reader.fieldnames or ())]:
        remedy = "keep the columns of the sheet, and commas between them"
        raise InputError(f"no column {', '.join(missing)}", file=sheet, line=1, remedy=remedy)
    rows = []
    for row in reader:
        said = [(row[name] or "").strip() for name in ANNOTATORS]
        for name, mark in zip(ANNOTATORS, said, strict=True):
            if mark not in MARKS:
                problem = f"{name} says {mark!r}" if mark else f"no mark of {name}"
                remedy = "1 if the rationale suffices to tell the charges, else 0"
                raise InputError(problem, file=sheet, line=reader.line_num, remedy=remedy)
        rows.append([MARKS[mark] for mark in said])
    if not rows:
        raise InputError("no samples in it", file=sheet, remedy="`lexgear annotate COLLECTION --out` draws some")
    first, second = zip(*rows, strict=True)
    return Marks(first, second)


def scored(marks: Marks) -> Grid:
    """Accuracy by each annotator and by both, and how far they agree, with intervals over the samples."""
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
    return Grid("f_R by two annotators", columns, rows, notes)


def cohens_kappa(first: Sequence[int], second: Sequence[int]) -> float | None:
    """Agreement beyond what chance gives (Cohen 1960); None where chance alone gives all of it.

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
