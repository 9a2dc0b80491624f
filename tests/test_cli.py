"""Tests of the command line: output, exit codes, files written."""

import json
import lzma
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from commands.conftest import Run, run
from faults.crafted import forge

__all__ = ["run"]

DOCUMENTS = [
    {"id": "a", "fact": "翻墙进入商店，拿走现金。", "charges": ["盗窃"]},
    {"id": "b", "fact": "持刀威胁店主，拿走现金。", "charges": ["抢劫罪"]},
]


def rows(name: str, values: list[object]) -> Path:
    path = Path(name)
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values), encoding="utf-8")
    return path


def built(run: Run) -> None:
    rows("documents.jsonl", [*DOCUMENTS])
    rows(
        "queries.jsonl",
        [{"id": "q", "text": "翻墙进入商店，拿走现金", "note": "carried along"}, {"id": "r", "text": "。"}],
    )
    Path("qrels.trec").write_text("q 0 a 3\nr 0 b 3\n")
    assert run("import", "jsonl", ".", "--out", "collection")[0] == 0
    assert run("train", "collection", "--out", "index", "--ranker", "bm25")[0] == 0


def refused(result: tuple[int, str, str], *said: str) -> None:
    """Assert exit code 2 and one line on standard error with these words."""
    code, out, err = result
    assert code == 2, out + err
    [line] = err.splitlines()
    assert line.startswith("lexgear: ")
    for words in said:
        assert words in line


def test_cases_are_imported_indexed_searched_and_evaluated(run: Run) -> None:
    built(run)
    code, out, _ = run("search", "index", "--queries", "queries.jsonl", "--run", "out.run", "--k", "300")
    assert (code, out) == (0, "out.run: 2 queries, 2 hits; no hits for 1 query\n")
    lines = [line.split() for line in Path("out.run").read_text().splitlines()]
    assert [(line[0], line[1], line[2], line[3], line[5]) for line in lines] == [
        ("q", "Q0", "a", "1", "bm25"),
        ("q", "Q0", "b", "2", "bm25"),
    ]
    code, out, _ = run("evaluate", "out.run", "collection", "--measures", "R@1,MRR", "--format", "csv")
    assert code == 0
    assert [line.split(",")[:4] for line in out.splitlines()[1:]] == [
        ["out", "R@1", "2", "0.5"],
        ["out", "RR", "2", "0.5"],
    ]


def test_one_text_is_searched_for_the_screen_and_as_json(run: Run) -> None:
    built(run)
    code, out, _ = run("search", "index", "--text", "翻墙进入商店")
    assert code == 0
    assert "侵犯财产罪 › 264 › 盗窃罪" in out
    code, out, _ = run("search", "index", "--text", "拿走现金", "--json", "--filter", "charge=抢劫罪")
    assert [(hit["rank"], hit["id"]) for hit in json.loads(out)] == [(1, "b")]
    assert run("search", "index", "--text", "。。。")[1].startswith("Nothing found")


def test_pools_and_exclusions_limit_a_search(run: Run) -> None:
    built(run)
    Path("pools.json").write_text('{"q": ["b"], "r": []}')
    Path("exclude.json").write_text('{"q": ["a"]}')
    for option in ("pools", "exclude"):
        args = ("--queries", "queries.jsonl", "--run", "out.run", f"--{option}", f"{option}.json")
        assert run("search", "index", *args)[0] == 0
        assert [line.split()[2] for line in Path("out.run").read_text().splitlines()] == ["b"]


def test_a_split_is_searched_and_evaluated_alone(run: Run) -> None:
    rows("documents.jsonl", [*DOCUMENTS])
    rows("queries.jsonl", [{"id": n, "text": "翻墙", "split": s} for n, s in [("q", "train"), ("r", "test")]])
    Path("qrels.trec").write_text("q 0 a 1\nr 0 b 1\n")
    run("import", "jsonl", ".", "--out", "collection")
    run("train", "collection", "--out", "index", "--ranker", "bm25")
    for options in (("--split", "test"), ()):
        arguments = ("--queries", "collection/queries.jsonl", *options, "--run", "out.run")
        assert run("search", "index", *arguments)[0] == 0
        assert {line.split()[0] for line in Path("out.run").read_text().splitlines()} == ({"r"} if options else {*"qr"})
        measured = run("evaluate", "out.run", "collection", "--split", "test", "--measures", "R@1", "--format", "csv")
        assert measured[1].splitlines()[1].startswith("out,R@1,1,0.0")
    assert "1 of 2 labelled queries scored" in run("evaluate", "out.run", "collection", "--split", "test")[1]


