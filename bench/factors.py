"""Precision and recall of the legal factors on 150 LeCaRD judgments annotated by hand.

`python -m bench.factors` prints a Markdown table. The annotation holds document ids and names of factors; the texts
come from `../shared/data/lecard`.
"""

from __future__ import annotations

import json
import sys
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


def main(texts: Path = TEXTS) -> None:
    annotated = {str(row["id"]): set(row["factors"]) for _, row in read_jsonl(ANNOTATION)}
    documents = [one for one in read_lecard(texts, SkippedRecords(), silent).documents if one.id in annotated]
    right, found, present = Counter[str](), Counter[str](), Counter[str]()
    errors: dict[str, dict[str, list[str]]] = {}
    start = perf_counter()
    for document in documents:
        read = {factor.name for factor in find_factors(document.sections)}
        wanted = annotated[document.id]
        right.update(read & wanted)
        found.update(read)
        present.update(wanted)
        for kind, names in (("wrong", read - wanted), ("missed", wanted - read)):
            for name in names:
                errors.setdefault(name, {}).setdefault(kind, []).append(document.id)
    seconds = perf_counter() - start
    print("| factor | annotated | found | precision | recall |\n|---|---|---|---|---|")
    for name in sorted(factor_names(), key=lambda one: -present[one]):
        print(_row(f"`{name}`", right[name], found[name], present[name]))
    print(_row("**all (micro)**", right.total(), found.total(), present.total()))
    print(f"\n{len(documents)} judgments, {1000 * seconds / max(1, len(documents)):.1f} ms each")
    if "--errors" in sys.argv:
        print(json.dumps(errors, indent=1))


def _row(name: str, right: int, found: int, present: int) -> str:
    precision = f"{right / found:.2f}".removeprefix("0") if found else "–"
    recall = f"{right / present:.2f}".removeprefix("0") if present else "–"
    return f"| {name} | {present} | {found} | {precision} | {recall} |"


if __name__ == "__main__":
    main()
