"""HTML writer: one file for printing on A4. Texts are escaped; there are no scripts and no external resources."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from functools import cache, singledispatch
from html import escape
from importlib.resources import files

from lexgear.report.blocks import (
    Block,
    Heading,
    Pairs,
    Paragraph,
    Printed,
    Quotation,
    Signature,
    Table,
)
from lexgear.report.layout import page_words, printed, report_title
from lexgear.report.model import Report

_LANGUAGES = {"zh": "zh-CN"}
_SMALL = "font-size: 8.5pt; color: #444;"


def to_html(report: Report) -> str:
    """Return the report as an HTML document."""
    page = printed(report)
    language = _LANGUAGES.get(page.language, page.language)
    return f"""<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(content_security_policy(report))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{escape(" – ".join(part for part in (page.title, page.subtitle) if part))}</title>
<style>{style(page.title, page.language)}</style>
</head>
<body>
<main>
{"".join(_parts(page))}</main>
</body>
</html>
"""


@cache
def style(title: str, language: str) -> str:
    """Return the style sheet, with the title and the page numbers in the words of the language."""
    before, between, after = (f'"{part}"' for part in page_words(language))
    footer = f"{before} counter(page) {between} counter(pages) {after}"
    boxes = f'@top-right {{ content: "{title}"; {_SMALL} }} @bottom-center {{ content: {footer}; {_SMALL} }}'
    sheet = files("lexgear.report.writers").joinpath("report.css").read_text("utf-8")
    return f"\n@page {{ {boxes} }}\n{sheet}"


def content_security_policy(report: Report) -> str:
    """Return the policy, which allows the page its own style only. A server sends it as a header as well."""
    sheet = style(report_title(report), report.language)  # of our own words only
    digest = b64encode(hashlib.sha256(sheet.encode("utf-8")).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _parts(page: Printed) -> Iterator[str]:
    yield f"<h1>{escape(page.title)}</h1>\n"
    if page.subtitle:
        yield f'<p class="subtitle">{escape(page.subtitle)}</p>\n'
    for block in page.blocks:
        yield _html(block) + "\n"


@singledispatch
def _html(block: Block) -> str:
    raise TypeError(type(block))


@_html.register
def _(block: Heading) -> str:
    return f"<h{block.level + 1}>{escape(block.text)}</h{block.level + 1}>"


@_html.register
def _(block: Paragraph) -> str:
    return f'<p class="{"note" if block.is_note else "lead"}">{escape(block.text)}</p>'


@_html.register
def _(block: Pairs) -> str:
    rows = "\n".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>' for name, value in block.rows
    )
    return f'<table class="pairs{" long" if block.is_long else ""}">\n{rows}\n</table>'


@_html.register
def _(block: Table) -> str:
    columns = "".join(f'<col class="w{width}">' for width in block.widths)
    lines = ["<table>", f"<colgroup>{columns}</colgroup>"]
    header = "".join(f'<th scope="col">{escape(name)}</th>' for name in block.header)
    lines.append(f"<thead><tr>{header}</tr></thead>")
    for group in block.groups:
        lines.append("<tbody>")
        if group.title:
            title = f'<th scope="rowgroup" colspan="{len(block.header)}">{escape(group.title)}</th>'
            lines.append(f'<tr class="band">{title}</tr>')
        lines += [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in group.rows]
        lines.append("</tbody>")
    return "\n".join((*lines, "</table>"))


@_html.register
def _(block: Quotation) -> str:
    return f"<blockquote><p>{escape(block.text)}</p><cite>{escape(block.source)}</cite></blockquote>"


@_html.register
def _(block: Signature) -> str:
    lines = "".join(f"<p>{escape(label)} <span></span></p>" for label in block.labels)
    return f'<div class="signature">{lines}</div>'
