"""DOCX styles: A4, Song and Hei fonts for Chinese, and formatting that python-docx does not support."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from docx.section import Section
    from docx.table import Table, _Cell, _Row
    from docx.text.paragraph import Paragraph

SONG, HEI = "SimSun", "SimHei"
"""Fonts of Chinese Windows; other systems substitute their own Song and Hei fonts."""
LATIN, LATIN_HEAD = "Times New Roman", "Arial"
LINE, RULE, SHADE, HEAD_SHADE = "333333", "8A8A8A", "F1F1EF", "E4E4E0"
MARGIN_MM, WIDTH_MM = 22, 166
WIDTH = WIDTH_MM * 36_000
"""Width of the text in EMU."""
_TAGS = {"zh": "zh-CN", "fr": "fr-FR", "en": "en-GB"}


class _Style(NamedTuple):
    """Paragraph style; sizes and spacing in points."""

    name: str
    size: float
    before: float = 0
    after: float = 0
    bold: bool = False
    head: bool = False
    indent_mm: float = 0
    centred: bool = False
    right: bool = False
    colour: str = "1A1A1A"
    spacing: float = 1.15
    with_next: bool = False


_STYLES = (
    _Style("Normal", 10.5, after=4),
    _Style("Title", 20, after=4, bold=True, head=True, centred=True),
    _Style("Subtitle", 12, after=14, centred=True),
    _Style("Heading 1", 13, before=16, after=6, bold=True, head=True, with_next=True),
    _Style("Heading 2", 11.5, before=12, after=4, bold=True, head=True, with_next=True),
    _Style("Lead", 10.5, before=6, after=3, bold=True, head=True),
    _Style("Note", 9, after=3, colour="444444"),
    _Style("Table text", 9.5, before=1.5, after=1.5),
    _Style("Table head", 9.5, before=1.5, after=1.5, bold=True, head=True),
    _Style("Quotation", 10.5, before=4, indent_mm=5),
    _Style("Source", 8.5, after=6, indent_mm=5, colour="444444"),
    _Style("Signature line", 10.5, before=24, right=True, with_next=True),
    _Style("Gap", 4, spacing=1),
    _Style("Header", 8.5, colour="444444"),
    _Style("Footer", 8.5, colour="444444"),
)


def set_styles(document: Any, language: str) -> None:
    """Set fonts, sizes and spacing of every style."""
    from docx.enum.style import WD_STYLE_TYPE

    known = {style.name for style in document.styles}
    for spec in _STYLES:
        style = document.styles[spec.name] if spec.name in known else None
        style = style or document.styles.add_style(spec.name, WD_STYLE_TYPE.PARAGRAPH)
        _apply(style, spec)
    _set_language(document.styles["Normal"], _TAGS[language])


def _apply(style: Any, spec: _Style) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml.ns import qn
    from docx.shared import Mm, Pt, RGBColor

    style.font.name = LATIN_HEAD if spec.head else LATIN
    style.font.size, style.font.bold, style.font.italic = Pt(spec.size), spec.bold, False
    style.font.color.rgb = RGBColor.from_string(spec.colour)
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    fonts.set(qn("w:eastAsia"), HEI if spec.head else SONG)
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)  # theme fonts take precedence over named ones
    room = style.paragraph_format
    room.space_before, room.space_after, room.line_spacing = (
        Pt(spec.before),
        Pt(spec.after),
        spec.spacing,
    )
    room.left_indent, room.keep_with_next = Mm(spec.indent_mm), spec.with_next
    if spec.centred or spec.right:
        room.alignment = WD_ALIGN_PARAGRAPH.CENTER if spec.centred else WD_ALIGN_PARAGRAPH.RIGHT
    properties = style.element.get_or_add_pPr()
    for border in properties.findall(qn("w:pBdr")):  # the template underlines the title
        properties.remove(border)


def _set_language(style: Any, tag: str) -> None:
    """Set the language of the spell checker."""
    from docx.oxml.ns import qn

    properties = style.element.get_or_add_rPr()
    language = properties.makeelement(qn("w:lang"), {qn("w:val"): tag, qn("w:eastAsia"): "zh-CN"})
    properties.append(language)


def set_page(section: Section) -> None:
    """Set A4 portrait and the margins."""
    from docx.shared import Mm

    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(MARGIN_MM)
    section.top_margin, section.bottom_margin = Mm(26), Mm(22)
    section.header_distance, section.footer_distance = Mm(13), Mm(11)


def add_field(paragraph: Paragraph, name: str) -> None:
    """Add a field that Word fills in: PAGE or NUMPAGES."""
    from docx.oxml.ns import qn

    parts: tuple[tuple[str, dict[str, str], str], ...] = (
        ("w:fldChar", {qn("w:fldCharType"): "begin"}, ""),
        ("w:instrText", {qn("xml:space"): "preserve"}, f" {name} "),
        ("w:fldChar", {qn("w:fldCharType"): "separate"}, ""),
        ("w:t", {}, "1"),
        ("w:fldChar", {qn("w:fldCharType"): "end"}, ""),
    )
    for tag, attributes, text in parts:
        run = paragraph.add_run()._r
        element = run.makeelement(qn(tag), attributes)
        element.text = text or None
        run.append(element)


def add_border(paragraph: Paragraph, side: str, colour: str, size: int = 6, space: int = 2) -> None:
    """Draw a line on one side of a paragraph; size in eighths of a point."""
    from docx.oxml.ns import qn

    properties = paragraph._p.get_or_add_pPr()
    border = properties.makeelement(qn("w:pBdr"), {})
    values = {"val": "single", "sz": str(size), "space": str(space), "color": colour}
    border.append(border.makeelement(qn(f"w:{side}"), {qn(f"w:{name}"): value for name, value in values.items()}))
    properties.insert_element_before(
        border, "w:shd", "w:tabs", "w:suppressAutoHyphens", "w:spacing", "w:ind", "w:jc", "w:rPr"
    )


def set_grid(table: Table, colour: str) -> None:
    """Draw thin lines of one colour in a table."""
    from docx.oxml.ns import qn

    properties = table._tbl.tblPr
    borders = properties.makeelement(qn("w:tblBorders"), {})
    values = {"val": "single", "sz": "4", "space": "0", "color": colour}
    for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
        borders.append(borders.makeelement(qn(f"w:{side}"), {qn(f"w:{name}"): value for name, value in values.items()}))
    properties.insert_element_before(borders, "w:shd", "w:tblLayout", "w:tblCellMar", "w:tblLook")


def set_background(cell: _Cell, colour: str) -> None:
    """Set the background of a cell."""
    from docx.oxml.ns import qn

    properties = cell._tc.get_or_add_tcPr()
    values = {"val": "clear", "color": "auto", "fill": colour}
    properties.append(properties.makeelement(qn("w:shd"), {qn(f"w:{name}"): value for name, value in values.items()}))


def keep_together(row: _Row, *, is_header: bool = False) -> None:
    """Keep a row on one page; a header row is repeated on each page."""
    from docx.oxml.ns import qn

    properties = row._tr.get_or_add_trPr()
    properties.append(properties.makeelement(qn("w:cantSplit"), {}))
    if is_header:
        properties.append(properties.makeelement(qn("w:tblHeader"), {}))
