"""The HTML for print: every text escaped, nothing fetched, nothing run."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from lexgear.report.layout import printed
from lexgear.report.model import Report
from lexgear.report.writers.html import content_security_policy, style, to_html
from report.writers.test_docx import expected

ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "table", "colgroup", "col"),
    *("thead", "tbody", "tr", "th", "td", "blockquote", "cite", "div", "span"),
}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "scope", "colspan"}


class Seen(HTMLParser):
    """Tags, attributes and texts as a browser would see them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts = [""]
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in {"meta", "col"}:
            self.open.append(tag)
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.texts.append("")

    def handle_data(self, data: str) -> None:
        self.texts[-1] += data


@pytest.mark.parametrize("name", ["report", "hostile", "bare"])
def test_a_parser_sees_our_tags_and_the_very_texts(name: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(name)
    seen = Seen(to_html(report))
    assert seen.tags <= ALLOWED
    assert seen.attributes <= ATTRIBUTES
    assert seen.open == []
    for text in expected(report):
        assert text.removesuffix("_" * 24) in seen.texts


def test_the_page_allows_itself_nothing_but_its_own_style(hostile: Report) -> None:
    page = to_html(hostile)
    [sheet] = re.findall("<style>(.*?)</style>", page, flags=re.DOTALL)
    assert sheet == style("Similar-case search report", "en")
    assert content_security_policy(hostile).startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in page
    assert not re.search(r"\son\w+=[^\s&]*[\"']", re.sub(r">[^<]*<", "><", page))
    assert "url(" not in sheet
    assert "@import" not in sheet


def test_every_width_of_a_column_has_a_rule(report: Report) -> None:
    sheet = style("类案检索报告", "zh")
    used = set(re.findall(r'class="(w\d+)"', to_html(report)))
    assert len(used) >= 8
    assert all(f".{name} {{ width: {name[1:]}%; }}" in sheet for name in used)


def test_pages_are_a4_and_numbered_in_the_language(report: Report, tmp_path: Path) -> None:
    page = to_html(report)
    assert "size: A4" in page
    assert 'content: "第 " counter(page) " 页，共 " counter(pages) " 页"' in page
    assert '<html lang="zh-CN">' in page
    assert printed(report).title in page
