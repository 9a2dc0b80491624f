"""A picture of a training run: one small panel a loss, the validation value, the learning rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from lexgear.training.loop import NON_LOSS_COLUMNS

COLUMNS = 3
"""Panels beside each other."""


def can_draw() -> bool:
    """Whether matplotlib is installed: `pip install 'lexgear[plots]'`."""
    return find_spec("matplotlib") is not None


def draw_curves(log: Sequence[Mapping[str, float]], path: Path) -> None:
    """Draws the log of a training run into an SVG or PNG file; the same log gives the same bytes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    known = dict.fromkeys(name for row in log for name in row)  # a later stage may have other losses
    names = [name for name in known if name not in NON_LOSS_COLUMNS]
    names += [name for name in ("validation", "rate") if name in known]
    columns = min(COLUMNS, len(names))
    rows = -(-len(names) // columns)
    # Element ids are random without a salt, and a file carries the date unless told not to.
    with rc_context({"svg.hashsalt": "lexgear", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(3.2 * columns, 2.4 * rows), layout="constrained")
        for place, name in enumerate(names, start=1):
            panel = figure.add_subplot(rows, columns, place)
            epochs, values = zip(*((row["epoch"], row[name]) for row in log if name in row), strict=True)
            panel.plot(epochs, values, marker=".", color="#1f5a8a")
            if name == "validation":
                best = values.index(max(values))
                panel.plot(epochs[best], values[best], "o", color="#c0392b")
                panel.annotate(f"{values[best]:.3f}", (epochs[best], values[best]), (4, 4), textcoords="offset points")
            panel.set_title({"validation": "validation (MRR)", "rate": "learning rate"}.get(name, f"loss {name}"))
            panel.set_xlabel("epoch")
            panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
            panel.set_xlim(0.5, log[-1]["epoch"] + 0.5)
            panel.margins(y=0.15)
            panel.grid(alpha=0.3)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else {})
