"""Files of a report, read back."""

import csv
import json
from pathlib import Path

import pytest

from lexgear.errors import InputError
from lexgear.evaluation.reproduce.report import Report, Table, replace_section

TABLE = Table("A table", ["system", "R@1", "steps"], [["a|b", 0.123456, 1200], ["c", None, 0]], ["a note"])


def test_every_digit_is_kept_for_machines_and_four_are_shown_to_people(tmp_path: Path) -> None:
    Report("table", "Title", [TABLE, TABLE], about={"data": "sample"}).write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"table.md", "table.json", "table.csv", "table-2.csv"}
    text = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "| a\\|b | .1235 | 1,200 |" in text
    assert "| c | – | 0 |" in text
    assert "- a note" in text
    rows = list(csv.reader((tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()))
    assert rows == [["system", "R@1", "steps"], ["a|b", "0.123456", "1200"], ["c", "", "0"]]
    stored = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert stored["tables"][0]["rows"] == [["a|b", 0.123456, 1200], ["c", None, 0]]


def test_a_page_takes_tables_between_its_marks_and_keeps_the_rest(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n<!-- table sample -->\nold\n<!-- end of table sample -->\nrest\n", encoding="utf-8")
    replace_section(page, "table sample", "new")
    replace_section(page, "table sample", "newer")
    text = page.read_text(encoding="utf-8")
    assert text == "# Page\n<!-- table sample -->\n\nnewer\n<!-- end of table sample -->\nrest\n"
    with pytest.raises(InputError, match="no section for figure sample"):
        replace_section(page, "figure sample", "x")
