"""`make bench`: run every benchmark, print a table, write `build/bench.json` with one number per name."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console

from bench.bm25 import bm25_against_bm25s
from bench.docids import trie_against_dicts
from bench.encoding import encoding_against_single_precision
from bench.explained import explained_search_against_bm25
from bench.first_answer import first_answer
from bench.growth import growth_with_documents
from bench.rationale import rationale_against_segmentation
from bench.search import exact_against_generate
from bench.serving import serving_under_load, workers_under_load
from bench.startup import startup_time
from bench.table import run_benchmarks

# f_R before BM25: after a search of 9,000 documents the heap is fragmented, and the ratio was 2.3 instead of 1.9.
BENCHMARKS = (
    *(startup_time, rationale_against_segmentation, bm25_against_bm25s, trie_against_dicts, exact_against_generate),
    *(encoding_against_single_precision, explained_search_against_bm25, serving_under_load, workers_under_load),
    *(first_answer, growth_with_documents),
)
OUT = Path("build/bench.json")


def main() -> None:
    console = Console()
    numbers = run_benchmarks(BENCHMARKS, console)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(numbers, indent=2) + "\n", encoding="utf-8")
    console.print(f"written to {OUT}")


main()