def test_a_baseline_of_gold_charges_needs_queries_with_charges(run: Run) -> None:
    built(run)
    run("train", "collection", "--out", "gold", "--ranker", "gold_charge_random")
    refused(run("search", "gold", "--text", "翻墙"), "gold_charge_random", "gold charges", "another ranker")
    refused(run("search", "gold", "--queries", "queries.jsonl", "--run", "o.run"), "2 of 2 queries have none")


def test_a_charge_of_a_custom_law_has_a_place_in_the_hits(run: Run) -> None:
    law = [
        {"id": "海上法", "kind": "law", "title": "海上法"},
        {"id": "海上法/7", "kind": "charge", "number": "7", "title": "海盗罪", "parent": "海上法"},
    ]
    Path("law.json").write_text(json.dumps(law))
    rows("documents.jsonl", [{"id": "a", "text": "登上商船，拿走货物。", "charges": ["海盗罪"]}])
    assert run("import", "jsonl", ".", "--out", "collection")[0] == 0
    run("train", "collection", "--out", "index", "--ranker", "bm25")
    assert "海上法 › 海盗罪" in run("search", "index", "--text", "商船")[1]


def test_an_import_says_where_the_data_comes_from_and_how_much_has_a_charge(run: Run) -> None:
    rows("documents.jsonl", [{"id": n, "text": "翻墙", "charges": ["盗窃罪"] if n else []} for n in range(2001)])
    out = run("import", "jsonl", "documents.jsonl", "--out", "collection")[1]
    assert "2,000 documents (99.9%) have a charge" in out
    assert "data set: own documents\n" in out


def test_labels_outside_elams_candidates_are_counted_on_the_screen(run: Run) -> None:
    files = {
        "pid_charges": {"a": ["盗窃罪"], "b": ["盗窃罪"], "far": ["赌博罪"]},
        "atomicId_labels_dict": {"a": ["b"]},
        "atomicId_labels_2and1_dict": {"a": ["b", "far"]},
        "test_set": [],
    }
    for name, content in files.items():
        Path(f"{name}.json").write_text(json.dumps(content))
    assert "labels outside the candidates: 1\n" in run("import", "elam", ".", "--out", "collection")[1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [("--version",), ("search", "index", "--text", "翻墙")])
def test_a_full_disk_under_standard_output_is_a_one_line_error(run: Run, arguments: tuple[str, ...]) -> None:
    built(run)
    command = [sys.executable, "-c", "from lexgear.cli import main; main()", *arguments]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    refused((done.returncode, "", done.stderr), "standard output cannot be written: No space left on device")


def test_an_intact_index_passes_the_check_and_a_damaged_one_does_not(run: Run) -> None:
    built(run)
    code, printed, _ = run("check", "index")
    assert (code, printed.splitlines()[0]) == (0, "index: bm25 over 2 documents, 3 parts, all intact")
    part = Path("index/catalogue.sqlite")
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    refused(run("check", "index"), "catalogue.sqlite", "damaged")


