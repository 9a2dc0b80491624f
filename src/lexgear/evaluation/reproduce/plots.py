"""Figures of a report: means with intervals, and curves with bands. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Point = tuple[float, float, float]
"""Mean, low, high."""
COLOURS = ("#1f5a8a", "#c0392b", "#2e7d32", "#8e44ad", "#b9770e", "#455a64", "#00838f", "#6d4c41")


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a plot."""

    label: str
    points: Sequence[tuple[float, Point]]
    colour: int
    """Place in `COLOURS`; curves of one system share it."""
    dashed: bool = False


def intervals(path: Path, title: str, points: Mapping[str, Point]) -> None:
    """Draw one row per system: the mean as a dot, the interval as a line."""
    figure, panel = _panel(7.5, 0.8 + 0.28 * len(points))
    for place, (low, high, mean) in enumerate((low, high, mean) for mean, low, high in points.values()):
        panel.plot([low, high], [place, place], color=COLOURS[0], linewidth=2, alpha=0.5)
        panel.plot([mean], [place], "o", color=COLOURS[0], markersize=4)
    panel.set_yticks(range(len(points)), list(points))
    panel.invert_yaxis()
    panel.set_xlim(left=0)
    figure.suptitle(title, fontsize=9)  # across the figure: above the panel alone a long title is cut off
    panel.grid(axis="x", alpha=0.3)
    _save(figure, path)


def bars(path: Path, title: str, groups: Mapping[str, Mapping[str, Point]]) -> None:
    """Draw one group of bars per measure and one bar per system, with error bars."""
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
    _save(figure, path)


def curves(path: Path, title: str, lines: Sequence[Curve], axes: tuple[str, str]) -> None:
    """Draw curves with their intervals as bands."""
    figure, panel = _panel(7.5, 3.8)
    for line in lines:
        places = [place for place, _ in line.points]
        means, lows, highs = zip(*(point for _, point in line.points), strict=True)
        colour = COLOURS[line.colour % len(COLOURS)]
        panel.plot(places, means, "--" if line.dashed else "-", marker=".", color=colour, label=line.label)
        panel.fill_between(places, lows, highs, color=colour, alpha=0.15)
    panel.set_xlabel(axes[0])
    panel.set_ylabel(axes[1])
    panel.set_ylim(bottom=0)
    panel.set_title(title)
    panel.legend(fontsize=8)
    panel.grid(alpha=0.3)
    _save(figure, path)


def _panel(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", dpi=150)
    return figure, figure.add_subplot()


def _save(figure: Any, path: Path) -> None:
    from matplotlib import rc_context

    with rc_context({"font.size": 9}):
        figure.savefig(path, metadata={"Software": None})
