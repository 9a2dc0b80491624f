import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lexgear.training.curves import can_draw, draw_curves

LOG = [
    {"epoch": epoch, "L_i": 4 / epoch, "L_r": 3 / epoch, "rate": 0.001, "validation": 0.1 * epoch - 0.02 * epoch**2}
    for epoch in range(1, 6)
]


def test_every_loss_the_validation_value_and_the_rate_have_a_panel(tmp_path: Path) -> None:
    draw_curves(LOG, tmp_path / "curves.svg")
    words = [node.text for node in ElementTree.parse(tmp_path / "curves.svg").iter()]
    for title in ("loss L_i", "loss L_r", "validation (MRR)", "learning rate"):
        assert title in words
    assert words.count("epoch") == 4
    assert "0.120" in words  # label of the best validation value


def test_the_same_log_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        draw_curves(LOG, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_single_epoch_without_validation_can_be_drawn_too(tmp_path: Path) -> None:
    draw_curves([{"epoch": 1, "law": 2.0, "rate": 0.1}], tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_losses_of_one_stage_alone_are_drawn_where_they_were_learnt(tmp_path: Path) -> None:
    later = [{"epoch": 6, "steps": 60, "tokens": 900, "labelled": 0.5, "rate": 0.1}]
    draw_curves([*LOG, *later], tmp_path / "curves.svg")
    words = [node.text for node in ElementTree.parse(tmp_path / "curves.svg").iter()]
    assert {"loss L_i", "loss labelled", "learning rate"} <= set(words)
    assert not {"loss steps", "loss tokens"} & set(words)


def test_no_window_and_no_global_figure_is_left_behind(tmp_path: Path) -> None:
    before = "matplotlib.pyplot" in sys.modules
    draw_curves(LOG, tmp_path / "curves.svg")
    assert ("matplotlib.pyplot" in sys.modules) == before


def test_where_matplotlib_is_missing_one_can_know_before(monkeypatch: pytest.MonkeyPatch) -> None:
    assert can_draw()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert not can_draw()
