"""Judgments on invented texts in lay words: crimes and other matters, half of the latter close to a crime.

`python -m bench.lay_texts [BASE] [--half final]` prints how many crimes are refused, how many of their charges are
right, how many other matters are told as such, and the calibration errors. There are 340 texts, of which the
development half may be looked at, and twice 300 blind ones by other writers (`--half blind`, `--half blind-2`); all but
the development half are for reports.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lexgear.evaluation.calibration import JudgedQuery, judgment_quality
from lexgear.files import read_jsonl
from lexgear.judgment.base_judge import BaseJudge, shipped_judge
from lexgear.judgment.notes import NoteCode
from lexgear.judgment.records import Judgment
from lexgear.pretraining.base import load_base

DATA = Path(__file__).parent / "data"
BLIND = ("blind", "blind-2")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", nargs="?", help="a base model; by default that of the package")
    parser.add_argument("--half", choices=("development", "final", *BLIND), default="development")
    parser.add_argument("--errors", action="store_true", help="list the texts on the wrong side")
    chosen = parser.parse_args(arguments)
    judge = BaseJudge(load_base(Path(chosen.base)), "zh") if chosen.base else shipped_judge("zh")
    file, half = (f"lay-texts-{chosen.half}", "final") if chosen.half in BLIND else ("lay-texts", chosen.half)
    rows = [row for _, row in read_jsonl(DATA / f"{file}.jsonl") if row["half"] == half]
    judged = [(row, judge.judge(row["text"])) for row in rows]
    crimes = [(row, judgment) for row, judgment in judged if row["criminal"]]
    others = [(row, judgment) for row, judgment in judged if not row["criminal"]]
    refused = [row for row, judgment in crimes if not judgment.charges]
    passed = [row for row, judgment in others if judgment.note is None or judgment.note.code != NoteCode.NOT_CRIMINAL]
    accused = [row for row, judgment in others if any(charge.applies for charge in judgment.charges)]
    first = sum(_first_is_right(row, judgment) for row, judgment in crimes)
    named = sum(_first_is_right(row, judgment) and judgment.charges[0].applies for row, judgment in crimes)
    print(f"{len(crimes)} crimes: {len(refused)} refused, first charge right {first}, right and named {named}")
    print(f"{len(others)} other matters: {len(others) - len(passed)} told as such, {len(accused)} accused")
    told = [(row, judgment) for row, judgment in crimes if judgment.charges]
    quality = judgment_quality(
        [JudgedQuery(frozenset(row["charges"]), {c.name: c.probability for c in one.charges}) for row, one in told]
    )
    first_error, error = quality.first_calibration_error.value, quality.calibration_error.value
    print(f"coverage@3 {quality.coverage_at_3.value:.3f}")
    print(f"calibration error: first charge {first_error:.3f}, all listed {error:.3f}")
    for row in (*refused, *passed) if chosen.errors else ():
        print(row["id"], row["text"])


def _first_is_right(row: dict[str, Any], judgment: Judgment) -> bool:
    return bool(judgment.charges) and judgment.charges[0].name in row["charges"]


if __name__ == "__main__":
    main()
