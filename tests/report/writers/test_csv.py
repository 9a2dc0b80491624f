"""The list of results in a spreadsheet: rows of text, no formula."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.report.model import Report
from lexgear.report.writers.csv import escape_cell, to_csv


def rows(report: Report) -> list[list[str]]:
    text = to_csv(report)
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text[1:], newline="")))


def test_every_document_found_or_picked_is_a_row(report: Report) -> None:
    header, *body = rows(report)
    assert header[:4] == ["位次", "得分", "文书编号", "案件"]
    assert [row[2] for row in body] == [one.id for one in report.results]
    assert [row[3] for row in body] == [one.title for one in report.results]
    words = {"followed": "参照", "referred": "参考", "distinguished": "不予参照或者参考"}
    chosen = {case.id: words[case.use] for case in report.cases}
    assert {row[2]: row[10] for row in body if row[10]} == chosen


def test_what_is_absent_says_so(bare: Report) -> None:
    row = next(row for row in rows(bare) if row[2] == "'+bare")
    assert row[3] == row[5] == row[6] == row[9] == "检索未提供"


def test_no_cell_of_hostile_documents_is_a_formula(hostile: Report) -> None:
    for row in rows(hostile):
        for cell in row:
            assert not cell.lstrip().startswith(("=", "+", "-", "@", "\t", "\r"))
            assert "\n" not in cell


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        " =1",
        "\n=1",
        "＝1+1",
        "＠x",
        "|x",
        "%x",
        "％x",
        "｜x",
        "﹦1+1",
        "\u00ad=1+1",
        "\u200b\u3000＝1+1",
        "\u034f＋1",
        "\u2212 1+1",
        "\u3164=1",
        "\ufe0f@x",
        "-cmd|' /C calc'!A0",
    ],
)
def test_what_may_be_a_formula_gets_an_apostrophe(cell: str) -> None:
    assert escape_cell(cell).startswith("'")


@given(st.text())
def test_no_text_is_a_formula(text: str) -> None:
    cell = escape_cell(text)
    assert not cell.startswith(("=", "+", "@", "\t", "\r", "\n"))
    assert not cell.startswith("-") or float(cell) <= 0
