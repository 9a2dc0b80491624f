"""Tests of `lexgear crossvalidate` with several repeats and several indexes."""

from pathlib import Path

from commands.conftest import Run
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.trec import read_run
from training.small_collection import small_collection


def test_several_repeats_are_written_to_a_directory_and_averaged_by_evaluate(tmp_path: Path, run: Run) -> None:
    collection = small_collection()
    save_collection(collection, tmp_path / "collection", SkippedRecords())
    command = ("crossvalidate", "collection", "--ranker", "nearest_question", "--folds", "3")
    code, out, err = run(*command, "--repeats", "2", "--seed", "5", "--run", "runs")
    assert (code, err) == (0, "")
    assert sorted(path.name for path in Path("runs").iterdir()) == ["5.trec", "6.trec"]
    assert f"runs/6.trec: {len(collection.queries)} queries, none seen in training, 3 folds, seed 6" in out
    assert run(*command, "--seed", "6", "--run", "alone.trec")[0] == 0
    assert read_run(Path("alone.trec")) == read_run(Path("runs/6.trec"))
    assert run(*command, "--seed", "5", "--run", "other.trec")[0] == 0
    means = []
    for path in ("runs", "other.trec", "alone.trec"):
        code, out, _ = run("evaluate", path, "collection", "--measures", "RR", "--format", "csv")
        means.append(float(out.splitlines()[1].split(",")[3]))
        assert code == 0
    assert abs(means[0] - (means[1] + means[2]) / 2) < 1e-9
    _, out, _ = run("evaluate", "runs", "collection", "--baseline", "alone.trec", "--format", "markdown")
    assert "runs: mean of 2 runs per query" in out
    code, _, err = run(*command, "--repeats", "3", "--run", "collection")
    assert code == 2
    assert "collection: not an empty directory" in err


def test_each_fold_chooses_among_several_indexes(tmp_path: Path, run: Run) -> None:
    save_collection(small_collection(), tmp_path / "collection", SkippedRecords())
    for name, ranker in (("words", "bm25"), ("chance", "random")):
        assert run("train", "collection", "--ranker", ranker, "--out", name)[0] == 0
    command = ("crossvalidate", "collection", "--index", "chance", "--index", "words", "--folds", "2")
    code, out, err = run(*command, "--run", "best.trec", "--choose-by", "R@5")
    assert (code, err) == (0, "")
    assert "chosen on the training folds, out of 2 indexes: chance 0, words 2" in out
    assert run("crossvalidate", "collection", "--index", "words", "--folds", "2", "--run", "words.trec")[0] == 0
    assert read_run(Path("best.trec")) == read_run(Path("words.trec"))
