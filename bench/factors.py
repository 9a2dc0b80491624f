"""Precision and recall of the legal factors on 240 LeCaRD judgments annotated by hand.

`python -m bench.factors` prints a Markdown table. The annotation holds document ids and names of factors; the texts
come from `../shared/data/lecard`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from time import perf_counter

from lexgear.corpus.datasets.lecard import read_lecard
from lexgear.corpus.extraction.factors.find import factor_names, find_factors
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.files import read_jsonl
from lexgear.progress import silent

ANNOTATION = Path(__file__).parent / "data" / "factors.jsonl"
TEXTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "lecard"


PARTS = {
    "1 to 100": slice(0, 100),
    "101 to 150": slice(100, 150),
    "151 to 180": slice(150, 180),
    "181 to 210": slice(180, 210),
    "211 to 240": slice(210, 240),
    "all": slice(0, 240),
}
"""Judgments in the order of the annotation; rules were corrected with the errors in the first and the third part."""


def main(texts: Path = TEXTS) -> None:
    annotated = {str(row["id"]): set(row["factors"]) for _, row in read_jsonl(ANNOTATION)}
    documents = {one.id: one for one in read_lecard(texts, SkippedRecords(), silent).documents if one.id in annotated}
    start = perf_counter()
    read = {name: {factor.name for factor in find_factors(documents[name].sections)} for name in annotated}
    seconds = perf_counter() - start
    right = Counter(factor for name, factors in read.items() for factor in factors & annotated[name])
    found = Counter(factor for factors in read.values() for factor in factors)
    present = Counter(factor for factors in annotated.values() for factor in factors)
    print("| factor | annotated | found | precision | recall |\n|---|---|---|---|---|")
    for factor in sorted(factor_names(), key=lambda one: -present[one]):
        print(_row(f"`{factor}`", right[factor], found[factor], present[factor]))
    for part, places in PARTS.items():
        names = [*annotated][places]
        both = sum(len(read[name] & annotated[name]) for name in names)
        print(_row(f"micro, {part}", both, sum(len(read[n]) for n in names), sum(len(annotated[n]) for n in names)))
    print(f"\n{len(read)} judgments, {1000 * seconds / len(read):.1f} ms each")


def _row(name: str, right: int, found: int, present: int) -> str:
    precision = f"{right / found:.2f}".removeprefix("0") if found else "–"
    recall = f"{right / present:.2f}".removeprefix("0") if present else "–"
    return f"| {name} | {present} | {found} | {precision} | {recall} |"


if __name__ == "__main__":
    main()
