"""Word files: those that Word and python-docx write, and hostile ones."""

import io
import struct
import zipfile

import docx
import pytest

from lexgear.serve.settings import ServeSettings
from lexgear.serve.uploads import text_of_upload
from lexgear.serve.uploads.refusals import RefusedFileError
from lexgear.serve.uploads.word import word_text
from lexgear.serve.uploads.zip_package import MEMBERS, UNPACKED, ZipPackage
from serve.uploads.files import MACROS, body, paragraph, types, word, zipped
from serve.uploads.test_file_types import FACTS, refused

FALLBACK = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
LAUGHS = "<!DOCTYPE d [<!ENTITY a '哈哈哈哈哈哈哈哈哈哈'>" + "".join(
    f"<!ENTITY {chr(98 + at)} '{f'&{chr(97 + at)};' * 10}'>" for at in range(9)
)


def test_what_python_docx_writes_is_read_paragraph_by_paragraph() -> None:
    document = docx.Document()
    document.add_heading("起诉书", 1)
    document.add_paragraph(FACTS).add_run("\t并\n逃离。").bold = True
    table = document.add_table(2, 2)
    for at, cell in enumerate(table._cells):
        cell.text = f"格{at}"
    file = io.BytesIO()
    document.save(file)
    text = text_of_upload("起诉书.docx", file.getvalue(), ServeSettings())
    assert text == f"起诉书\n{FACTS}\t并\n逃离。\n格0\n格1\n格2\n格3"


def test_what_was_deleted_or_stands_there_twice_is_not_read() -> None:
    inside = (
        "<w:p><w:del><w:r><w:delText>一</w:delText><w:t>二</w:t></w:r></w:del><w:ins><w:r><w:t>三</w:t></w:r></w:ins>"
        "<w:moveFrom><w:r><w:t>四</w:t></w:r></w:moveFrom><w:r><w:instrText>五</w:instrText><w:t>六</w:t></w:r></w:p>"
        f"<mc:AlternateContent {FALLBACK}><mc:Choice>{paragraph('七')}</mc:Choice>"
        f"<mc:Fallback>{paragraph('七')}</mc:Fallback></mc:AlternateContent>{paragraph('八')}"
    )
    assert word_text(word(body(inside)), 100) == "三六\n七\n八\n"


def test_the_main_part_is_the_one_that_the_list_names() -> None:
    parts = {"[Content_Types].xml": types(part="/else/here.xml"), "else/here.xml": body(paragraph(FACTS))}
    assert word_text(zipped(parts), 100) == f"{FACTS}\n"
    strict = body(paragraph(FACTS)).replace(
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://purl.oclc.org/ooxml/wordprocessingml/main",
    )
    assert word_text(word(strict), 100) == f"{FACTS}\n"
    assert refused("a.docx", zipped({"[Content_Types].xml": types()})).problem == "damaged_word"


@pytest.mark.parametrize(
    "document",
    [
        body(paragraph(FACTS)) + " " * (UNPACKED + 1),
        body(paragraph(FACTS) + "<w:p/>" * 2_000_000),
        body(f"<w:p w:x='{'a' * 9_000_000}'/>"),
    ],
    ids=["spaces", "paragraphs", "attribute"],
)
def test_a_part_that_swells_is_not_unpacked(document: str) -> None:
    data = word(document)
    assert len(data) < 2**17
    fault = refused("a.docx", data)
    assert (fault.status_code, fault.problem) == (413, "expands")


def test_a_part_is_counted_whatever_it_says_of_its_size() -> None:
    data = bytearray(word(body(paragraph(FACTS)) + " " * 40_000_000))
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 10)
    assert refused("a.docx", bytes(data)).problem in {"expands", "damaged_word"}
    stored = bytearray(zipped({"[Content_Types].xml": types(), "word/document.xml": "x"}, zipfile.ZIP_STORED))
    at = stored.rindex(b"PK\x01\x02")
    stored[at + 20 : at + 28] = struct.pack("<II", 2**31, 2**31)
    assert refused("a.docx", bytes(stored)).problem == "damaged_word"


def test_a_bomb_among_other_parts_stays_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped({"inner.zip": zipped({"zeros": bytes(50_000_000)})})
    data = word(
        body(paragraph(FACTS)), more={"word/media/image1.png": bytes(60_000_000), "word/embeddings/a.zip": bomb}
    )
    unpacked: list[str] = []
    part = ZipPackage.part

    def recorded(self: ZipPackage, name: str) -> bytes:
        unpacked.append(name)
        return part(self, name)

    monkeypatch.setattr(ZipPackage, "part", recorded)
    assert word_text(data, 100) == f"{FACTS}\n"
    assert unpacked == ["[Content_Types].xml", "word/document.xml"]


