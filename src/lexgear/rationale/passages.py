"""Sentences of a judgment that state facts, from which f_R selects."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.extraction.factors.anchors import Anchors
from lexgear.corpus.extraction.factors.passages import PASSAGE_PATTERNS, passages
from lexgear.rationale.tokens import SEPARATOR, character_codes

MOST_LEFT_OUT = 0.5
"""Largest share of a sentence that claims, evidence and quoted law may take up."""


def stating_sentences(texts: Sequence[str], spans: NDArray[np.int64], text_of: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return for each sentence whether it states facts rather than claims of the defence, evidence or quoted law.

    `spans` are positions in the texts joined by one character each. In a text without any such sentence, all are taken
    to state facts.
    """
    joined = SEPARATOR.join(texts)
    stated = SEPARATOR.join(passages("fact", text, _anchors().places(text)).stated for text in texts)
    if stated == joined:
        return np.ones(len(text_of), np.bool_)
    before = np.zeros(len(joined) + 1, np.int64)
    np.cumsum(character_codes(joined) != character_codes(stated), out=before[1:])
    starts, ends = spans
    states: NDArray[np.bool_] = before[ends] - before[starts] <= MOST_LEFT_OUT * (ends - starts)
    some = np.zeros(len(texts), np.bool_)
    some[text_of[states]] = True
    states |= ~some[text_of]
    return states


@cache
def _anchors() -> Anchors:
    return Anchors(PASSAGE_PATTERNS)
