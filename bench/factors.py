"""Precision and recall of the legal factors on 414 LeCaRD judgments annotated by hand.

`python -m bench.factors` prints a Markdown table of the judgments 241 to 414, annotated by the definitions of
`docs/factors.md`; `python -m bench.factors 1 240` one of others. Below it are the totals of every part. The annotation
holds document ids and names of factors; the texts come from `../shared/data/lecard`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from time import process_time

from lexgear.corpus.datasets.lecard import read_lecard
from lexgear.corpus.extraction.factors.find import factor_names, find_factors
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.files import read_jsonl
from lexgear.progress import silent

DATA = Path(__file__).parent / "data"
TEXTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "lecard"
PARTS = (
    (1, 100),
    (101, 150),
    (151, 180),
    (181, 210),
    (211, 240),
    (241, 270),
    (271, 300),
    (301, 324),
    (325, 339),
    (340, 354),
    (355, 366),
    (367, 378),
    (379, 390),
    (391, 402),
    (403, 414),
)
"""Judgments in the order of the annotation; `docs/lab.md` says which of them were used to correct rules."""

Factors = Mapping[str, Collection[str]]
"""Names of factors by document id."""


def main(first: int = 241, last: int = 414) -> None:
    annotated, again = _annotation("factors.jsonl"), _annotation("factors-again.jsonl")
    documents = {one.id: one for one in read_lecard(TEXTS, SkippedRecords(), silent).documents if one.id in annotated}
    start = process_time()
    read = {name: {factor.name for factor in find_factors(documents[name].sections)} for name in annotated}
    seconds = process_time() - start
    _table(read, annotated, [*annotated][first - 1 : last])
    for begin, end in PARTS:
        print(_total(f"micro, {begin} to {end}", read, annotated, [*annotated][begin - 1 : end]))
    print(_total("micro, 50 of 1 to 240", read, annotated, again))
    print(_total("micro, the same 50 annotated again", read, again, again))
    print(_total("first annotation of the 50 against the second", annotated, again, again))
    print(f"\n{len(read)} judgments, {1000 * seconds / len(read):.1f} ms of processor time each")


def _annotation(name: str) -> Factors:
    return {str(row["id"]): set(row["factors"]) for _, row in read_jsonl(DATA / name)}


def _table(read: Factors, annotated: Factors, names: Collection[str]) -> None:
    right = Counter(factor for name in names for factor in read[name] if factor in annotated[name])
    found = Counter(factor for name in names for factor in read[name])
    present = Counter(factor for name in names for factor in annotated[name])
    print("| factor | annotated | found | precision | recall |\n|---|---|---|---|---|")
    for factor in sorted(factor_names(), key=lambda one: -present[one]):
        print(_row(f"`{factor}`", right[factor], found[factor], present[factor]))


def _total(title: str, read: Factors, annotated: Factors, names: Collection[str]) -> str:
    right = sum(factor in annotated[name] for name in names for factor in read[name])
    return _row(title, right, sum(len(read[name]) for name in names), sum(len(annotated[name]) for name in names))


def _row(name: str, right: int, found: int, present: int) -> str:
    precision = f"{right / found:.2f}".removeprefix("0") if found else "–"
    recall = f"{right / present:.2f}".removeprefix("0") if present else "–"
    return f"| {name} | {present} | {found} | {precision} | {recall} |"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
