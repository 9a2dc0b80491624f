"""Familiarity: the mean rarity of words up to which a text reads like the training cases."""

from __future__ import annotations

import numpy as np

from lexgear.lexical.words import segmenter
from lexgear.model.tokenizer import Tokens
from lexgear.pretraining.charge_words import ChargeWords
from lexgear.pretraining.data.prepared import JUDGED, Prepared

LIMIT_TOKENS = 64
"""Tokens per case that the limit is computed from: as short as a brief user description."""
FAMILIAR_SHARE = 0.98
"""Share of the held-out cases that count as familiar. Then 17 of 20 unrelated texts (recipes, weather, letters,
contracts) are unfamiliar, and 20 of 20 crimes described in one sentence are familiar. By the rarity of characters
instead of words, 14 and 16 are."""


def familiar_rarity(prepared: Prepared, tokens: Tokens, words: ChargeWords) -> float | None:
    """Return the mean rarity of words up to which a text is familiar; None if no judgments are held out."""
    cases = np.flatnonzero(prepared.kinds == JUDGED)
    if not len(prepared.ids.nodes_of("charge")) or not (cases >= prepared.learnt).any():
        return None
    cut = segmenter("zh")  # only the Chinese law has charges
    beginnings = (prepared.facts.row(case)[:LIMIT_TOKENS].tolist() for case in cases[cases >= prepared.learnt].tolist())
    means = [words.mean_rarity(cut(tokens.decode(beginning))) for beginning in beginnings]
    return float(np.quantile(means, FAMILIAR_SHARE))
