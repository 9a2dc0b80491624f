"""Parser of headings in Chinese and French laws: 第一编 总则 is part 1, `Livre IIIbis. - Du barreau` is book 3bis."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from lexgear.law.numerals import NUMERAL, chinese_number
from lexgear.law.statutes import DIVISIONS

FRENCH_DIVISIONS = {
    "partie": "part",
    "livre": "book",
    "titre": "title",
    "chapitre": "chapter",
    "section": "section",
    "sous-section": "subsection",
    "paragraphe": "paragraph",
}
_ORDINALS = [
    "premiere",
    "deuxieme",
    "troisieme",
    "quatrieme",
    "cinquieme",
    "sixieme",
    "septieme",
    "huitieme",
    "neuvieme",
    "dixieme",
]

_CHINESE = re.compile(rf"第({NUMERAL}+)(分编|编|章|节)\s*(.*)$")
_CHINESE_LIST = re.compile(rf"[（(]?({NUMERAL}+)[)）、.．]\s*(.+)$")
_SEPARATORS = " .-–—_:"
_ROMAN = r"(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_LATIN = "bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies"
_FRENCH = re.compile(
    rf"(?P<word>{'|'.join(FRENCH_DIVISIONS)})\s+"
    rf"(?:(?:(?:(?P<figures>\d+)|(?P<roman>{_ROMAN}))(?:re|er|e)?|(?P<word_number>premiere?|preliminaire|unique))"
    rf"(?: ?(?P<latin>{_LATIN}))?\b)?"
)
_FRENCH_ORDINAL = re.compile(rf"(?P<ordinal>{'|'.join(_ORDINALS)}|seconde)\s+partie\b")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: kind of division, number and title."""

    kind: str
    number: str
    """Number in figures, or the title if there is none."""
    title: str


def read_heading(text: str) -> Heading:
    """Parse a heading; one without kind and number is a `division` with its text as number and title.

    >>> read_heading("第二章　犯　罪"), read_heading("CHAPITRE IV. _ De la chose jugée.")
    (Heading(kind='chapter', number='2', title='犯罪'), Heading(kind='chapter', number='4', title='De la chose jugée'))
    """
    text = " ".join(text.split())
    return _read_chinese(text) or _read_french(text) or Heading("division", text, text)


def _read_chinese(text: str) -> Heading | None:
    if match := _CHINESE.match(text):
        kind, number, title = DIVISIONS[match[2]], match[1], match[3]
    elif match := _CHINESE_LIST.match(text):
        kind, number, title = "division", match[1], match[2]
    else:
        return None
    return Heading(kind, str(chinese_number(number)), title.replace(" ", ""))


def _read_french(text: str) -> Heading | None:
    plain = _without_accents(text)
    if match := _FRENCH_ORDINAL.match(plain):
        title = text[match.end() :].strip(_SEPARATORS)
        ordinal = 2 if match["ordinal"] == "seconde" else _ORDINALS.index(match["ordinal"]) + 1
        return Heading("part", str(ordinal), title)
    if not (match := _FRENCH.match(plain)):
        return None
    title = text[match.end() :].strip(_SEPARATORS)
    return Heading(FRENCH_DIVISIONS[match["word"]], _french_number(match) or title or text, title)


def _french_number(match: re.Match[str]) -> str:
    number = match["figures"] or match["word_number"] or ""
    if match["roman"]:
        number = str(roman_number(match["roman"]))
    elif number.startswith("premier"):
        number = "1"
    return number + (match["latin"] or "")


def roman_number(text: str) -> int:
    """Return the value of a Roman numeral.

    >>> roman_number("XIV"), roman_number("xlii")
    (14, 42)
    """
    values = [{"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}[letter] for letter in text.lower()]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def _without_accents(text: str) -> str:
    """Return the text in lower case without accents, of the same length, so that offsets stay valid."""
    return "".join(unicodedata.normalize("NFD", letter)[0] for letter in text).lower()
