"""A rationale for the eye: the text with what f_R picked highlighted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexgear.rationale.records import Rationale

if TYPE_CHECKING:
    from rich.text import Text

_STYLES = {"sentence": "bold", "word2": "underline cyan", "word1": "underline red"}
# Terminals obey control characters, and rich drops some of them: a space instead keeps every place.
_CONTROLS = {code: " " for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def render(rationale: Rationale, text: str) -> Text:
    """The text, dim; its chosen sentences bold, words of B1 red, words of B2 cyan, each where it first occurs."""
    from rich.text import Text

    shown = Text(text.translate(_CONTROLS | _SURROGATES), style="dim")
    for kind, style in _STYLES.items():
        for part in (*rationale.sentences, *rationale.words):
            if part.kind == kind:
                shown.stylize(f"not dim {style}", part.start, part.end)
    return shown
