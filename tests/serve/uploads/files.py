"""Ordinary, damaged and hostile files."""

import io
import zipfile
from collections.abc import Iterable, Mapping

WORDS = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
MACROS = "application/vnd.ms-word.document.macroEnabled.main+xml"


def zipped(parts: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return file.getvalue()


def types(kind: str = MAIN, part: str = "/word/document.xml") -> str:
    return (
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Override PartName="{part}" ContentType="{kind}"/></Types>'
    )


def body(inside: str, before: str = "") -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>{before}<w:document {WORDS}><w:body>{inside}</w:body></w:document>'


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def word(document: str | bytes, kind: str = MAIN, more: Mapping[str, bytes] | None = None) -> bytes:
    return zipped({"[Content_Types].xml": types(kind), "word/document.xml": document, **(more or {})})


def pdf(pages: Iterable[str], unicode: Mapping[int, str] | None = None, *, tree: str = "", extra: str = "") -> bytes:
    """A PDF whose pages show lines of text, by a font whose codes are those of the signs.

    `unicode` says what a code stands for instead (UTF-16 in hexadecimal); `tree` and `extra` replace the page tree and
    add to the trailer.
    """
    pages = list(pages)
    signs = sorted({sign for page in pages for sign in page if sign != "\n"})
    mapped = {ord(sign): sign.encode("utf-16-be").hex() for sign in signs} | dict(unicode or {})
    kids = " ".join(f"{6 + 2 * at} 0 R" for at in range(len(pages)))
    cmap = "\n".join(f"1 beginbfchar <{code:04x}> <{shown}> endbfchar" for code, shown in mapped.items())
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        tree or f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H"
        " /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity)"
        " /Supplement 0 >> /DW 1000 >>",
        stream(f"begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange\n{cmap}\nendcmap"),
    ]
    for at, page in enumerate(pages):
        shown = " ".join(
            f"<{''.join(f'{ord(sign):04x}' for sign in line)}> Tj 0 -20 Td" for line in page.split("\n") if line
        )
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >>"
            f" /Contents {7 + 2 * at} 0 R >>"
        )
        objects.append(stream(f"BT /F 12 Tf 50 780 Td {shown} ET"))
    return assembled(objects, extra)


def stream(content: str) -> str:
    return f"<< /Length {len(content.encode())} >>\nstream\n{content}\nendstream"


def assembled(objects: Iterable[str], extra: str = "") -> bytes:
    """A PDF of numbered objects, the first of which is its catalogue."""
    data, places = bytearray(b"%PDF-1.7\n"), []
    for number, one in enumerate(objects, start=1):
        places.append(len(data))
        data += f"{number} 0 obj\n{one}\nendobj\n".encode()
    start = len(data)
    rows = "".join(f"{place:010d} 00000 n \n" for place in places)
    data += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{rows}".encode()
    data += f"trailer << /Size {len(places) + 1} /Root 1 0 R {extra} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(data)
