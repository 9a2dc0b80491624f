"""The ways to make the input of a model from a case, and how long each takes a case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TypeAlias

from lexgear.progress import Progress, silent
from lexgear.rankers.inputs import Inputs

Make: TypeAlias = Callable[[Sequence[str]], list[str]]
"""What a model reads of each text."""
WINDOW = 512
"""Tokens of the paper's models: about as many characters of Chinese; words in other languages."""
_TOGETHER = 32
"""Texts handed over at once: few enough that progress shows, enough to fill a batch."""


def first_tokens(language: str) -> Make:
    """Direct indexing (DSI): the beginning of the text, as far as a model reads."""
    if language == "zh":
        return lambda texts: [text[:WINDOW] for text in texts]
    return lambda texts: [" ".join(text.split()[:WINDOW]) for text in texts]


def first_half(texts: Sequence[str]) -> list[str]:
    """The first half of each text, in characters."""
    return [text[: len(text) // 2] for text in texts]


def best_half(inputs: Inputs) -> Make:
    """f_R in half the characters of the text: the sentences of the lowest score go until it fits."""
    return lambda texts: [inputs.rationale(text).text(budget=len(text) // 2) for text in texts]


def whole(texts: Sequence[str]) -> list[str]:
    """Each text as it is."""
    return list(texts)


def all_of(make: Make, texts: Sequence[str], progress: Progress = silent, note: str = "") -> list[str]:
    """What becomes of many texts."""
    made: list[str] = []
    for begin in range(0, len(texts), _TOGETHER):
        made += make(texts[begin : begin + _TOGETHER])
        progress(len(made), len(texts), note)
    return made


def milliseconds(make: Make, texts: Sequence[str], progress: Progress = silent, note: str = "") -> list[float]:
    """How long each text takes alone, after one that does not count: the first call loads dictionaries and kernels."""
    make(texts[:1])
    times = []
    for text in texts:
        begin = perf_counter()
        make([text])
        times.append(1000 * (perf_counter() - begin))
        progress(len(times), len(texts), note)
    return times


def milliseconds_together(make: Make, texts: Sequence[str]) -> float:
    """How long a text takes, on average, where all are handed over at once."""
    begin = perf_counter()
    make(texts)
    return 1000 * (perf_counter() - begin) / len(texts)
