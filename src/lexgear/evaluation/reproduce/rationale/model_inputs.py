"""Ways to make the input of a model from a case, and their time per case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TypeAlias

from lexgear.progress import Progress, silent
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.budget import fitted_texts

MakeInputs: TypeAlias = Callable[[Sequence[str]], list[str]]
"""Returns the input of a model for each text."""
WINDOW = 512
"""Tokens that the paper's models read: about as many characters in Chinese; words in other languages."""
_BATCH = 32
"""Texts per call: few enough to show progress, enough to fill a batch."""


def first_tokens(language: str) -> MakeInputs:
    """Return the beginning of each text, as far as a model reads: direct indexing (DSI)."""
    if language == "zh":
        return lambda texts: [text[:WINDOW] for text in texts]
    return lambda texts: [" ".join(text.split()[:WINDOW]) for text in texts]


def first_half(texts: Sequence[str]) -> list[str]:
    """Return the first half of each text, in characters."""
    return [text[: len(text) // 2] for text in texts]


def rationales(inputs: Inputs) -> MakeInputs:
    """Return f_R of each text in as many tokens as `first_tokens`: its words and the best sentences that fit."""
    chinese = inputs.lexicon.language == "zh"
    inputs.fit_to(WINDOW, lambda pieces: [len(piece) + 1 if chinese else len(piece.split()) for piece in pieces])
    return inputs.of_queries


def best_half(inputs: Inputs) -> MakeInputs:
    """Return f_R in half the characters of the text: the best sentences that fit."""
    return lambda texts: [_half(inputs, text) for text in texts]


def _half(inputs: Inputs, text: str) -> str:
    budget = len(text) // 2
    [fitted] = fitted_texts([inputs.rationale(text)], budget, lambda pieces: [len(piece) + 1 for piece in pieces])
    return fitted[:budget]


def whole_text(texts: Sequence[str]) -> list[str]:
    """Return each text as it is."""
    return list(texts)


def make_in_batches(make: MakeInputs, texts: Sequence[str], progress: Progress = silent, note: str = "") -> list[str]:
    """Return the inputs for many texts, with progress."""
    made: list[str] = []
    for begin in range(0, len(texts), _BATCH):
        made += make(texts[begin : begin + _BATCH])
        progress(len(made), len(texts), note)
    return made


def time_each(make: MakeInputs, texts: Sequence[str], progress: Progress = silent, note: str = "") -> list[float]:
    """Return the milliseconds of each text alone, after a warm-up call that loads dictionaries and kernels."""
    make(texts[:1])
    times = []
    for text in texts:
        begin = perf_counter()
        make([text])
        times.append(1000 * (perf_counter() - begin))
        progress(len(times), len(texts), note)
    return times


def time_batch(make: MakeInputs, texts: Sequence[str]) -> float:
    """Return the mean milliseconds per text if all are passed at once."""
    begin = perf_counter()
    make(texts)
    return 1000 * (perf_counter() - begin) / len(texts)
