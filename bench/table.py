"""Runs benchmarks one after the other and shows their numbers in a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rich.console import Console
from rich.table import Table

from bench.side_by_side import Measured


def run_benchmarks(benchmarks: Iterable[Callable[[], Iterator[Measured]]], console: Console) -> dict[str, float]:
    """Run benchmarks, print the table, and return one number per name."""
    numbers, table = {}, Table("name", "median", "quartiles", "description")
    for benchmark in benchmarks:
        console.print(f"running {benchmark.__name__} …")
        for result in benchmark():
            numbers[result.name] = round(result.value, 4)
            table.add_row(result.name, f"{result.value:.3f}", result.spread, result.description)
    console.print(table)
    return numbers
