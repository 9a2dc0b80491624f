"""f_R against word segmentation of the same texts, which any reader of Chinese needs."""

from __future__ import annotations

import random
from collections.abc import Iterator

import rjieba

from bench.side_by_side import Measured, time_ratio
from lexgear.corpus.sample.cases import sample_cases
from lexgear.law.charges import shipped_charges
from lexgear.rationale.extract import Extractor
from lexgear.rationale.lexicon import Lexicon

DOCUMENTS, SENTENCES = 60, 200
"""200 of the sample's sentences have 6,700 characters, the length of a LeCaRD judgment."""


def rationale_against_segmentation() -> Iterator[Measured]:
    """Extract rationales for all charges from judgments of LeCaRD's length, made of the sample's sentences."""
    sample = sample_cases()
    chance = random.Random(7)
    sentences = [part for document in sample.documents for part in document.text.split("。") if part]
    texts = ["。".join(chance.choices(sentences, k=SENTENCES)) for _ in range(DOCUMENTS)]
    described = dict.fromkeys(shipped_charges().names, "")
    for document in sample.documents[::4]:
        for charge in document.charges:  # the sample's reasoning serves as definitions
            described[charge] += document.sections["reasoning"]
    extractor = Extractor(Lexicon.from_charges(described, "zh"))

    yield time_ratio(
        "rationale_vs_segmentation_time",
        f"f_R over all charges against rjieba.cut, {DOCUMENTS} texts of {SENTENCES} sentences (at most 2 wanted)",
        lambda: extractor.many(texts),
        lambda: [rjieba.cut(text) for text in texts],
    )
