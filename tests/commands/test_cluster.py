"""Commands that are asked for several processes and a cluster at once."""

from pathlib import Path

import pytest

from lexgear.cli import main


@pytest.mark.parametrize(
    "command",
    [
        ["import", "jsonl", "rows.jsonl", "--out", "collection"],
        ["train", "collection", "--out", "index"],
        ["serve", "index"],
    ],
    ids=lambda command: command[0],
)
def test_workers_and_a_cluster_are_refused_before_anything_is_read(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["lexgear", *command, "--workers", "2", "--cluster", "local"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "lexgear: several workers on a cluster (give either --workers or --cluster)\n"
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["gear", "--workers", "2"], "a training step of gear has one batch, which one worker reads"),
        (["random", "--workers", "2"], "random is not trained by several workers"),
        (["gear", "--shards", "2"], "an index of gear cannot be sharded"),
    ],
)
def test_a_ranker_that_cannot_be_divided_is_refused_before_anything_is_read(
    arguments: list[str],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["lexgear", "train", "collection", "--out", "index", "--ranker", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith(f"lexgear: {expected} (")
    assert not any(tmp_path.iterdir())
