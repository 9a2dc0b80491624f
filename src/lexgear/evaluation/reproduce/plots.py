"""The pictures of a report: means with intervals, and curves with bands. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Point = tuple[float, float, float]
"""Mean, low, high."""
COLOURS = ("#1f5a8a", "#c0392b", "#2e7d32", "#8e44ad", "#b9770e", "#455a64", "#00838f", "#6d4c41")


def intervals(path: Path, title: str, points: Mapping[str, Point]) -> None:
    """A row a system: its mean as a dot, its interval as a line."""
    figure, panel = _panel(7.5, 0.8 + 0.28 * len(points))
    for place, (low, high, mean) in enumerate((low, high, mean) for mean, low, high in points.values()):
        panel.plot([low, high], [place, place], color=COLOURS[0], linewidth=2, alpha=0.5)
        panel.plot([mean], [place], "o", color=COLOURS[0], markersize=4)
    panel.set_yticks(range(len(points)), list(points))
    panel.invert_yaxis()
    panel.set_xlim(left=0)
    figure.suptitle(title, fontsize=9)  # over names and panel: over the panel alone a long one is cut
    panel.grid(axis="x", alpha=0.3)
    _kept(figure, path)


def bars(path: Path, title: str, groups: Mapping[str, Mapping[str, Point]]) -> None:
    """A group of bars a measure, a bar a system, with error bars."""
    figure, panel = _panel(7.5, 3.6)
    systems = list(next(iter(groups.values())))
    width = 0.8 / len(systems)
    for number, system in enumerate(systems):
        points = [groups[group][system] for group in groups]
        places = [place + (number - (len(systems) - 1) / 2) * width for place in range(len(groups))]
        means = [mean for mean, _, _ in points]
        errors = [[mean - low for mean, low, _ in points], [high - mean for mean, _, high in points]]
        colour = COLOURS[number % len(COLOURS)]
        panel.bar(places, means, width * 0.9, yerr=errors, label=system, color=colour, capsize=3)
    panel.set_xticks(range(len(groups)), list(groups))
    panel.set_title(title)
    panel.legend(fontsize=8)
    panel.grid(axis="y", alpha=0.3)
    _kept(figure, path)


def curves(path: Path, title: str, lines: Mapping[str, Sequence[tuple[float, Point]]], axes: tuple[str, str]) -> None:
    """A line a system over its points, with the interval as a band; one colour a system, its judgment dashed."""
    figure, panel = _panel(7.5, 3.8)
    systems = list(dict.fromkeys(name.partition(",")[0] for name in lines))
    for system, points in lines.items():
        places = [place for place, _ in points]
        means, lows, highs = zip(*(point for _, point in points), strict=True)
        number, dashed = systems.index(system.partition(",")[0]), "--" if "judgment" in system else "-"
        colour = COLOURS[number % len(COLOURS)]
        panel.plot(places, means, dashed, marker=".", color=colour, label=system)
        panel.fill_between(places, lows, highs, color=colour, alpha=0.15)
    panel.set_xlabel(axes[0])
    panel.set_ylabel(axes[1])
    panel.set_ylim(bottom=0)
    panel.set_title(title)
    panel.legend(fontsize=8)
    panel.grid(alpha=0.3)
    _kept(figure, path)


def _panel(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", dpi=150)
    return figure, figure.add_subplot()


def _kept(figure: Any, path: Path) -> None:
    from matplotlib import rc_context

    with rc_context({"font.size": 9}):
        figure.savefig(path, metadata={"Software": None})
