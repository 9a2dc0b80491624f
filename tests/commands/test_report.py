"""Tests of `lexgear report`."""

import csv
import json
from pathlib import Path

import docx
import pytest

from commands.conftest import Run
from lexgear.api import train
from lexgear.rankers.words.bm25 import BM25
from rankers.small import COLLECTION


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    directory = tmp_path_factory.mktemp("reporting") / "index"
    train(COLLECTION, BM25(), directory)
    return str(directory)


@pytest.fixture
def facts(tmp_path: Path) -> str:
    (tmp_path / "facts.txt").write_text("被告人李明辉翻墙进入商店，拿走现金。\n", encoding="utf-8")
    return "facts.txt"


def test_the_format_of_a_report_follows_from_its_suffix(index: str, facts: str, run: Run) -> None:
    picked = (
        "--cases",
        "d4, d1",
        "--use",
        "d1=followed",
        "--remark",
        "d1=手段相同",
        "--by",
        "王法官",
        "--dispute",
        "一？",
        "--dispute",
        "二？",
    )
    for name in ("r.docx", "r.html", "r.md", "r.json", "r.csv"):
        code, out, err = run("report", index, "--text", facts, "--out", name, *picked)
        assert (code, err) == (0, "")
        assert out.startswith(f"{name}: 4 found, 2 in the report\n")
        assert "masked" in out
    row = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert [(case["id"], case["use"], case["remark"]) for case in row["cases"]] == [
        ("d4", "open", None),
        ("d1", "followed", "手段相同"),
    ]
    assert row["search"]["text"] == "被告人李某翻墙进入商店，拿走现金。"
    assert row["pending"]["disputes"] == ["一？", "二？"]
    assert docx.Document("r.docx").paragraphs[0].text == "类案检索报告"
    assert "<h1>类案检索报告</h1>" in Path("r.html").read_text(encoding="utf-8")
    assert Path("r.md").read_text(encoding="utf-8").startswith("# 类案检索报告\n")
    with Path("r.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.reader(file))) == 5


def test_format_language_and_names_can_be_chosen(index: str, facts: str, run: Run) -> None:
    code, out, _ = run(
        "report", index, "--text", facts, "--out", "r.txt", "--format", "markdown", "--language", "fr", "--names"
    )
    assert code == 0
    assert "masked" not in out
    written = Path("r.txt").read_text(encoding="utf-8")
    assert written.startswith("# Rapport de recherche d’affaires similaires\n")
    assert "李明辉" in written


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "r.txt"), "csv); --format sets the format"),
        (("--out", "r.docx", "--format", "pdf"), "no report format 'pdf'"),
        (("--out", "r.docx", "--cases", "nobody"), "no document 'nobody'"),
        (("--out", "r.docx", "--cases", "d1,d1"), "twice"),
        (("--out", "r.docx", "--cases", "d1", "--use", "d2=followed"), "does not begin with an id of --cases"),
        (
            ("--out", "r.docx", "--cases", "d1", "--use", "d1=obeyed"),
            "--use: 'obeyed' is none of the choices (choose 'fol",
        ),
        (
            ("--out", "r.docx", "--language", "de"),
            "--language: 'de' is none of the choices (choose 'zh', ",
        ),
        (("--out", "r.docx", "--by", "x" * 501), "--by: 501 characters (write at most 500)"),
        (("--out", "r.docx", "--cases", ",".join(map(str, range(101)))), "--cases: 101 entries (give at most 100)"),
        (("--out", "r.docx", "--filter", "colour=red"), "--filter"),
        (("--out", "r.docx", "--text", "nowhere.txt"), "nowhere.txt"),
        (("--out", "r.docx", "--text", "empty.txt"), "empty.txt: no text (write the facts"),
    ],
)
def test_wrong_usage_is_one_line_and_writes_nothing(
    index: str, facts: str, run: Run, arguments: tuple[str, ...], said: str
) -> None:
    Path("empty.txt").write_text("\n", encoding="utf-8")
    code, _, err = run("report", index, "--text", facts, *arguments)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
    assert not list(Path().glob("r.*"))
