"""Tests of `lexgear annotate`."""

import csv
from pathlib import Path

from commands.conftest import Run


def test_a_sheet_is_drawn_and_scored(run: Run) -> None:
    code, out, err = run("annotate", "tiny", "--out", "sheet.csv", "--samples", "4")
    assert code == 0
    assert out.startswith("sheet.csv: 4 samples, 12 rows by 3 methods; both annotators mark each row with 1 or 0")
    code, _, err = run("annotate", "--score", "sheet.csv")
    assert code == 2
    assert "sheet.csv:2: no mark of annotator_1" in err

    with Path("sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        [header, *rows] = list(csv.reader(file))
    marked = [[*row[:5], "1", "0" if row[1] == "f_R" and row[0] == rows[0][0] else "1"] for row in rows]
    with Path("sheet.csv").open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([header, *marked])
    code, out, err = run("annotate", "--score", "sheet.csv")
    assert (code, err) == (0, "")
    assert "| f_R | accuracy, both | .8750 |" in out
    assert "| Doc2query: a generated query | agreement | 1.00 |" in out
    assert "| all methods | agreement | .9167 |" in out


def test_a_collection_or_a_sheet_is_required(run: Run) -> None:
    for wrong in (("annotate",), ("annotate", "sample"), ("annotate", "sample", "--out", "a", "--score", "b")):
        code, _, err = run(*wrong)
        assert code == 2
        assert "either a collection and --out, or --score" in err
    code, _, err = run("annotate", "sample-fr", "--out", "sheet.csv")
    assert code == 2
    assert "0 cases with both a text and charges" in err
