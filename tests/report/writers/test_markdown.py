"""The Markdown read by a second program: text stays text."""

import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from lexgear.report.blocks import printable
from lexgear.report.layout import printed
from lexgear.report.model import Report
from lexgear.report.writers.markdown import escape_markdown, to_markdown
from report.writers.test_docx import expected

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
ALLOWED = {"h1", "h2", "h3", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "blockquote", "br", "ul", "li"}


def read(text: str) -> str:
    return str(READER.render(text))


def plain(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


@pytest.mark.parametrize("name", ["report", "hostile", "bare"])
def test_a_reader_sees_our_markup_and_the_very_texts(name: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(name)
    html = read(to_markdown(report))
    assert set(re.findall(r"<(\w+)", html)) <= ALLOWED
    assert "href" not in html
    shown = plain(html)
    for text in expected(report):
        for line in text.removesuffix("_" * 24).splitlines():
            assert " ".join(line.split()) in shown


@given(st.text(st.characters(codec="utf-8"), max_size=60) | st.text("#*_-+=`~[]()<>!|\\&1.): \n\tax$^@/", max_size=30))
@settings(max_examples=300)
def test_no_text_is_markup(text: str) -> None:
    text = printable(text)
    html = read(f"甲 {escape_markdown(text)} 乙")
    assert set(re.findall(r"<(\w+)", html)) <= {"p", "br"}
    assert "".join(plain(html).split()) == "".join(f"甲{text}乙".split())


@given(st.text("#*_-+=`~[]()<>!|\\&1.): \n\tax", min_size=1, max_size=20))
@settings(max_examples=200)
def test_no_line_begins_markup(text: str) -> None:
    html = read(escape_markdown(text))
    assert set(re.findall(r"<(\w+)", html)) <= {"p", "br"}


def test_the_parts_of_a_report_are_headings(report: Report) -> None:
    html = read(to_markdown(report))
    assert re.findall("<h1>(.*?)</h1>", html) == [printed(report).title]
    assert len(re.findall("<h2>", html)) == 6
    assert len(re.findall("<h3>", html)) == len(report.cases)
