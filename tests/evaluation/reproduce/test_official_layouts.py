"""Data sets that only their owners may hand out: files in exactly their layout go from `import` to a table."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lexgear.corpus.datasets.registry import read_collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import load_collection, save_collection
from lexgear.evaluation.reproduce.recipe import recipes
from lexgear.evaluation.reproduce.runner import RecipeRequest, run_recipe

CHARGES = ("盗窃罪", "抢劫罪", "诈骗罪")
DEEDS = ("深夜翻窗入室，窃走现金", "持刀拦住行人，抢走手机", "冒充商家，骗取货款")


def lecardv2(folder: Path) -> str:
    """Queries and labels line by line, a file for every candidate."""
    for part in ("query", "label", "candidate/candidate_55192"):
        (folder / part).mkdir(parents=True)
    for number in range(12):
        deed, charge = DEEDS[number % 3], CHARGES[number % 3]
        row = {
            "pid": 100 + number,
            "qw": "",
            "fact": f"被告人第{number}次{deed}。",
            "reason": "本院认为，事实清楚。",
            "result": f"被告人犯{charge}，判处有期徒刑一年。",
            "charge": [charge],
            "article": [264],
        }
        (folder / f"candidate/candidate_55192/{row['pid']}.json").write_text(json.dumps(row), encoding="utf-8")
    for split, first in (("train", 0), ("test", 3)):
        rows = [{"id": first + place, "query": "", "fact": f"某人{deed}。"} for place, deed in enumerate(DEEDS)]
        (folder / f"query/{split}_query.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    labels = [
        f"{query}\t0\t{100 + number}\t3\n" for query in range(6) for number in range(12) if (query - number) % 3 == 0
    ]
    (folder / "label/relevence.trec").write_text("".join(labels))
    return "table-retrieval"


def elam(folder: Path) -> str:
    """Labels and charges by id; no texts are public."""
    cases = {f"c{number}": [CHARGES[number % 3]] for number in range(12)}
    alike = {one: [other for other in cases if other != one and cases[other] == cases[one]] for one in cases}
    files = {
        "pid_charges": cases,
        "atomicId_labels_dict": alike,
        "atomicId_labels_2and1_dict": alike,
        "test_set": ["c0", "c1", "c2"],
    }
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return "table-retrieval"


def bsard(folder: Path) -> str:
    """Three tables of comma-separated values."""
    subjects = ("le bail", "la chasse", "le divorce", "la pêche")
    articles = [
        [str(n), f"Art. {n}, Code Rural", f"De {what} il est dit ceci.", "r", "Code Rural", "Livre 1er", "", "", ""]
        for n, what in enumerate(subjects, start=1)
    ]
    tables = {
        "articles": [["id", "reference", "article", "law_type", "code", "book", "part", "act", "chapter"], *articles],
        "questions_train": [
            ["id", "category", "question", "article_ids"],
            ["10", "x", "Puis-je rompre le bail ?", "1"],
        ],
        "questions_test": [
            ["id", "category", "question", "article_ids"],
            *([str(20 + n), "x", f"Que dit la loi sur {what} ?", str(n)] for n, what in enumerate(subjects, start=1)),
        ],
    }
    for name, rows in tables.items():
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    return "table-statutes"


@pytest.mark.parametrize(
    ("written", "system", "best"),
    [
        (lecardv2, "bm25", "BM25"),
        (elam, "gold_charge_random", "gold charge, then random (trivial, uses a label)"),
        (bsard, "bm25", "BM25"),
    ],
)
def test_official_files_become_a_table(written: Callable[[Path], str], system: str, best: str, tmp_path: Path) -> None:
    source, kept = tmp_path / "source", tmp_path / "collection"
    source.mkdir()
    recipe = written(source)
    skipped = SkippedRecords(strict=True)
    save_collection(read_collection(written.__name__, source, skipped), kept, skipped)
    request = RecipeRequest(
        recipes().recipe(recipe),
        [load_collection(kept)],
        tmp_path / "runs",
        tmp_path / "results",
        systems=("random", system),
        seeds=3,
    )
    run_recipe(request, tmp_path / "out")
    table = json.loads((tmp_path / "out" / f"{recipe}.json").read_text(encoding="utf-8"))["tables"][0]
    at = [column.partition("(")[0] for column in table["columns"]].index("RR")
    mrr = {row[0]: row[at] for row in table["rows"]}
    assert mrr[best] == "1.00"
    assert float(mrr["random order"].rstrip("‡")) < 1
