"""Text catalogues: `wording/NAME/zh.toml`, `fr.toml` and `en.toml` have the same keys and placeholders.

French catalogues are written with plain spaces and apostrophes; `french_typography` sets them as French is printed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from lexgear.errors import ErrorCode, InputError

LANGUAGES = ("zh", "fr", "en")
_NO_BREAK, _NARROW = "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"
_THOUSANDS = {"zh": ",", "fr": _NARROW, "en": ","}


class Count(str):
    """Number of things in words, which chooses theirs: `{cases} {cases:case|cases}`."""

    is_one: bool

    def __new__(cls, written: str, is_one: bool) -> Count:
        """Return a number; French has the singular below two, the others at one."""
        count = super().__new__(cls, written)
        count.is_one = is_one
        return count

    def __format__(self, spec: str) -> str:
        one, choice, several = spec.partition("|")
        return (one if self.is_one else several) if choice else super().__format__(spec)


class Texts:
    """Texts of one catalogue in one language.

    >>> texts("report", "en")("place", section="reasoning", start=1, end=12)
    'reasoning, characters 1 to 12'
    """

    def __init__(self, language: str, entries: Mapping[str, str]) -> None:
        self.language, self.entries = language, entries

    def __call__(self, name: str, /, **values: str | int) -> str:
        """Return a text with its placeholders filled in; numbers are formatted for the language."""
        shown = {key: self._count(value) if isinstance(value, int) else value for key, value in values.items()}
        return self.entries[name].format_map(shown) if shown else self.entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def _count(self, value: int) -> Count:
        return Count(self.number(value), abs(value) == 1 or (self.language == "fr" and not value))

    def number(self, value: int) -> str:
        """Return an integer with thousands separators."""
        return f"{value:,}".replace(",", _THOUSANDS[self.language])


@cache
def texts(name: str, language: str) -> Texts:
    """Return a catalogue in one language; its keys are dotted TOML paths, such as `tier.guiding`."""
    if language not in LANGUAGES:
        raise InputError(
            f"no texts in language {language!r}",
            code=ErrorCode.UNKNOWN_NAME,
            remedy=f"languages: {', '.join(LANGUAGES)}",
            name=language,
        )
    written = files("lexgear.wording").joinpath(name, f"{language}.toml").read_text("utf-8")
    entries = dict(_flat(tomllib.loads(written)))
    if language == "fr":
        entries = {key: french_typography(text) for key, text in entries.items()}
    return Texts(language, entries)


def french_typography(text: str) -> str:
    """Return a French text with no-break spaces before signs and inside quotation marks, and typographic apostrophes.

    >>> french_typography("L'aide : 5 % ?").split(" ")
    ['L’aide\\xa0:', '5\\xa0%\\u202f?']
    """
    text = re.sub(" (?=[:»%])|(?<=«) ", _NO_BREAK, text)
    return re.sub(" (?=[;!?])", _NARROW, text).replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", str(value)
