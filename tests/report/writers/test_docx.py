"""The DOCX opened again: the very texts, on A4, in fonts for Chinese, and nothing but text."""

import io
import zipfile
from itertools import chain
from typing import Any

import docx
import pytest
from docx.oxml.ns import qn
from docx.table import Table as DocxTable

from lexgear.report.blocks import Heading, Pairs, Paragraph, Quotation, Signature, Table, printable
from lexgear.report.layout import printed
from lexgear.report.model import Report
from lexgear.report.writers.docx import to_docx
from lexgear.report.writers.docx_style import MARGIN_MM

ORDER = "pStyle keepNext keepLines widowControl numPr pBdr shd tabs spacing ind contextualSpacing jc outlineLvl rPr"
"""Of the properties of a paragraph, by the standard (ISO 29500), those that may occur here."""


def opened(report: Report) -> Any:
    return docx.Document(io.BytesIO(to_docx(report)))


def texts_of(document: Any) -> list[str]:
    """Return the texts of the body in order; merged cells once."""
    found = []
    for part in document.iter_inner_content():
        if isinstance(part, DocxTable):
            for row in part.rows:
                found += [cell.text for cell in dict.fromkeys(row.cells)]
        elif part.style.name != "Gap":
            found.append(part.text)
    return found


def expected(report: Report) -> list[str]:
    page = printed(report)
    found = [page.title, *([page.subtitle] if page.subtitle else [])]
    for block in page.blocks:
        match block:
            case Heading() | Paragraph():
                found.append(block.text)
            case Pairs():
                found += chain(*block.rows)
            case Table():
                found += block.header
                for group in block.groups:
                    found += [*([group.title] if group.title else []), *chain(*group.rows)]
            case Quotation():
                found += [block.text, block.source]
            case Signature():
                found += [f"{label} {'_' * 24}" for label in block.labels]
    return found


@pytest.mark.parametrize("name", ["report", "hostile", "bare"])
def test_opened_again_it_holds_the_very_texts_in_order(name: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(name)
    assert texts_of(opened(report)) == expected(report)


def test_what_the_report_says_stands_in_it(report: Report) -> None:
    texts = texts_of(opened(report))
    everything = "\n".join(texts)
    search = report.search
    for said in (
        search.by,
        search.text,
        search.platform,
        search.index.sha256,
        "裁判日期 ≥ 2015",
        *report.pending.disputes,
    ):
        assert said is not None
        assert said in everything
    for case in report.cases:
        assert case.number in texts
        for quote in case.key_points:
            assert quote.text in texts
    titles = [text for text in texts if text.startswith(("（1）", "（2）", "（3）"))]
    assert titles == [f"（{at}）{case.title}" for at, case in enumerate(report.cases, start=1)]
    assert texts[-2:] == [f"检索人（签名） {'_' * 24}", f"日期 {'_' * 24}"]


def test_hostile_texts_stand_there_as_they_are_but_for_what_xml_cannot_hold(hostile: Report) -> None:
    texts = texts_of(opened(hostile))
    for dispute in hostile.pending.disputes:
        assert printable(dispute) in texts
    for case in hostile.cases:
        for quote in case.key_points:
            assert printable(quote.text) in texts
    assert "�[31m" in "\n".join(texts)


def test_no_text_becomes_a_field_a_link_or_a_part_of_the_package(hostile: Report) -> None:
    data = to_docx(hostile)
    document = docx.Document(io.BytesIO(data))
    fields = [node.text for node in document.sections[0].footer._element.iter(qn("w:instrText"))]
    assert fields == [" PAGE ", " NUMPAGES "]
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        for name in package.namelist():
            text = package.read(name).decode("utf-8", "replace")
            assert 'TargetMode="External"' not in text, name
            if name.startswith("word/") and "footer" not in name:
                for tag in (
                    "w:instrText",
                    "w:fldSimple",
                    "w:hyperlink",
                    "w:altChunk",
                    "w:object",
                    "w:script",
                    "w:sdt>",
                ):
                    assert f"<{tag}" not in text, (name, tag)
        assert "李明辉" not in package.read("word/document.xml").decode().replace("审判长 李明辉", "")
        assert not [name for name in package.namelist() if "vba" in name.lower() or "embeddings" in name]


def test_it_is_a4_with_the_title_above_and_pages_numbered_below(report: Report) -> None:
    section = opened(report).sections[0]
    assert (round(section.page_width.mm), round(section.page_height.mm)) == (210, 297)
    assert round(section.left_margin.mm) == MARGIN_MM
    assert section.header.paragraphs[0].text == "类案检索报告 · 某某盗窃案"
    assert "".join(node.text for node in section.footer._element.iter(qn("w:t"))) == "第 1 页，共 1 页"


def test_chinese_has_chinese_fonts_and_no_theme_takes_them_away(report: Report) -> None:
    document = opened(report)
    used = {paragraph.style.name for paragraph in document.paragraphs} | {"Table text", "Table head", "Header"}
    for name in used:
        fonts = document.styles[name].element.rPr.rFonts
        assert fonts.get(qn("w:eastAsia")) in {"SimSun", "SimHei"}, name
        assert not [key for key in fonts.attrib if key.lower().endswith("theme")], name
    assert document.styles["Heading 1"].element.rPr.rFonts.get(qn("w:eastAsia")) == "SimHei"


def test_tables_are_as_wide_as_the_text_and_their_headers_come_again(report: Report) -> None:
    document = opened(report)
    section = document.sections[0]
    room = section.page_width - section.left_margin - section.right_margin
    for table in document.tables:
        assert abs(sum(column.width for column in table.columns) - room) < 2000
    results = next(table for table in document.tables if len(table.columns) == 6)
    assert results.rows[0]._tr.trPr.find(qn("w:tblHeader")) is not None
    assert [cell.text for cell in results.rows[0].cells] == ["位次", "案件", "法院", "案号", "裁判日期", "运用"]


def test_elements_stand_in_the_order_word_insists_on(hostile: Report) -> None:
    order = ORDER.split()
    for properties in opened(hostile).element.body.iter(qn("w:pPr")):
        names = [child.tag.split("}")[1] for child in properties]
        assert names == sorted(names, key=order.index)


def test_the_properties_of_the_file_say_nothing_of_the_user(hostile: Report) -> None:
    about = opened(hostile).core_properties
    assert (about.title, about.author, about.comments) == ("Similar-case search report", "lexgear", "")
    assert about.created.isoformat() == "2026-11-15T14:05:00+00:00"
