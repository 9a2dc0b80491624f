"""`make bench`: runs every benchmark, prints a table, writes `build/bench.json` with one number a name."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.bm25 import bm25_against_bm25s
from bench.docids import trie_against_dicts
from bench.rationale import rationale_against_segmentation

BENCHMARKS = (bm25_against_bm25s, rationale_against_segmentation, trie_against_dicts)
OUT = Path("build/bench.json")


def main() -> None:
    console, numbers = Console(), {}
    table = Table("name", "ratio", "middle half", "what it is")
    for benchmark in BENCHMARKS:
        console.print(f"running {benchmark.__name__} …")
        for result in benchmark():
            numbers[result.name] = round(result.ratio, 4)
            table.add_row(result.name, f"{result.ratio:.3f}", result.spread, result.says)
    console.print(table)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(numbers, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {OUT}")


main()