def test_a_document_of_nothing_but_elements_is_given_up() -> None:
    noise = "".join(f'<w:p w:a="{at * 7919 % 1_000_003}"/>' for at in range(60_000))
    assert refused("a.docx", word(body(noise + "<w:p/>" * 4_000_000))).problem == "expands"


def test_a_namespace_that_is_repeated_for_every_element_is_refused() -> None:
    """Each element copies the namespace of its prefix: 500,000 characters 60,000 times took a minute."""
    inside = f'<x:a xmlns:x="{"n" * 500_000}">{"<x:b/>" * 60_000}</x:a>'
    assert refused("a.docx", word(body(inside))).problem == "expands"


def test_a_tag_of_a_million_attributes_is_refused() -> None:
    attributes = " ".join(f'a{at}=""' for at in range(1_000_000))
    data = zipped({"[Content_Types].xml": types(), "word/document.xml": body(f"<w:p {attributes}/>")})
    assert refused("a.docx", data).problem == "expands"
    tag = "<w:p " + " ".join(f"a{at}=''" for at in range(20_000)) + "/>"
    many = tag * 110
    with pytest.raises(RefusedFileError, match="expands"):
        word_text(zipped({"[Content_Types].xml": types(), "word/document.xml": body(many)}, zipfile.ZIP_STORED), 100)


def test_a_text_longer_than_a_piece_is_read_whole() -> None:
    text = "墙" * 90_000
    assert text_of_upload("a.docx", word(body(paragraph(text))), ServeSettings()) == text


def test_a_list_without_end_is_not_read() -> None:
    many = zipped({f"{at}": "" for at in range(MEMBERS + 1)})
    assert refused("a.docx", many).problem == "expands"


@pytest.mark.parametrize(
    "before",
    [
        f"{LAUGHS}]>",
        '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE d [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;]>',
        '<!DOCTYPE d SYSTEM "http://127.0.0.1:9/x.dtd">',
        "<!DOCTYPE d>",
    ],
)
def test_a_document_with_entities_is_refused_wherever_they_stand(before: str) -> None:
    document = body(paragraph("&j;&x;" if "ENTITY" in before else FACTS), before)
    fault = refused("a.docx", word(document))
    assert (fault.status_code, fault.problem) == (422, "unsafe_word")
    listed = types().replace("?>", f"?>{before}", 1)
    assert refused("a.docx", zipped({"[Content_Types].xml": listed, "word/document.xml": body("")})).problem == (
        "unsafe_word"
    )


@pytest.mark.parametrize(
    "document",
    [
        "<w:document",
        "",
        body(paragraph("&#xD800;")),
        body(paragraph("\0")),
        body(paragraph("&unknown;")),
        body("<w:p>" * 100_000),
        body("<w:p>" * 300 + "</w:p>" * 300),
        b"\xff\xfe" + body("").encode("utf-16-be"),
        '<?xml version="1.0" encoding="no-such"?><a/>',
        '<?xml version="1.0" encoding="base64"?><a/>',
    ],
)
def test_a_damaged_document_says_so(document: str | bytes) -> None:
    fault = refused("a.docx", word(document))
    assert (fault.status_code, fault.problem) == (422, "damaged_word")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_a_file_that_was_cut_off_says_so(part: float) -> None:
    data = word(body(paragraph(FACTS)))
    assert refused("a.docx", data[: int(len(data) * part)]).problem in {"damaged_word", "unsupported"}


def test_macros_are_not_let_in() -> None:
    for data in (
        word(body(paragraph(FACTS)), MACROS),
        word(body(paragraph(FACTS)), more={"word/vbaProject.bin": b"\xd0\xcf\x11\xe0"}),
    ):
        fault = refused("a.docx", data)
        assert (fault.status_code, fault.problem) == (415, "macros")


def test_a_locked_part_and_a_rare_packing_are_told() -> None:
    locked = bytearray(word(body(paragraph(FACTS))))
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = locked.rindex(sign)
        locked[place + at] |= 1
    assert refused("a.docx", bytes(locked)).problem == "encrypted_word"
    rare = zipped({"[Content_Types].xml": types(), "word/document.xml": body("")}, zipfile.ZIP_LZMA)
    assert refused("a.docx", rare).problem == "unsupported"
