"""Rationales within a token budget: what a model can read of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise

from lexgear.rationale.records import Rationale

Count = Callable[[Sequence[str]], Sequence[int]]
"""Returns the number of tokens of each piece of text."""
WORDS_SHARE = 1 / 3
"""Largest share of the budget for words: at 96 tokens, all 30 words would leave no room for a sentence."""


def fitted_texts(rationales: Sequence[Rationale], budget: int, count: Count) -> list[str]:
    """Return model inputs of at most `budget` tokens: words, then the best sentences in their order.

    A sentence that does not fit, or that is there already, is skipped for the next best one. If not even the best one
    fits, it is the only one, and the model reads its beginning.
    """
    pieces = [rationale.pieces() for rationale in rationales]
    counts = list(count([piece for words, sentences in pieces for piece in (*words, *sentences)]))
    ends = accumulate((len(words) + len(sentences) for words, sentences in pieces), initial=0)
    texts = []
    for rationale, (words, sentences), (begin, end) in zip(rationales, pieces, pairwise(ends), strict=True):
        lengths = counts[begin:end]
        kept = _first(lengths[: len(words)], int(budget * WORDS_SHARE))
        scores = [part.score for part in rationale.sentences]
        chosen = _best(sentences, scores, lengths[len(words) :], budget - sum(lengths[:kept]))
        texts.append(" ".join((*words[:kept], *(sentences[place] for place in chosen))))
    return texts


def _first(lengths: Sequence[int], budget: int) -> int:
    """Return how many of the first pieces fit."""
    return sum(total <= budget for total in accumulate(lengths))


def _best(sentences: Sequence[str], scores: Sequence[float], lengths: Sequence[int], budget: int) -> list[int]:
    """Return the best sentences that fit, in their order; of equal sentences the first."""
    chosen: dict[str, int] = {}
    for place in sorted(range(len(scores)), key=lambda place: (-scores[place], place)):
        if sentences[place] not in chosen and (lengths[place] <= budget or not chosen):
            chosen[sentences[place]] = place
            budget -= lengths[place]
    return sorted(chosen.values())
