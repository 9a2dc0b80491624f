"""Markdown writer. No text of a judgment or a user can become markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import singledispatch

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
from lexgear.report.layout import printed
from lexgear.report.model import Report

_INLINE = re.compile(r"([\\`*_\[\]<>&|~$^!])")
_LINE_START = re.compile(r"^(\s*)([#+=:-]|\d+[.)])", re.MULTILINE)
_ADDRESS = re.compile(r"(?<=[a-z]):(?=//)|(?<=www)\.|@", re.IGNORECASE)
_LINE = re.compile("\u2028|\u2029|\n")


def to_markdown(report: Report) -> str:
    """Return the report in Markdown with tables, for GitHub and Pandoc."""
    return "\n\n".join(_parts(printed(report))) + "\n"


def escape_markdown(text: str) -> str:
    """Escape a text so that Markdown renders it literally and links no address; lines are kept.

    >>> escape_markdown("# a *b* <i>")
    '\\\\# a \\\\*b\\\\* \\\\<i\\\\>'
    """
    text = _INLINE.sub(r"\\\1", text)
    text = _ADDRESS.sub(lambda match: f"&#{ord(match[0])};", text)
    lines = (_LINE_START.sub(_escaped_start, line.strip()) for line in _LINE.split(text))
    return "\n".join(lines)


def _escaped_start(match: re.Match[str]) -> str:
    mark = match[2]
    return f"{match[1]}{mark[:-1]}\\{mark[-1]}"


def _parts(report: Printed) -> Iterator[str]:
    yield f"# {_in_line(report.title)}"
    if report.subtitle:
        yield f"**{_in_line(report.subtitle)}**"
    for block in report.blocks:
        yield _markdown(block)


@singledispatch
def _markdown(block: Block) -> str:
    raise TypeError(type(block))


@_markdown.register
def _(block: Heading) -> str:
    return f"{'#' * (block.level + 1)} {_in_line(block.text)}"


@_markdown.register
def _(block: Paragraph) -> str:
    return escape_markdown(block.text)


@_markdown.register
def _(block: Pairs) -> str:
    rows = [f"| **{_cell(name)}** | {_cell(value)} |" for name, value in block.rows]
    return "\n".join(("| | |", "|---|---|", *rows))


@_markdown.register
def _(block: Table) -> str:
    lines = [_row(block.header), "|" + "---|" * len(block.header)]
    for group in block.groups:
        if group.title:
            lines.append(_row(("", f"**{_cell(group.title)}**"), len(block.header), raw=True))
        lines += [_row(row) for row in group.rows]
    return "\n".join(lines)


@_markdown.register
def _(block: Quotation) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in escape_markdown(block.text).splitlines())
    source = "\n".join(f"> – {line}" for line in escape_markdown(block.source).splitlines())
    return f"{quoted}\n>\n{source}"


@_markdown.register
def _(block: Signature) -> str:
    return "\n\n".join(f"{_in_line(label)} \\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_" for label in block.labels)


def _row(cells: tuple[str, ...], width: int = 0, *, raw: bool = False) -> str:
    shown = [cell if raw else _cell(cell) for cell in cells]
    return f"| {' | '.join(shown + [''] * (width - len(shown)))} |"


def _cell(text: str) -> str:
    return "<br>".join(escape_markdown(text).splitlines())


def _in_line(text: str) -> str:
    return " ".join(escape_markdown(text).splitlines())
