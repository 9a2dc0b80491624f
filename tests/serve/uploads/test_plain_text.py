"""Plain text in every supported encoding; others are refused instead of guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.serve.settings import ServeSettings
from lexgear.serve.uploads import text_of_upload
from lexgear.serve.uploads.errors import UploadError
from lexgear.serve.uploads.normalization import normalize
from lexgear.serve.uploads.plain_text import decode

FACTS = "被告人深夜翻墙进入“好邻居”商店，撬开收银柜拿走现金5000余元，次日被抓获。"
FRENCH = "L'intéressé a été condamné à payer les dépens ; le bail était déjà résilié à l'été."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "gbk", "gb2312"])
def test_chinese_is_read_in_every_encoding(encoding: str) -> None:
    assert decode(FACTS.encode(encoding)) == FACTS


@pytest.mark.parametrize("mark", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read_by_its_mark(mark: str) -> None:
    assert decode(("\ufeff" + FACTS).encode(mark)) == FACTS


@pytest.mark.parametrize("name", ["被告人李䶮翻墙", "被告人朱镕基、李喆、王㛃翻墙进入商店拿走现金后逃离现场"])
def test_rare_names_do_not_make_a_text_unreadable(name: str) -> None:
    assert decode((FACTS + name).encode("gb18030")) == FACTS + name


@pytest.mark.parametrize(
    "data",
    [
        FRENCH.encode("latin-1"),
        FRENCH.encode("cp1252"),
        FACTS.encode() + b"\xed\xa0\x80",
        FACTS.encode()[:40] + b"\xff" + FACTS.encode()[40:],
        FACTS.encode("big5", "replace"),
        "すべての人間は、生まれながらにして自由".encode("shift-jis"),
        "Все люди рождаются свободными".encode("cp1251"),
        b"\xff\xfe\x00\xd8",
        b"\xff\xfe\x00",
        b"\x81",
    ],
)
def test_what_would_be_guesswork_is_refused(data: bytes) -> None:
    with pytest.raises(UploadError) as caught:
        decode(data)
    assert (caught.value.status_code, caught.value.problem) == (422, "damaged_text")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_utf_8_is_read_as_it_is(text: str) -> None:
    assert decode(text.encode()) == text.removeprefix("\ufeff")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        text = text_of_upload("a", data, ServeSettings())
    except UploadError:
        return
    assert text == text.strip()
    assert text.encode()
    assert not any(ord(sign) < 32 and sign not in "\n\t" for sign in text)


def test_control_characters_and_halves_become_space_and_signs_and_lines_end_one_way() -> None:
    assert (
        normalize("\ufeff一\x00二\r\n三\r四\u2028五\x0c六\ud800七\x1b[0m八\x85九")
        == "一 二\n三\n四\n五\n六�七 [0m八\n九"
    )
    assert normalize("一\n \n\u3000\n\n二\n\n三\n四\n") == "一\n\n二\n\n三\n四"
    assert len(normalize("\n" * 500_000 + "a" + " \n" * 500_000 + "b")) == 5
