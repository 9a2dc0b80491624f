"""What f_R is told and what it gives: settings, parts of a text, and the rationale they make up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from lexgear.errors import InputError


@dataclass(frozen=True, slots=True)
class RationaleSettings:
    """How much f_R picks and how it weighs; the defaults are the paper's for LeCaRDv2."""

    k1: int = 10
    """Words from B1, the names of the charges."""
    k2: int = 20
    """Words from B2, the definitions of the charges."""
    k3: int = 15
    """Sentences."""
    lambda1: float = 10.0
    """Weight of B1 in the score of a sentence."""
    lambda2: float = 1.0
    """Weight of B2."""
    lambda3: float = 0.1
    """Weight of B3, the cosine with the embedded definitions; without an encoder it counts as zero."""
    order: str = "document"
    """Of the chosen sentences: `document` keeps the text readable, `score` is the ablation."""

    def __post_init__(self) -> None:
        for name in ("k1", "k2", "k3", "lambda1", "lambda2", "lambda3"):
            if getattr(self, name) < 0:
                raise InputError(f"rationale setting {name} is {getattr(self, name)}", remedy="zero or more")
        if self.order not in ("document", "score"):
            raise InputError(f"rationale setting order is {self.order!r}", remedy="use document or score")


class Part(NamedTuple):
    """One word or sentence of a rationale. (A tuple, since up to 45 are made a text.)"""

    kind: str
    """`word1` (from B1), `word2` (from B2) or `sentence`."""
    text: str
    """As it stands in the original; half a character (a lone surrogate), which no model can read, becomes �."""
    start: int
    """Where it stands in the original text; a word at its first occurrence."""
    end: int
    score: float
    """A word: how often it occurs. A sentence: the paper's sentence score."""
    charge: str
    """The charge it speaks for; empty where nothing tells."""


@dataclass(frozen=True, slots=True)
class Rationale:
    """The words (B1 before B2, most frequent first) and the sentences (in the order set) f_R chose."""

    words: tuple[Part, ...]
    sentences: tuple[Part, ...]

    def text(self, budget: int | None = None, count: Callable[[str], int] = len) -> str:
        """What the model reads: each word once, then the sentences.

        With a budget, the sentences of the lowest score go until `count(text)` fits, then the last words.
        """
        words = list(dict.fromkeys(part.text for part in self.words))
        if budget is None:
            return _joined(words, self.sentences)
        ranked = sorted(range(len(self.sentences)), key=lambda place: (-self.sentences[place].score, place))

        def first(kept: int) -> str:
            """The `kept` best pieces, words counting as better than sentences."""
            chosen = sorted(ranked[: max(0, kept - len(words))])
            return _joined(words[:kept], [self.sentences[place] for place in chosen])

        low, high = 0, len(words) + len(ranked)
        while low < high:  # bisection: a tokenizer is asked some six times, not once a sentence
            middle = (low + high + 1) // 2
            low, high = (middle, high) if count(first(middle)) <= budget else (low, middle - 1)
        return first(low)


def rationale_rows(rationale: Rationale) -> dict[str, Any]:
    """The rationale for JSON: `words` and `sentences`, each part with its fields by name."""
    return {
        "words": [part._asdict() for part in rationale.words],
        "sentences": [part._asdict() for part in rationale.sentences],
    }


def _joined(words: Sequence[str], sentences: Sequence[Part]) -> str:
    return " ".join((*words, *(part.text for part in sentences)))
