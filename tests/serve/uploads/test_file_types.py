"""The type of an uploaded file is found by its content; a wrong name is reported or ignored."""

import pytest

from lexgear.serve.api.errors import ApiError
from lexgear.serve.settings import ServeSettings
from lexgear.serve.uploads import text_of_upload
from lexgear.serve.uploads.errors import UploadError
from lexgear.wording.translations import LANGUAGES, texts
from serve.uploads.files import body, paragraph, pdf, types, word, zipped

SETTINGS = ServeSettings()
FACTS = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元。"


def refused(filename: str, data: bytes, settings: ServeSettings = SETTINGS) -> UploadError:
    with pytest.raises(UploadError) as caught:
        text_of_upload(filename, data, settings)
    assert caught.value.status_code in (413, 415, 422)
    assert all(caught.value.problem in texts("uploads", language) for language in LANGUAGES)
    return caught.value


@pytest.mark.parametrize(
    "name", ["facts.txt", "FACTS.TXT", "facts", "C:\\files\\案情.txt", "a/b.pdf/c.text", "", "\0.md"]
)
def test_plain_text_is_read_whatever_it_is_called(name: str) -> None:
    assert text_of_upload(name, FACTS.encode(), SETTINGS) == FACTS


def test_content_counts_where_the_name_says_text() -> None:
    assert text_of_upload("facts.txt", word(body(paragraph(FACTS))), SETTINGS) == FACTS
    assert text_of_upload("facts.docx", pdf([FACTS]), SETTINGS) == FACTS


@pytest.mark.parametrize("name", ["facts.pdf", "facts.docx", "facts.PDF"])
def test_text_that_is_called_something_else_is_refused_by_name(name: str) -> None:
    fault = refused(name, FACTS.encode())
    assert (fault.status_code, fault.problem) == (415, "wrong_extension")
    assert name[-4:].lower() in fault.message


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("page.html", b"<p>facts</p>", "unsupported"),
        ("a.rtf", b"{\\rtf1 facts}", "unsupported"),
        ("a.txt", b"{\\rtf1 facts}", "unsupported"),
        ("a.txt", b"\x7fELF\0\0\0\1", "unsupported"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "unsupported"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "old_word"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "old_word"),
        (
            "a.docx",
            zipped({"content.xml": "<a/>", "mimetype": "application/vnd.oasis.opendocument.text"}),
            "unsupported",
        ),
        ("a.zip", zipped({"a.txt": "facts"}), "unsupported"),
        ("a.xlsx", zipped({"[Content_Types].xml": types("x.spreadsheetml.sheet.main+xml")}), "unsupported"),
    ],
)
def test_what_cannot_be_read_is_of_the_wrong_kind(name: str, data: bytes, reason: str) -> None:
    fault = refused(name, data)
    assert (fault.status_code, fault.problem, fault.code) == (415, reason, "wrong_kind")


@pytest.mark.parametrize("data", [b"", b" \r\n\t", b"\xef\xbb\xbf", b"\xff\xfe", bytes(100)])
@pytest.mark.parametrize("name", ["a.txt", "a.docx", "a.pdf"])
def test_an_empty_file_is_told_to_be_empty(name: str, data: bytes) -> None:
    assert refused(name, data).problem == "empty"


@pytest.mark.parametrize("data", ["\u3000\n".encode() * 9, word(body(paragraph(" "))), word(body(""))])
def test_a_file_without_words_says_so(data: bytes) -> None:
    assert refused("a.txt", data).problem == "no_text"


@pytest.mark.parametrize("make", [str.encode, lambda text: word(body(paragraph(text))), lambda text: pdf([text])])
def test_more_than_is_read_is_refused_by_length(make: object) -> None:
    assert callable(make)
    small = ServeSettings(text_characters=50)
    assert text_of_upload("a", make("墙" * 50), small) == "墙" * 50
    fault = refused("a", make("墙" * 51), small)
    assert (fault.status_code, fault.problem) == (413, "long")
    assert "50" in fault.message
    assert refused("a", make("墙" * 51), ServeSettings(upload_bytes=20)).problem == "large"


def test_a_text_that_swells_when_normalised_is_refused_as_elsewhere() -> None:
    with pytest.raises(ApiError) as caught:
        text_of_upload("a.txt", ("\ufdfa" * 90_000).encode(), SETTINGS)
    assert caught.value.where[0].field == "body.file"
