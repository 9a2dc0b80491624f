"""Benchmarks run one after the other, their numbers in a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rich.console import Console
from rich.table import Table

from bench.side_by_side import Measured


def measured(benchmarks: Iterable[Callable[[], Iterator[Measured]]], console: Console) -> dict[str, float]:
    """Runs them, prints the table, and gives one number a name."""
    numbers, table = {}, Table("name", "median", "middle half", "what it is")
    for benchmark in benchmarks:
        console.print(f"running {benchmark.__name__} …")
        for result in benchmark():
            numbers[result.name] = round(result.value, 4)
            table.add_row(result.name, f"{result.value:.3f}", result.spread, result.says)
    console.print(table)
    return numbers
