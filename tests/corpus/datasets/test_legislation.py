"""Statutes in several versions: wordings, days in force, and searches as of a day."""

from datetime import date
from pathlib import Path

import pytest

from lexgear import Index, train
from lexgear.corpus.datasets.legislation import read_legislation
from lexgear.corpus.records import Collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError
from lexgear.progress import silent

OLD = "第一章 总则\n第一条 为了管理养蜂，制定本法。\n第二章 许可\n第二条 养蜂应当登记。\n第三条 登记费为五元。\n"
NEW = "第一章 总则\n第一条 为了管理养蜂，制定本法。\n第二章 许可\n第二条 养蜂应当办理许可证。\n第四条 蜂箱应当编号。\n"
FRENCH = (
    "# Code des abeilles\n## Livre I. - Des ruches\n#### Article 1\nToute ruche est déclarée.\n#### Article 2 bis\nA.\n"
)


def write(path: Path, text: str, **fields: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    matter = "".join(f"{name}: {value}\n" for name, value in fields.items())
    path.write_text(f"---\n{matter}---\n\n{text}" if fields else text, encoding="utf-8")


@pytest.fixture
def versions(tmp_path: Path) -> Collection:
    write(tmp_path / "laws/old.md", OLD, title="养蜂法", identifier="bees", in_force_from="2001-05-01")
    write(tmp_path / "laws/new.md", NEW, title='"养蜂法"', identifier="bees", in_force_from="2010-01-01")
    return read_legislation(tmp_path / "laws", SkippedRecords(), silent)


def test_every_wording_is_a_document_with_its_days(versions: Collection) -> None:
    assert [(one.id, one.in_force_from, one.in_force_until) for one in versions.documents] == [
        ("bees/1/1", "2001-05-01", ""),
        ("bees/2/2@2001-05-01", "2001-05-01", "2009-12-31"),
        ("bees/2/2@2010-01-01", "2010-01-01", ""),
        ("bees/2/4", "2010-01-01", ""),
        ("bees/2/3", "2001-05-01", "2009-12-31"),
    ]
    assert versions.documents[1].title == "养蜂法 2"
    assert versions.documents[1].text == "养蜂应当登记。"
    assert versions.language == "zh"


def test_the_law_of_a_day_has_the_articles_of_that_day(versions: Collection) -> None:
    def numbers(day: date) -> list[str]:
        return [node.number for node in versions.law.at(day).of_kind("article")]

    assert numbers(date(2009, 12, 31)) == ["1", "2", "3"]
    assert numbers(date(2010, 1, 1)) == ["1", "2", "4"]
    assert numbers(date(2001, 4, 30)) == []


def test_a_search_finds_the_wording_of_the_day(versions: Collection, tmp_path: Path) -> None:
    index = train(versions, "bm25", tmp_path / "index")
    assert isinstance(index, Index)

    def best(day: str) -> str:
        return index.search("养蜂要登记还是办许可证", date=day)[0].document.text

    assert best("2005-01-01") == "养蜂应当登记。"
    assert best("2015-01-01") == "养蜂应当办理许可证。"
    assert index.search("养蜂", date="1999-01-01") == []


def test_directories_named_by_a_date_hold_the_versions_of_that_day(tmp_path: Path) -> None:
    write(tmp_path / "2001-05-01/养蜂法.txt", OLD)
    write(tmp_path / "2010-01-01/养蜂法.txt", NEW)
    write(tmp_path / "README.md", "# Statutes")
    documents = read_legislation(tmp_path, SkippedRecords(strict=True), silent).documents
    assert {(one.node, one.in_force_from) for one in documents if one.node == "养蜂法/2/2"} == {
        ("养蜂法/2/2", "2001-05-01"),
        ("养蜂法/2/2", "2010-01-01"),
    }


def test_french_statutes_have_a_heading_per_article(tmp_path: Path) -> None:
    write(tmp_path / "abeilles.md", FRENCH, title="Code des abeilles", last_updated="2020-02-02", rank="code")
    collection = read_legislation(tmp_path, SkippedRecords(), silent)
    assert [(one.id, one.text, one.in_force_from) for one in collection.documents] == [
        ("abeilles/1/1", "Toute ruche est déclarée.", "2020-02-02"),
        ("abeilles/1/2 bis", "A.", "2020-02-02"),
    ]
    assert collection.language == "fr"


def test_files_without_articles_or_with_a_wrong_date_are_listed(tmp_path: Path) -> None:
    write(tmp_path / "a.md", OLD)
    write(tmp_path / "b.md", "没有条文")
    write(tmp_path / "c.md", NEW, in_force_from="2010")
    skipped = SkippedRecords()
    assert len(read_legislation(tmp_path, skipped, silent).documents) == 3
    assert [(skip.record, skip.reason) for skip in skipped.entries] == [
        ("b", "no articles found"),
        ("c", "'2010' is not a valid date of the form YYYY-MM-DD"),
    ]


def test_two_versions_of_the_same_day_are_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / f"{name}.md", OLD, identifier="bees", in_force_from="2001-05-01")
    with pytest.raises(InputError, match=r"a\.md and b\.md are versions of 'bees' of the same day"):
        read_legislation(tmp_path, SkippedRecords(), silent)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no statute in it"):
        read_legislation(tmp_path / "empty", SkippedRecords(), silent)
