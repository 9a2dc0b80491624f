"""Twenty everyday questions in French: how many have an answering article among the first five.

`python -m bench.french_questions INDEX` prints a Markdown table. INDEX is an index of BSARD-rebuilt; the questions and
the ids of the answering articles were written down from the headings of the codes before any ranker had been run.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lexgear.api import Index
from lexgear.files import read_jsonl

QUESTIONS = Path(__file__).parent / "data" / "french-questions.jsonl"
FIRST = 5
DEPTH = 1000


def main(index: Path) -> None:
    """Print the rank of the first answering article per question."""
    loaded, found = Index.load(index), 0
    print("| question | first answer at rank | best article |\n|---|---|---|")
    for _, row in read_jsonl(QUESTIONS):
        hits = [hit.document for hit in loaded.search(str(row["text"]), DEPTH)]
        ranks = [rank for rank, document in enumerate(hits, start=1) if document.id in row["articles"]]
        found += bool(ranks) and ranks[0] <= FIRST
        print(f"| {row['text']} | {ranks[0] if ranks else '–'} | {hits[0].title if hits else ''} |")
    print(f"\n{found} of 20 among the first {FIRST}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
