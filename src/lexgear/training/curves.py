"""Training curves as an SVG or PNG figure, one panel per column of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from lexgear.training.loop import NON_LOSS_COLUMNS

COLUMNS = 3
"""Panels per row."""


def can_draw() -> bool:
    """Return whether matplotlib is installed: `pip install 'lexgear[plots]'`."""
    return find_spec("matplotlib") is not None


def draw_curves(log: Sequence[Mapping[str, float]], path: Path) -> None:
    """Draw the losses, the validation value and the learning rate of a training log."""
    known = dict.fromkeys(name for row in log for name in row)  # a later stage may have other losses
    titles = {name: f"loss {name}" for name in known if name not in NON_LOSS_COLUMNS}
    others = {"validation": "validation (MRR)", "rate": "learning rate"}
    draw_panels(log, path, "epoch", titles | {name: title for name, title in others.items() if name in known})


def draw_panels(log: Sequence[Mapping[str, float]], path: Path, x: str, titles: Mapping[str, str]) -> None:
    """Draw columns of a log over the column `x`, titles by column; the same log gives the same bytes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    columns = min(COLUMNS, len(titles))
    rows = -(-len(titles) // columns)
    # Element ids are random without a salt, and the file contains the date unless it is disabled.
    with rc_context({"svg.hashsalt": "lexgear", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(3.2 * columns, 2.4 * rows), layout="constrained")
        for place, (name, title) in enumerate(titles.items(), start=1):
            panel = figure.add_subplot(rows, columns, place)
            steps, values = zip(*((row[x], row[name]) for row in log if name in row), strict=True)
            panel.plot(steps, values, marker=".", color="#1f5a8a")
            if name == "validation":
                best = values.index(max(values))
                panel.plot(steps[best], values[best], "o", color="#c0392b")
                panel.annotate(f"{values[best]:.3f}", (steps[best], values[best]), (4, 4), textcoords="offset points")
            panel.set_title(title)
            panel.set_xlabel(x)
            panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
            panel.set_xlim(0.5, log[-1][x] + 0.5)
            panel.margins(y=0.15)
            panel.grid(alpha=0.3)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else {})
