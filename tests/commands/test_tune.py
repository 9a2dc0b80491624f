"""Tests of `lexgear tune`."""

import json
from pathlib import Path

from commands.conftest import Run
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from training.small_collection import small_collection


def test_the_best_settings_of_a_grid_are_written_and_can_be_trained_with(tmp_path: Path, run: Run) -> None:
    save_collection(small_collection(), tmp_path / "collection", SkippedRecords())
    tune = ("tune", "collection", "--out", "grid.jsonl", "--ranker", "bm25")
    grid = ("--grid", "k1=0.5,1.5", "--grid", "b=0.1,0.9")
    code, out, err = run(*tune, *grid, "--measure", "R@5", "--best", "best.toml")
    assert (code, err) == (0, "")
    rows = [json.loads(line) for line in Path("grid.jsonl").read_text().splitlines()]
    assert len(rows) == 4
    best = max(rows, key=lambda row: row["value"])
    assert f"{best['value']:.4f}" in out
    assert "measured on 5 training queries held out of 21; test queries were not read" in out
    assert run("train", "collection", "--out", "index", "--ranker", "bm25", "--config", "best.toml")[0] == 0
    assert json.loads(Path("index/manifest.json").read_text())["settings"] == best["settings"]
    for wrong, said in {
        (): "either --grid or --paper-grid",
        ("--paper-grid", "--grid", "k1=1"): "either --grid or --paper-grid",
        ("--grid", "k9=1"): "no setting named 'k9'",
        ("--grid", "k1=1", "--measure", "F1"): "unknown measure 'F1'",
    }.items():
        code, _, err = run(*tune, *wrong)
        assert code == 2
        assert said in err
