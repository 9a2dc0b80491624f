"""Judgments made of the sample's sentences, as many and as long as a benchmark needs."""

from __future__ import annotations

import random

from lexgear.corpus.sample.cases import sample_cases

SENTENCES = 40


def judgments(count: int) -> list[str]:
    """Return texts of 40 sentences; the same on every call."""
    sentences = [part for document in sample_cases().documents for part in document.text.split("。") if part]
    chance = random.Random(7)
    return ["。".join(chance.choices(sentences, k=SENTENCES)) for _ in range(count)]
