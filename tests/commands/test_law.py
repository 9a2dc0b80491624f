"""The `law` command: places of the law, and entries of the charge book."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lexgear.cli import app
from lexgear.commands.law import find_place
from lexgear.errors import InputError
from lexgear.law.shipped import chinese_criminal_law
from lexgear.law.tree import LawTree, TreeBuilder

LAW = chinese_criminal_law()


def printed(*words: str) -> str:
    result = CliRunner().invoke(app, ["law", *words])
    assert result.exit_code == 0
    return result.output


def test_a_charge_is_shown_with_its_place_and_its_entry() -> None:
    shown = printed("受贿")
    assert "385 受贿罪 › 受贿罪" in shown.splitlines()[0]
    for name in ("definition", "protected interest", "thresholds", "in force", "excludes", "facts often say"):
        assert name in shown
    assert "非国家工作人员受贿罪" in shown
    assert "unverified" not in shown
    assert "unverified" in printed("非法搜查罪")
    assert "accepting bribes" in shown


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("盗窃", "cn-criminal/2/5/264/盗窃罪"),
        ("贩卖毒品罪", "cn-criminal/2/6/7/347/走私、贩卖、运输、制造毒品罪"),
        ("264", "cn-criminal/2/5/264"),
        ("刑法第133-1条", "cn-criminal/2/2/133-1"),
        ("2/5", "cn-criminal/2/5"),
        ("cn-criminal/2/3/4", "cn-criminal/2/3/4"),
        ("", "cn-criminal"),
    ],
)
def test_a_place_is_named_by_charge_article_or_path(place: str, found: str) -> None:
    assert find_place(LAW, place).id == found


def test_what_is_below_a_place_is_listed() -> None:
    assert "  263 抢劫罪\n  264 盗窃罪\n" in printed("2/5")


def test_json_has_the_entry_with_dates_as_texts() -> None:
    row = json.loads(printed("袭警罪", "--json"))
    assert row["entry"]["in_force_from"] == "2021-03-01"
    assert row["id"].endswith("/277/袭警罪")


def test_an_unknown_place_is_refused() -> None:
    with pytest.raises(InputError, match="no place"):
        find_place(LAW, "某罪名")


def test_a_number_that_several_articles_have_needs_a_path() -> None:
    builder = TreeBuilder()
    for code in ("a", "b"):
        builder.add(builder.add(None, "law", code), "article", "1")
    with pytest.raises(InputError, match="2 articles"):
        find_place(builder.tree(), "1")
    assert find_place(builder.tree(), "b/1").id == "b/1"


def test_the_law_of_a_collection_can_be_shown(tmp_path: Path) -> None:
    builder = TreeBuilder()
    builder.add(builder.add(None, "law", "code", "Code"), "article", "7", text="Nul n'est censé ignorer la loi.")
    tree: LawTree = builder.tree()
    (tmp_path / "law.json").write_text(json.dumps(tree.to_rows()), "utf-8")
    assert "Nul n'est censé" in printed("7", "--collection", str(tmp_path))
