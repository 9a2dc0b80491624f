"""Masking hides names, keeps everything else, and maps offsets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.corpus.records import Defendant, Document
from lexgear.privacy.evidence import NameEvidence
from lexgear.privacy.masking import NO_MASKING, Masker, Replacement, apply_replacements, document_masker, initials

NAMES = {"李明辉": "李某1", "李强": "李某2", "欧阳志远": "欧阳某", "王": "王某某某"}
PIECES = st.lists(st.sampled_from([*NAMES, "翻墙，", "法官", "甲", "\n", "公司", "审判长 "]), max_size=30)


def test_a_name_is_its_surname_and_mou_everywhere_in_all_texts_of_a_case() -> None:
    document = Document(
        "1",
        {"fact": "被告人李明辉翻墙，李明辉后被抓获。", "reasoning": "李明辉构成盗窃罪。"},
        title="李明辉盗窃一审刑事判决书",
        defendants=(Defendant("李明辉"),),
    )
    masker = document_masker(document, "zh")
    assert masker.mask(document.sections["fact"]).text == "被告人李某翻墙，李某后被抓获。"
    assert masker.mask(document.sections["reasoning"]).text == "李某构成盗窃罪。"
    assert masker.mask(document.title).text == "李某盗窃一审刑事判决书"


def test_persons_who_would_share_a_sign_are_numbered_and_no_sign_of_the_text_is_taken() -> None:
    masker = Masker.of(["被告人李明辉、李强翻墙，被害人李某1、王芳报案，证人王某在场。"])
    assert masker.masks == {"李明辉": "李某2", "李强": "李某3", "王芳": "王某1"}
    assert masker.mask("李强").text == "李某3"


def test_court_staff_and_institutions_keep_their_names() -> None:
    masker = Masker({"王强": "王某"})
    kept = "审判长王强，书记员：王强，公诉人 王强；王强有限公司、王强律师事务所。"
    assert masker.mask(kept).text == kept
    assert masker.mask("被告人王强与法官争吵").text == "被告人王某与法官争吵"


def test_a_long_name_goes_before_a_short_one_that_it_begins_with() -> None:
    assert Masker({"王庆": "王某1", "王庆勤": "王某2"}).mask("王庆勤、王庆").text == "王某2、王某1"


def test_in_other_languages_only_the_parties_the_index_knows_are_masked_by_initials() -> None:
    masker = Masker.of(["被告人李明辉"], ["Jean Dupont", "Anne-Marie Le Goff", ""], language="fr")
    text = "Jean Dupont et Anne-Marie Le Goff contre Jean Duponteau, Marie Curie."
    assert masker.mask(text).text == "J. D. et A.-M. L. G. contre Jean Duponteau, Marie Curie."
    assert initials("O'Brien") == "O."


def test_masking_takes_one_pass_however_many_names_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alternatives in a pattern took 27 seconds for 3,500 names, and counting them one by one ever longer."""
    signs = [chr(code) for code in range(0x4E00, 0x4E00 + 60)]
    names = [f"李{one}{other}" for one in signs for other in signs]
    text = "".join(f"被告人{name}，" for name in names)
    counted: list[str] = []

    class Whole(str):
        __slots__ = ()

        def count(self, *arguments: object) -> int:
            counted.append(str(arguments[0]))
            return super().count(*arguments)  # type: ignore[arg-type]

    original = NameEvidence.__init__
    monkeypatch.setattr(NameEvidence, "__init__", lambda self, whole: original(self, Whole(whole)))
    masker = Masker.of([text])
    assert len(masker.masks) > 3000
    assert len(counted) <= 200
    assert len(masker.mask(text).replaced) == len(masker.masks)


def test_nobody_masks_nothing() -> None:
    assert NO_MASKING.mask("被告人李明辉").text == "被告人李明辉"
    assert Masker.of([""]).masks == {}


@given(PIECES)
def test_masking_changes_names_and_nothing_else(pieces: list[str]) -> None:
    text = "".join(pieces)
    masked = Masker(NAMES).mask(text)
    assert apply_replacements(text, masked.replaced) == masked.text
    backwards, grown = [], 0
    for one in masked.replaced:
        assert (
            masked.text[one.start + grown : one.start + grown + len(one.shown)]
            == one.shown
            == NAMES[text[one.start : one.end]]
        )
        backwards.append(Replacement(one.start + grown, one.start + grown + len(one.shown), text[one.start : one.end]))
        grown += len(one.shown) - (one.end - one.start)
    assert apply_replacements(masked.text, backwards) == text


@given(PIECES, st.integers(0, 100), st.integers(0, 100))
def test_every_span_is_found_again(pieces: list[str], one: int, other: int) -> None:
    text = "".join(pieces)
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    masked = Masker(NAMES).mask(text)
    first, last = masked.span(start, end)
    assert 0 <= first <= last <= len(masked.text)
    touched = [name for name in masked.replaced if name.start < end and name.end > start]
    whole_start = min([start, *(name.start for name in touched)])
    whole_end = max([end, *(name.end for name in touched)])
    inside = [Replacement(name.start - whole_start, name.end - whole_start, name.shown) for name in touched]
    assert masked.quote(start, end)[1] == tuple(touched)
    if start < end:
        assert masked.text[first:last] == apply_replacements(text[whole_start:whole_end], inside)


@given(st.text(max_size=200))
def test_any_text_can_be_masked(text: str) -> None:
    masked = Masker.of([text, f"被告人{text}"]).mask(text)
    assert masked.span(0, len(text)) == (0, len(masked.text))
