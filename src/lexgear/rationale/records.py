"""Records of f_R: settings, parts and the rationale of a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from lexgear.errors import ErrorCode, InputError
from lexgear.privacy.masking import Masked
from lexgear.settings import one_of

Source = Literal["book", "law"]
"""Sources of the definitions of the charges."""
Passages = Literal["stated", "all"]
"""Passages of a text that f_R selects from."""
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


@dataclass(frozen=True, slots=True)
class RationaleSettings:
    """Settings of f_R; the defaults are the paper's for LeCaRDv2."""

    k1: int = 10
    """Number of words from B1, the names of the charges."""
    k2: int = 20
    """Number of words from B2, the definitions of the charges."""
    k3: int = 15
    """Number of sentences."""
    lambda1: float = 10.0
    """Weight of B1 in the score of a sentence."""
    lambda2: float = 1.0
    """Weight of B2 in the score of a sentence."""
    lambda3: float = 0.1
    """Weight of B3, the cosine with the embedded definitions; 0 without an encoder."""
    definitions: Source = "book"
    """Source of B2 and B3: the charge `book` that comes with the package, with the text of the law for charges that it
    lacks, or the text of the `law` alone, as in the paper."""
    passages: Passages = "stated"
    """Chinese passages to select from: those in which facts are `stated`, without claims of the defence, lists of
    evidence and quoted law, or `all`, as in the paper."""
    descriptions: str = ""
    """Review sheet of `lexgear expand`, whose accepted rows are added to B2; empty for none."""
    order: str = "document"
    """Order of the selected sentences: `document` keeps the text readable, `score` is the paper's ablation."""

    def __post_init__(self) -> None:
        for name in ("k1", "k2", "k3", "lambda1", "lambda2", "lambda3"):
            if getattr(self, name) < 0:
                raise InputError(
                    f"rationale setting {name} is {getattr(self, name)}",
                    code=ErrorCode.INVALID_SETTING,
                    remedy="choose 0 or above",
                    name=name,
                    value=getattr(self, name),
                )
        one_of("order", self.order, ("document", "score"))
        one_of("definitions", self.definitions, get_args(Source))
        one_of("passages", self.passages, get_args(Passages))


class Part(NamedTuple):
    """Word or sentence of a rationale. (A tuple, because a text has up to 45.)"""

    kind: str
    """`word1` (from B1), `word2` (from B2) or `sentence`."""
    text: str
    """Original text; lone surrogates, which no model can read, become �."""
    start: int
    """Position in the original text; for a word, its first occurrence."""
    end: int
    score: float
    """For a word its frequency, for a sentence the paper's sentence score."""
    charge: str
    """Charge that the part indicates; empty if none."""


def parts_in_original(parts: Iterable[Part], neutral: Masked, text: str) -> tuple[Part, ...]:
    """Return parts of a neutral text with the offsets and the wording of the original text."""
    return tuple(_in_original(part, neutral, text) for part in parts) if neutral.replaced else tuple(parts)


@dataclass(frozen=True, slots=True)
class Rationale:
    """Words (B1 before B2, most frequent first) and sentences (in the configured order) selected by f_R."""

    words: tuple[Part, ...]
    sentences: tuple[Part, ...]

    def in_original(self, neutral: Masked, text: str) -> Rationale:
        """Return the rationale of a neutral text with the offsets and the wording of the original text."""
        return Rationale(*(parts_in_original(parts, neutral, text) for parts in (self.words, self.sentences)))

    def pieces(self) -> tuple[list[str], list[str]]:
        """Return each word once, and the sentences."""
        return list(dict.fromkeys(part.text for part in self.words)), [part.text for part in self.sentences]

    def text(self) -> str:
        """Return the model input without a limit: each word once, then each sentence once."""
        words, sentences = self.pieces()
        return " ".join((*words, *dict.fromkeys(sentences)))


def rationale_rows(rationale: Rationale) -> dict[str, Any]:
    """Return the rationale for JSON: `words` and `sentences`, each part with its fields by name."""
    return {
        "words": [part._asdict() for part in rationale.words],
        "sentences": [part._asdict() for part in rationale.sentences],
    }


def _in_original(part: Part, neutral: Masked, text: str) -> Part:
    start, end = neutral.original(part.start, part.end)
    return part._replace(start=start, end=end, text=text[start:end].translate(_SURROGATES))