def put_line(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("\n")


def test_an_index_whose_parts_and_checksums_were_both_forged_is_not_the_one_that_was_checked(run: Run) -> None:
    built(run)
    kept = run("check", "index")[1].split()[-1]
    assert kept == sha256(Path("index/manifest.json").read_bytes()).hexdigest()
    assert run("check", "index", "--sha256", kept)[0] == 0
    forge(Path("index"), Path("index/law.json"), put_line)
    assert run("check", "index")[0] == 0
    refused(run("check", "index", "--sha256", kept), "another index, with the checksum")


def test_an_index_of_a_newer_format_is_refused(run: Run) -> None:
    built(run)
    manifest = Path("index/manifest.json")
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"format": 4', '"format": 5'), encoding="utf-8")
    refused(run("search", "index", "--text", "x"), "manifest.json", "format 5", "upgrade")


def test_bad_records_are_skipped_counted_and_listed(run: Run) -> None:
    bad = [{"fact": "no id"}, {"id": "c"}, {"id": "d", "text": " "}, {"id": "a", "fact": "twice"}]
    rows("documents.jsonl", [*DOCUMENTS, *bad, {"id": "e", "text": "拿走现金", "charges": ["走私"]}])
    Path("qrels.trec").write_text("q 0 nowhere 1\n")
    rows("queries.jsonl", [{"id": "q", "text": "现金"}])
    code, out, _ = run("import", "jsonl", ".", "--out", "collection")
    assert code == 0
    assert "3 documents, 1 queries" in out
    assert "6 skipped, listed in collection/skipped.jsonl" in out
    listed = [json.loads(line) for line in Path("collection/skipped.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(entry["line"], entry["reason"]) for entry in listed][-1] == (1, "label of an unknown document")
    assert len(listed) == 6


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"fact": "no id"}, "no id"),
        ({"id": "c"}, "text"),
        ({"id": "d", "text": " "}, "empty"),
        ({"id": "a", "fact": "twice"}, "duplicate id"),
        ({"id": "e", "text": "x", "charges": ["走私"]}, "unknown charge '走私'"),
    ],
)
def test_strict_refuses_the_first_unusable_record(run: Run, record: object, said: str) -> None:
    rows("documents.jsonl", [*DOCUMENTS, record])
    refused(run("import", "jsonl", ".", "--out", "collection", "--strict"), "documents.jsonl:3:", said)
    assert not Path("collection").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"id": "a"', "documents.jsonl:1: not valid JSON"),
        (b'{"id": "a", "text": "x"}\n[1]\n', "documents.jsonl:2: not a JSON object"),
        (b'{"id": "a", "text": "x"}\n{"id": "\xff"}\n', "documents.jsonl:2: not valid UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_and_leaves_nothing(run: Run, content: bytes, said: str) -> None:
    Path("documents.jsonl").write_bytes(content)
    refused(run("import", "jsonl", "documents.jsonl", "--out", "collection"), said)
    assert [path.name for path in Path().iterdir()] == ["documents.jsonl"]


def test_a_truncated_archive_is_refused(run: Run) -> None:
    Path("documents.jsonl.xz").write_bytes(lzma.compress(json.dumps(DOCUMENTS[0]).encode() * 500)[:-9])
    refused(run("import", "jsonl", "documents.jsonl.xz", "--out", "c"), "documents.jsonl.xz", "truncated or corrupt")


def test_a_missing_file_is_named_and_nothing_is_written(run: Run) -> None:
    built(run)
    refused(run("search", "index", "--queries", "nowhere.jsonl", "--run", "n.run"), "nowhere.jsonl: no such file")
    assert not Path("n.run").exists()
    refused(run("import", "lecard", "nowhere", "--out", "c"), "nowhere", "docs/datasets.md")
    refused(run("import", "jsonl", "nowhere.jsonl", "--out", "c"), "nowhere.jsonl: no such file", "check the path")
    refused(run("train", "nowhere", "--out", "i"), "nowhere")
    refused(run("check", "nowhere"), "nowhere")
    refused(run("evaluate", "nowhere.run", "qrels.trec"), "nowhere.run")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("import", "lecrad", ".", "--out", "c"), "lecardv2"),
        (("train", "collection", "--out", "i", "--ranker", "bm52"), "query_likelihood"),
        (("train", "collection", "--out", "i", "--set", "k1"), "key=value"),
        (("search", "index"), "--text"),
        (("search", "index", "--text", "x", "--queries", "q"), "either"),
        (("search", "index", "--text", "x", "--pools", "queries.jsonl"), "--pools"),
        (("search", "index", "--text", "x", "--exclude", "queries.jsonl"), "--exclude"),
        (("search", "index", "--text", "x", "--split", "test"), "--split"),
        (("search", "index", "--queries", "queries.jsonl", "--run", "o.run", "--json"), "--json"),
        (("search", "index", "--queries", "queries.jsonl", "--run", "o.run", "--split", "dev"), "'dev'"),
        (("search", "index", "--text", "x", "--k", "0"), "--k"),
        (("search", "index", "--txet", "x"), "--txet"),
        (("search",), "index"),
        (("serach",), "serach"),
        (("train", "collection", "--out", "i", "--ranker", "bm25", "--set", "k1=-5"), "from 0 to 1000"),
        (("train", "collection", "--out", "i", "--ranker", "gold_charge_random", "--set", "seed=-1"), "0 or more"),
        (("evaluate", "out.run", "collection", "--measures", "coverage_judgment@1"), "each system predicts"),
        (("evaluate", "out.run", "collection", "--split", "dev"), "no query belongs to the split 'dev'"),
        (("evaluate", "out.run", "other/qrels.trec", "--split", "test"), "name the collection instead of its labels"),
        (("evaluate", "out.run", "other/qrels.trec", "--measures", "coverage@1"), "evaluate against a collection"),
        (("search", "index", "--text", "x", "--filter", "colour=red"), "colour=red"),
        (("evaluate", "out.run", "collection", "--measures", "R@ten"), "R@ten"),
        (("evaluate", "out.run", "collection", "--format", "word"), "markdown"),
    ],
)
def test_wrong_usage_is_refused_with_a_remedy(run: Run, arguments: tuple[str, ...], said: str) -> None:
    built(run)
    run("search", "index", "--queries", "queries.jsonl", "--run", "out.run")
    Path("other").mkdir()
    Path("other/qrels.trec").write_text("q 0 a 3\n")
    refused(run(*arguments), said)


