import csv
import io

import pytest
from rich.console import Console

from lexgear.evaluation.comparison import Evaluation, compare
from lexgear.evaluation.measures import Measure
from lexgear.evaluation.notes import Note
from lexgear.evaluation.tables import markdown, per_query_csv, summary_csv, terminal

RECALL, NDCG = Measure("R", 20, rel=3), Measure("nDCG", 10)


@pytest.fixture
def evaluation() -> Evaluation:
    low, high = {"q1": 0.1, "q2": 0.3, "q3": 0.2, "q4": 0.0}, {"q1": 0.8, "q2": 0.9, "q3": 0.9, "q4": 0.9}
    values = {
        ("bm25", NDCG): low,
        ("bm25", RECALL): {"q1": 0.5},
        ("[ours]|x", NDCG): high,
        ("[ours]|x", RECALL): {},
    }
    return compare(values, baseline="bm25", notes=[Note("1 query (q9) of 5 not ranked, counted as 0", ("bm25",))])


def test_the_terminal_shows_means_marks_intervals_and_notes(evaluation: Evaluation) -> None:
    console = Console(width=100, file=io.StringIO(), record=True)
    console.print(terminal(evaluation))
    shown = console.export_text()
    assert "0.1500 " in shown
    assert "0.8750†" in shown
    assert "R(rel=3)@20" in shown
    assert "[ours]|x" in shown
    assert "–" in shown
    assert "(q9)" in shown
    assert "comparisons" in shown


def test_a_narrow_terminal_folds_names_instead_of_cutting_them(evaluation: Evaluation) -> None:
    console = Console(width=30, file=io.StringIO(), record=True)
    console.print(terminal(evaluation))
    assert "…" not in console.export_text()


def test_markdown_has_a_row_a_system_and_its_captions_below(evaluation: Evaluation) -> None:
    lines = markdown(evaluation).splitlines()
    assert lines[:2] == ["| system | nDCG@10 | R(rel=3)@20 |", "| --- | ---: | ---: |"]
    assert lines[2].startswith("| bm25 | 0.1500 [0.0")
    assert lines[3].startswith("| [ours]\\|x | 0.8750† [0.8250, 0.9000] | – |")
    assert "- bm25: 1 query (q9) of 5 not ranked, counted as 0" in lines
    assert any("Bonferroni-corrected for 1 comparison" in line for line in lines)


def test_the_summary_csv_has_every_digit_and_the_p_values(evaluation: Evaluation) -> None:
    rows = {(row["system"], row["measure"]): row for row in csv.DictReader(io.StringIO(summary_csv(evaluation)))}
    cell = evaluation.cells["[ours]|x", NDCG]
    assert cell.difference is not None
    row = rows["[ours]|x", "nDCG@10"]
    assert (float(row["mean"]), float(row["low"]), float(row["high"])) == (cell.mean, cell.low, cell.high)
    assert float(row["p"]) == cell.difference.p
    assert float(row["p_bonferroni"]) == cell.difference.p_bonferroni
    assert float(row["difference"]) == cell.difference.mean
    assert (row["baseline"], row["significant"], row["queries"]) == ("bm25", "yes", "4")
    assert rows["bm25", "nDCG@10"]["p"] == rows["bm25", "nDCG@10"]["baseline"] == ""
    assert ("[ours]|x", "R(rel=3)@20") not in rows


def test_the_per_query_csv_leaves_a_missing_value_empty(evaluation: Evaluation) -> None:
    rows = list(csv.reader(io.StringIO(per_query_csv(evaluation))))
    assert rows[0] == ["system", "query", "nDCG@10", "R(rel=3)@20"]
    assert rows[1] == ["bm25", "q1", "0.1", "0.5"]
    assert rows[2] == ["bm25", "q2", "0.3", ""]
    assert len(rows) == 1 + 2 * 4


def test_without_a_baseline_there_is_no_mark_to_explain() -> None:
    assert "†" not in markdown(compare({("bm25", NDCG): {"q": 0.5}}))
