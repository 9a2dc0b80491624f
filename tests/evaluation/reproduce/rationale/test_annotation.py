"""The sheet for two annotators: safe to open, clear when something is wrong, scored as the field does."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from lexgear.corpus.records import Collection, Document
from lexgear.corpus.sample.cases import sample_cases
from lexgear.errors import InputError
from lexgear.evaluation.reproduce.rationale.annotation import (
    COLUMNS,
    Marks,
    annotation_table,
    cohens_kappa,
    draw_cases,
    read_marks,
    write_sheet,
)
from lexgear.evaluation.reproduce.rationale.model_inputs import MakeInputs, first_tokens, whole_text
from lexgear.evaluation.reproduce.rationale.tables import FIRST, RATIONALE

HEADER = ",".join(COLUMNS)
METHODS: dict[str, MakeInputs] = {FIRST: first_tokens("zh"), RATIONALE: whole_text}


@pytest.fixture(scope="module")
def cases() -> Collection:
    return replace(sample_cases(), documents=sample_cases().documents[:40])


def draw_sheet(collection: Collection, out: Path, samples: int, seed: int, methods: dict[str, MakeInputs]) -> int:
    return write_sheet(out, draw_cases(collection, samples, seed), methods, seed)


def rows(sheet: Path) -> list[dict[str, str]]:
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_sheet_has_every_sample_once_per_method_with_charges_and_room_for_two_marks(
    cases: Collection, tmp_path: Path
) -> None:
    assert draw_sheet(cases, tmp_path / "a.csv", 5, 3, METHODS) == 10
    drawn = rows(tmp_path / "a.csv")
    assert [tuple(row) for row in drawn] == [COLUMNS] * 10
    assert sorted(row["method"] for row in drawn) == sorted([*METHODS] * 5)
    assert [row["method"] for row in drawn] != [*METHODS] * 5  # in random order
    assert len({(row["id"], row["method"]) for row in drawn}) == 10
    known = {document.id: document for document in cases.documents}
    for row in drawn:
        assert row["charges"] == "；".join(known[row["id"]].charges)
        assert row["rationale"]
        assert (row["annotator_1"], row["annotator_2"]) == ("", "")
        assert not any(charge in row["text"] + row["rationale"] for charge in known[row["id"]].charges)
    draw_sheet(cases, tmp_path / "b.csv", 5, 3, METHODS)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    draw_sheet(cases, tmp_path / "c.csv", 5, 4, METHODS)
    assert (tmp_path / "a.csv").read_bytes() != (tmp_path / "c.csv").read_bytes()
    assert (tmp_path / "a.csv").read_bytes().startswith(b"\xef\xbb\xbfid,")


def test_no_cell_is_a_formula_and_every_sample_is_one_line(tmp_path: Path) -> None:
    texts = ["=HYPERLINK(1)盗窃\n财物", "+1盗窃", "-1盗窃", "@SUM 盗窃", " \t=1 盗窃", "＝1盗窃", "半\ud800个"]
    documents = tuple(Document(f"={number}", {"fact": text}, charges=("盗窃罪",)) for number, text in enumerate(texts))
    draw_sheet(Collection("c", "zh", documents), tmp_path / "sheet.csv", 50, 0, {RATIONALE: whole_text})
    lines = (tmp_path / "sheet.csv").read_text("utf-8-sig").splitlines()
    assert len(lines) == 1 + len(texts)
    for row in rows(tmp_path / "sheet.csv"):
        assert not any(cell.startswith(("=", "+", "-", "@", "＝", "\t", "\r")) for cell in row.values())
    assert {row["text"] for row in rows(tmp_path / "sheet.csv")} >= {"'=HYPERLINK(1)盗窃 财物", "'@SUM 盗窃"}


def test_a_sheet_that_is_there_is_not_drawn_over(cases: Collection, tmp_path: Path) -> None:
    draw_sheet(cases, tmp_path / "sheet.csv", 5, 0, METHODS)
    with pytest.raises(InputError, match=r"sheet\.csv: the file exists"):
        draw_sheet(cases, tmp_path / "sheet.csv", 5, 0, METHODS)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([HEADER, "a,m,t,r,c,1,0", "b,m,t,r,c,1,"], r"sheet\.csv:3: no mark of annotator_2"),
        ([HEADER, "a,m,t,r,c,1"], r"sheet\.csv:2: no mark of annotator_2"),
        ([HEADER, "a,m,t,r,c,yes,1"], r"sheet\.csv:2: the mark of annotator_1 is 'yes' \(write 1 if"),
        ([HEADER.replace(",", ";"), "a;m;t;r;c;1;1"], r"sheet\.csv:1: no column annotator_1, annotator_2"),
        ([HEADER], r"sheet\.csv: the sheet has no samples"),
    ],
)
def test_what_is_missing_or_unknown_is_named_by_file_and_line(tmp_path: Path, lines: list[str], said: str) -> None:
    (tmp_path / "sheet.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_marks(tmp_path / "sheet.csv")


def test_marks_come_back_from_a_spreadsheet(tmp_path: Path) -> None:
    lines = (HEADER, "a,f_R,t,r,c, 1 ,0", "a,other,t,r,c,0,0", "b,f_R,t,r,c,1,1", "")
    (tmp_path / "sheet.csv").write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    assert read_marks(tmp_path / "sheet.csv") == {"f_R": Marks((1, 1), (0, 1)), "other": Marks((0,), (0,))}


def test_a_sheet_of_the_former_layout_is_of_f_r(tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_text("id,text,rationale,charges,annotator_1,annotator_2\na,t,r,c,1,0\n")
    assert read_marks(tmp_path / "sheet.csv") == {RATIONALE: Marks((1,), (0,))}


def test_agreement_and_accuracy_are_those_of_a_worked_example() -> None:
    """Of 50: both yes 20, first alone 5, second alone 10, both no 15: agreement .7, by chance .5, kappa .4."""
    first = [1] * 25 + [0] * 25
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert cohens_kappa(first, second) == pytest.approx(0.4)
    rows = annotation_table({FIRST: Marks([1, 0], [1, 1]), RATIONALE: Marks(first, second)}).rows
    table = {str(row[1]): row[2:] for row in rows if row[0] == RATIONALE}
    assert table["accuracy, annotator 1"][0] == 0.5
    assert table["accuracy, annotator 2"][0] == 0.6
    assert table["accuracy, both"][0] == pytest.approx(0.55)
    assert table["agreement"][0] == 0.7
    assert table["agreement"][3:] == (0.96, 0.96)
    assert table["accuracy, both"][3:] == (0.94, 0.86)
    together = {str(row[1]): row[2] for row in rows if row[0] == "all methods"}
    assert together["agreement"] == pytest.approx((35 + 1) / 52)
    assert together.keys() == {"agreement", "Cohen's kappa"}
    assert [row[5:] for row in rows if row[:2] == (FIRST, "accuracy, both")] == [(0.66, 0.38)]
    value, low, high = (cell for cell in table["Cohen's kappa"][:3] if isinstance(cell, float))
    assert 0.1 < low < value < high < 0.7


def test_kappa_is_not_defined_where_all_marks_are_one() -> None:
    assert cohens_kappa([1, 1], [1, 1]) is None
    table = annotation_table({RATIONALE: Marks([1] * 4, [1] * 4)})
    assert table.rows[-1] == (RATIONALE, "Cohen's kappa", None, None, None, None, None)
    assert "not defined" in table.notes[-1]
