"""How a report looks in DOCX: A4, Song and Hei for Chinese, and the few things python-docx has no words for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from docx.section import Section
    from docx.table import Table, _Cell, _Row
    from docx.text.paragraph import Paragraph

SONG, HEI = "SimSun", "SimHei"
"""What every Chinese Windows has; other systems put their own Song and Hei in their place."""
LATIN, LATIN_HEAD = "Times New Roman", "Arial"
LINE, RULE, SHADE, HEAD_SHADE = "333333", "8A8A8A", "F1F1EF", "E4E4E0"
MARGIN_MM, WIDTH_MM = 22, 166
WIDTH = WIDTH_MM * 36_000
"""Of the text, in the units of DOCX."""
_TAGS = {"zh": "zh-CN", "fr": "fr-FR", "en": "en-GB"}


class _Look(NamedTuple):
    """A paragraph style: points of the letters, before and after, and the rest."""

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


_LOOKS = (
    _Look("Normal", 10.5, after=4),
    _Look("Title", 20, after=4, bold=True, head=True, centred=True),
    _Look("Subtitle", 12, after=14, centred=True),
    _Look("Heading 1", 13, before=16, after=6, bold=True, head=True, with_next=True),
    _Look("Heading 2", 11.5, before=12, after=4, bold=True, head=True, with_next=True),
    _Look("Lead", 10.5, before=6, after=3, bold=True, head=True),
    _Look("Note", 9, after=3, colour="444444"),
    _Look("Table text", 9.5, before=1.5, after=1.5),
    _Look("Table head", 9.5, before=1.5, after=1.5, bold=True, head=True),
    _Look("Quotation", 10.5, before=4, indent_mm=5),
    _Look("Source", 8.5, after=6, indent_mm=5, colour="444444"),
    _Look("Signature line", 10.5, before=24, right=True, with_next=True),
    _Look("Gap", 4, spacing=1),
    _Look("Header", 8.5, colour="444444"),
    _Look("Footer", 8.5, colour="444444"),
)


def set_styles(document: Any, language: str) -> None:
    """Gives every style its fonts, sizes and room."""
    from docx.enum.style import WD_STYLE_TYPE

    known = {style.name for style in document.styles}
    for look in _LOOKS:
        style = document.styles[look.name] if look.name in known else None
        style = style or document.styles.add_style(look.name, WD_STYLE_TYPE.PARAGRAPH)
        _apply(style, look)
    _set_language(document.styles["Normal"], _TAGS[language])


def _apply(style: Any, look: _Look) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml.ns import qn
    from docx.shared import Mm, Pt, RGBColor

    style.font.name = LATIN_HEAD if look.head else LATIN
    style.font.size, style.font.bold, style.font.italic = Pt(look.size), look.bold, False
    style.font.color.rgb = RGBColor.from_string(look.colour)
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    fonts.set(qn("w:eastAsia"), HEI if look.head else SONG)
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)  # a theme's font would win over the named one
    room = style.paragraph_format
    room.space_before, room.space_after, room.line_spacing = Pt(look.before), Pt(look.after), look.spacing
    room.left_indent, room.keep_with_next = Mm(look.indent_mm), look.with_next
    if look.centred or look.right:
        room.alignment = WD_ALIGN_PARAGRAPH.CENTER if look.centred else WD_ALIGN_PARAGRAPH.RIGHT
    properties = style.element.get_or_add_pPr()
    for border in properties.findall(qn("w:pBdr")):  # the template draws a line under the title
        properties.remove(border)


def _set_language(style: Any, tag: str) -> None:
    """What spelling is checked by."""
    from docx.oxml.ns import qn

    properties = style.element.get_or_add_rPr()
    language = properties.makeelement(qn("w:lang"), {qn("w:val"): tag, qn("w:eastAsia"): "zh-CN"})
    properties.append(language)


def set_page(section: Section) -> None:
    """A4 upright."""
    from docx.shared import Mm

    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(MARGIN_MM)
    section.top_margin, section.bottom_margin = Mm(26), Mm(22)
    section.header_distance, section.footer_distance = Mm(13), Mm(11)


def add_field(paragraph: Paragraph, name: str) -> None:
    """A field of our own that Word fills in: PAGE or NUMPAGES."""
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


def bordered(paragraph: Paragraph, side: str, colour: str, size: int = 6, space: int = 2) -> None:
    """A line on one side of a paragraph; sizes in eighths of a point."""
    from docx.oxml.ns import qn

    properties = paragraph._p.get_or_add_pPr()
    border = properties.makeelement(qn("w:pBdr"), {})
    values = {"val": "single", "sz": str(size), "space": str(space), "color": colour}
    border.append(border.makeelement(qn(f"w:{side}"), {qn(f"w:{name}"): value for name, value in values.items()}))
    properties.insert_element_before(
        border, "w:shd", "w:tabs", "w:suppressAutoHyphens", "w:spacing", "w:ind", "w:jc", "w:rPr"
    )


def ruled(table: Table, colour: str) -> None:
    """A table with thin lines of one colour."""
    from docx.oxml.ns import qn

    properties = table._tbl.tblPr
    borders = properties.makeelement(qn("w:tblBorders"), {})
    values = {"val": "single", "sz": "4", "space": "0", "color": colour}
    for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
        borders.append(borders.makeelement(qn(f"w:{side}"), {qn(f"w:{name}"): value for name, value in values.items()}))
    properties.insert_element_before(borders, "w:shd", "w:tblLayout", "w:tblCellMar", "w:tblLook")


def shaded(cell: _Cell, colour: str) -> None:
    """A cell with a ground of its own."""
    from docx.oxml.ns import qn

    properties = cell._tc.get_or_add_tcPr()
    values = {"val": "clear", "color": "auto", "fill": colour}
    properties.append(properties.makeelement(qn("w:shd"), {qn(f"w:{name}"): value for name, value in values.items()}))


def unbroken(row: _Row, *, is_header: bool = False) -> None:
    """A row that stays on one page; a header comes again on each."""
    from docx.oxml.ns import qn

    properties = row._tr.get_or_add_trPr()
    properties.append(properties.makeelement(qn("w:cantSplit"), {}))
    if is_header:
        properties.append(properties.makeelement(qn("w:tblHeader"), {}))
