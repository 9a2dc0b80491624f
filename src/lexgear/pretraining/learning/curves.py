"""A picture of a run of learning: the loss of each task and the measures on cases kept out, by steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

BESIDE = ("step", "seconds", "tokens")
COLUMNS = 3
"""Panels beside each other."""


def draw_run(log: Sequence[Mapping[str, float]], path: Path) -> None:
    """Draws the log of a run into an SVG or PNG file, a panel a number; the same log gives the same bytes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    names = [name for name in dict.fromkeys(name for row in log for name in row) if name not in BESIDE]
    rows = -(-len(names) // COLUMNS)
    # Element ids are random without a salt, and a file carries the date unless told not to.
    with rc_context({"svg.hashsalt": "lexgear", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(3.2 * COLUMNS, 2.4 * rows), layout="constrained")
        for place, name in enumerate(names, start=1):
            panel = figure.add_subplot(rows, COLUMNS, place)
            points = [(row["step"], row[name]) for row in log if name in row]
            panel.plot(*zip(*points, strict=True), marker=".", color="#1f5a8a")
            panel.set_title(name)
            panel.set_xlabel("step")
            panel.grid(alpha=0.3)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else {})
