"""DOCX writer (A4). Texts are written into runs only, so that none becomes a field, a link or markup."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from functools import singledispatchmethod
from typing import TYPE_CHECKING, Any

from lexgear.errors import ErrorCode, InputError
from lexgear.report.blocks import (
    LONG,
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
from lexgear.report.writers.docx_style import (
    HEAD_SHADE,
    LINE,
    RULE,
    SHADE,
    WIDTH,
    add_border,
    add_field,
    keep_together,
    set_background,
    set_grid,
    set_page,
    set_styles,
)

if TYPE_CHECKING:
    from docx.table import _Cell, _Row
    from docx.text.paragraph import Paragraph as DocxParagraph

SHORT_TABLE = 8
"""Rows up to which a table is not divided between pages."""
_LABEL = 22
"""Width of the label column in a table of pairs, in percent."""


def to_docx(report: Report) -> bytes:
    """Return the report as a DOCX file."""
    try:
        import docx
    except ImportError as error:
        raise InputError(
            "writing DOCX needs the package python-docx",
            code=ErrorCode.MISSING_DEPENDENCY,
            remedy="pip install 'lexgear[serve]'",
            name="python-docx",
        ) from error
    page = printed(report)
    writer = _Writer(docx.Document(), page)
    writer.write(report.search.at)
    file = io.BytesIO()
    writer.document.save(file)
    return file.getvalue()


class _Writer:
    """Writes the blocks of a report."""

    def __init__(self, document: Any, page: Printed) -> None:
        self.document, self.page = document, page
        self.styles: dict[str, str] = {}
        """Style name → id, read once: python-docx would search all 160 styles per paragraph, 5 ms each."""

    def write(self, at: datetime) -> None:
        """Write the whole report."""
        about = self.document.core_properties
        about.title, about.subject, about.author, about.comments = self.page.title, "", "lexgear", ""
        about.created = about.modified = at.replace(tzinfo=None) - (at.utcoffset() or at - at)
        set_styles(self.document, self.page.language)
        self.styles = {style.name: style.style_id for style in self.document.styles}
        set_page(self.document.sections[0])
        self._frame()
        self._paragraph(self.page.title, "Title")
        if self.page.subtitle:
            self._paragraph(self.page.subtitle, "Subtitle")
        for block in self.page.blocks:
            self._add(block)

    def _frame(self) -> None:
        """Write the header (title) and the footer (page number)."""
        section = self.document.sections[0]
        header = section.header.paragraphs[0]
        header.text = " · ".join(part for part in (self.page.title, self.page.subtitle) if part)
        add_border(header, "bottom", LINE)
        footer = section.footer.paragraphs[0]
        before, between, after = self.page.page
        footer.add_run(before)
        add_field(footer, "PAGE")
        footer.add_run(between)
        add_field(footer, "NUMPAGES")
        footer.add_run(after)
        footer.alignment = 1

    @singledispatchmethod
    def _add(self, block: Block) -> None:
        raise TypeError(type(block))

    @_add.register
    def _(self, block: Heading) -> None:
        heading = self._paragraph(block.text, f"Heading {block.level}")
        if block.level == 1:
            add_border(heading, "bottom", LINE)

    @_add.register
    def _(self, block: Paragraph) -> None:
        paragraph = self._paragraph(block.text, "Note" if block.is_note else "Lead")
        paragraph.paragraph_format.keep_with_next = not block.is_note

    @_add.register
    def _(self, block: Pairs) -> None:
        table = self._table((_LABEL, 100 - _LABEL))
        for at, (name, value) in enumerate(block.rows, start=1):
            row = table.add_row()
            label, content = row.cells
            self._fill(label, name)
            set_background(label, SHADE)
            self._fill(content, value)
            if len(value) <= LONG:
                keep_together(row)
            if not block.is_long and at < len(block.rows):
                _kept_with_next(row)
        self._after_table()

    @_add.register
    def _(self, block: Table) -> None:
        table = self._table(block.widths)
        header = table.add_row()
        for cell, name in zip(header.cells, block.header, strict=True):
            self._fill(cell, name, "Table head")
            set_background(cell, HEAD_SHADE)
        keep_together(header, is_header=True)
        rows = sum(len(group.rows) for group in block.groups)
        for group in block.groups:
            if group.title:
                band = table.add_row()
                cell = band.cells[0].merge(band.cells[-1])
                self._fill(cell, group.title, "Table head")
                set_background(cell, SHADE)
                _kept_with_next(band)
                keep_together(band)
            for at, row in enumerate(group.rows, start=1):
                added = table.add_row()
                for cell, text in zip(added.cells, row, strict=True):
                    self._fill(cell, text)
                if max(map(len, row)) <= LONG:
                    keep_together(added)
                if rows <= SHORT_TABLE and at < len(group.rows):
                    _kept_with_next(added)
        if rows <= SHORT_TABLE:
            _kept_with_next(header)
        self._after_table()

    @_add.register
    def _(self, block: Quotation) -> None:
        quote = self._paragraph(block.text, "Quotation")
        source = self._paragraph(block.source, "Source")
        for paragraph in (quote, source):
            add_border(paragraph, "left", "9A9A94", size=18, space=8)
        quote.paragraph_format.keep_with_next = True

    @_add.register
    def _(self, block: Signature) -> None:
        for paragraph in self.document.paragraphs[-2:]:
            paragraph.paragraph_format.keep_with_next = True  # never a page with signatures only
        for label in block.labels:
            self._paragraph(f"{label} {'_' * 24}", "Signature line")

    def _table(self, widths: Sequence[int]) -> Any:
        from docx.shared import Emu

        table = self.document.add_table(rows=0, cols=len(widths), style="Table Grid")
        table.autofit, table.alignment = False, 1  # left-aligned tables extend beyond the margin in Word
        set_grid(table, RULE)
        for column, width in zip(table.columns, widths, strict=True):
            column.width = Emu(int(WIDTH * width / 100))
        return table

    def _after_table(self) -> None:
        """Add an empty paragraph; Word joins adjacent tables."""
        self._paragraph("", "Gap")

    def _paragraph(self, text: str, style: str) -> DocxParagraph:
        return self._styled(self.document.add_paragraph(), text, style)

    def _fill(self, cell: _Cell, text: str, style: str = "Table text") -> None:
        self._styled(cell.paragraphs[0], text, style)

    def _styled(self, paragraph: DocxParagraph, text: str, style: str) -> DocxParagraph:
        paragraph._p.style = self.styles[style]
        paragraph.add_run(text)
        return paragraph


def _kept_with_next(row: _Row) -> None:
    for cell in row.cells:
        cell.paragraphs[0].paragraph_format.keep_with_next = True