@pytest.mark.parametrize(
    ("queries", "said"),
    [
        ([{"id": "q"}], "queries.jsonl:1: no text"),
        ([{"text": "x"}], "queries.jsonl:1: no id"),
        ([{"id": "q", "text": "x"}, {"id": "q", "text": "y"}], "queries.jsonl:2"),
    ],
)
def test_a_bad_query_file_is_refused_before_anything_is_searched(run: Run, queries: list[object], said: str) -> None:
    built(run)
    rows("queries.jsonl", queries)
    refused(run("search", "index", "--queries", "queries.jsonl", "--run", "out.run"), said)
    assert not Path("out.run").exists()


def test_help_and_version_exit_without_an_error(run: Run) -> None:
    for command in ("demo", "import", "train", "search", "evaluate", "check"):
        code, out, _ = run(command, "--help")
        assert code == 0
        assert "Usage: lexgear" in out
    assert run("--version")[1].startswith("lexgear ")
    code, out, err = run()
    assert (code, err) == (2, "")
    assert "Usage: lexgear" in out


def test_the_threads_of_the_model_can_be_limited_and_wait_passively() -> None:
    code = """
import sys
from lexgear.cli import main
sys.argv = ["lexgear", "--threads", "1", "settings", "bm25"]
try:
    main()
except SystemExit:
    import os, torch
    print(torch.get_num_threads(), os.environ["OMP_WAIT_POLICY"])
"""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    done = subprocess.run([sys.executable, "-c", code], env=outside, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "1 PASSIVE"


def test_a_foreign_directory_is_never_replaced(run: Run) -> None:
    built(run)
    Path("precious").mkdir()
    Path("precious/thesis.txt").write_text("years of work")
    for command in (("train", "collection"), ("import", "jsonl", "documents.jsonl")):
        refused(run(*command, "--out", "precious"), "precious")
        refused(run(*command, "--out", "."))
    refused(run("train", "collection", "--out", "collection"), "collection")
    refused(run("import", "jsonl", "collection", "--out", "collection"), "collection")
    assert Path("precious/thesis.txt").read_text() == "years of work"
    assert Path("collection/documents.jsonl").exists()
