"""PDFs: ordinary ones, and hostile ones that are meant to keep a reader busy."""

import io
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from pypdf import PdfReader, PdfWriter

from lexgear.serve.settings import ServeSettings
from lexgear.serve.uploads import text_of_upload
from lexgear.serve.uploads.errors import UploadError
from serve.uploads.files import assembled, body, paragraph, pdf, word
from serve.uploads.test_file_types import FACTS, refused

SETTINGS = ServeSettings()


def test_the_text_of_every_page_is_read() -> None:
    assert text_of_upload("a.pdf", pdf(["第一页。", "第二页。"]), SETTINGS) == "第一页。\n第二页。"
    assert text_of_upload("a.pdf", b"\n\n" + pdf([FACTS]), SETTINGS) == FACTS


def test_lines_that_went_on_are_joined() -> None:
    page = "起诉书\n被告人深夜翻墙进入一家商店，撬\n开收银柜拿走现金。\n次日被抓获。"
    assert text_of_upload("a.pdf", pdf([page]), SETTINGS) == (
        "起诉书\n被告人深夜翻墙进入一家商店，撬开收银柜拿走现金。\n次日被抓获。"
    )


def test_halves_and_nothing_in_a_font_do_no_harm() -> None:
    text = text_of_upload("a.pdf", pdf(["甲乙丙丁"], {ord("乙"): "d800", ord("丁"): "0000"}), SETTINGS)
    assert text.encode()
    assert text.startswith("甲")
    assert "\0" not in text


def test_too_many_pages_are_counted_and_told() -> None:
    fault = refused("a.pdf", pdf(["x"] * 10_000))
    assert (fault.status_code, fault.problem) == (413, "pages")
    assert "10,000 pages; the limit is 500" in fault.message


def test_a_scanned_file_is_told_from_an_empty_one() -> None:
    fault = refused("a.pdf", pdf(["", " "]))
    assert (fault.status_code, fault.problem) == (422, "scanned")
    assert "OCR" in fault.message


def test_a_locked_file_says_so_and_one_that_opens_without_a_password_is_read() -> None:
    for password in ("", "secret"):
        writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf([FACTS]))))
        writer.encrypt(password, "owner", algorithm="RC4-128")
        file = io.BytesIO()
        writer.write(file)
        if password:
            assert refused("a.pdf", file.getvalue()).problem == "encrypted_pdf"
        else:
            assert text_of_upload("a.pdf", file.getvalue(), SETTINGS) == FACTS


def test_a_cipher_that_we_do_not_have_counts_as_locked() -> None:
    locked = (
        "/Encrypt << /Filter /Standard /V 5 /R 6 /Length 256 /P -4 /O <" + "00" * 48 + "> /U <" + "00" * 48 + ">"
        " /OE <" + "00" * 32 + "> /UE <" + "00" * 32 + "> /Perms <" + "00" * 16 + "> /StmF /StdCF /StrF /StdCF"
        " /CF << /StdCF << /AuthEvent /DocOpen /CFM /AESV3 /Length 32 >> >> >> /ID [<00> <00>]"
    )
    assert refused("a.pdf", pdf([FACTS], extra=locked)).problem == "encrypted_pdf"


@pytest.mark.parametrize(
    "data",
    [
        pdf([FACTS])[:300],
        pdf([FACTS], tree="<< /Type /Pages /Count 1 /Kids [2 0 R] >>"),
        pdf([FACTS], tree="<< /Type /Pages /Count 99999999999 /Kids 2 0 R >>"),
        assembled(["<< /Type /Catalog /Pages 1 0 R >>"]),
        assembled(["<< /Type /Catalog >>"]),
        assembled(["[" * 50_000]),
        assembled(
            ["<< /Type /Catalog /Pages 2 0 R >>", *(f"<< /Type /Pages /Kids [{at} 0 R] >>" for at in range(3, 3000))]
        ),
        b"%PDF-",
        b"%PDF-1.7\n" + Random(7).randbytes(100_000),
        b"%PDF-1.7\n" + b"1 0 obj\n" * 100_000,
        b"%PDF-1.7\nstartxref\n9\n%%EOF",
        pdf([FACTS], extra="/Prev 9"),
    ],
    ids=[
        *("truncated", "cyclic", "kids", "catalogue", "no pages", "nested", "deep", "header", "random", "objects"),
        *("nowhere", "previous"),
    ],
)
def test_a_damaged_file_is_refused_or_still_read(data: bytes) -> None:
    try:
        text = text_of_upload("a.pdf", data, SETTINGS)
    except UploadError as refusal:
        assert refusal.problem in {"damaged_pdf", "scanned", "pages", "slow"}
    else:
        assert text == FACTS


def test_a_stream_that_swells_is_given_up() -> None:
    bomb = zlib.compress(bytes(200_000_000), 9).decode("latin-1")
    page = "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << >> /MediaBox [0 0 9 9] >>"
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] >>", page]
    data = assembled([*objects, f"<< /Length {len(bomb)} /Filter /FlateDecode >>\nstream\n"])
    at = data.index(b"stream\n") + 7
    data = data[:at] + bomb.encode("latin-1") + b"\nendstream" + data[at:]
    assert refused("a.pdf", data).problem in {"damaged_pdf", "scanned", "slow"}


def test_a_reader_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = tmp_path / "endless.py"
    reader.write_text("import sys\nsys.stdin.buffer.read()\nwhile True:\n    pass\n")
    monkeypatch.setattr("lexgear.serve.uploads.reader._PROCESS", (str(reader),))
    for data in (pdf([FACTS]), word(body(paragraph(FACTS)))):
        fault = refused("a", data, ServeSettings(upload_seconds=0.05))
        assert (fault.status_code, fault.problem) == (422, "slow")


def test_a_reader_that_fails_is_a_damaged_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = tmp_path / "failing.py"
    reader.write_text("import os\nos.abort()\n")
    monkeypatch.setattr("lexgear.serve.uploads.reader._PROCESS", (str(reader),))
    assert refused("a", pdf([FACTS])).problem == "damaged_pdf"
    assert refused("a", word(body(paragraph(FACTS)))).problem == "damaged_word"


def test_lines_that_are_slow_to_match_do_not_slow_the_reader_down() -> None:
    """1,500 digits took _NUMBER hours, 80,000 letters took _LONG_WORD a minute."""
    for line in ("1" * 1500 + "x", " ".join("1" * 700) + "x", "- " * 40_000 + "x", "a" * 80_000 + "墙"):
        text = text_of_upload("a.pdf", pdf([f"{line}\n{FACTS}\n{FACTS}"]), SETTINGS)
        assert text.endswith(FACTS)


def test_nothing_foreign_is_parsed_in_the_process_of_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed_here(*arguments: object) -> str:
        raise AssertionError("a foreign file was parsed in the process of the service")

    for reader in ("pdf.pdf_text", "word.word_text", "line_joining.join_lines"):
        monkeypatch.setattr(f"lexgear.serve.uploads.{reader}", parsed_here)
    assert text_of_upload("a", pdf([FACTS]), SETTINGS) == FACTS
    assert text_of_upload("a", word(body(paragraph(FACTS))), SETTINGS) == FACTS


def test_several_at_once_wait_for_each_other() -> None:
    with ThreadPoolExecutor(5) as pool:
        texts = list(pool.map(lambda _: text_of_upload("a.pdf", pdf([FACTS]), SETTINGS), range(5)))
    assert texts == [FACTS] * 5
