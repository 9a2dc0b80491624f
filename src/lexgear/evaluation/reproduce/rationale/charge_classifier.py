"""Charge classifier: stands in for an annotator who marks whether a text suffices to tell the charge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.tf_idf import log_tf, smoothed_idf
from lexgear.lexical.words import segmenter

FEWEST_TEXTS = 2
"""Number of texts in which a word must occur to be a feature."""
STRENGTH = 10.0
"""Inverse strength of the L2 penalty, usually called C; not tuned."""
ITERATIONS = 200
Floats = NDArray[np.float64]


class ChargeClassifier:
    """Multinomial logistic regression on TF-IDF vectors of unit length, with an L2 penalty, by L-BFGS.

    A case with several charges counts for each of them in equal parts.
    """

    def __init__(self, texts: Sequence[str], charges: Sequence[Sequence[str]], language: str) -> None:
        self._segment = segmenter(language)
        counts = [Counter(self._segment(text)) for text in texts]
        found_in = Counter(word for row in counts for word in row)
        known = sorted(word for word, times in found_in.items() if times >= FEWEST_TEXTS)
        self._words = {word: place for place, word in enumerate(known)}
        found = np.array([found_in[word] for word in known], float)
        self._rarity = 1 + smoothed_idf(found, len(texts))
        self.charges = sorted({charge for names in charges for charge in names})
        places = {charge: place for place, charge in enumerate(self.charges)}
        shares = np.zeros((len(texts), len(self.charges)))
        for row, names in enumerate(charges):
            shares[row, [places[name] for name in names]] = 1 / len(set(names))
        self._weights = _fit(self._vectors(counts), shares)

    def predict(self, texts: Sequence[str]) -> list[str]:
        """Return the most probable charge of each text; ties go to the first by name."""
        return [self.charges[place] for place in self._scores(texts).round(9).argmax(axis=1)]

    def probabilities(self, texts: Sequence[str]) -> Floats:
        """Return the probability of each charge (column) for each text (row)."""
        from scipy.special import softmax

        return np.asarray(softmax(self._scores(texts), axis=1))

    def correct(self, texts: Sequence[str], charges: Sequence[Sequence[str]]) -> list[float]:
        """Return 1 for each text whose predicted charge is one of its charges, otherwise 0."""
        return [float(name in known) for name, known in zip(self.predict(texts), charges, strict=True)]

    def _scores(self, texts: Sequence[str]) -> Floats:
        return np.asarray(self._vectors([Counter(self._segment(text)) for text in texts]) @ self._weights)

    def _vectors(self, counts: Sequence[Counter[str]]) -> Any:
        """Return one sparse row per text: (1 + log tf) · idf, of unit length, and a constant for the bias."""
        from scipy import sparse

        entries = [
            (row, self._words[word], times)
            for row, text in enumerate(counts)
            for word, times in text.items()
            if word in self._words
        ]
        rows, columns, times = np.array(entries, np.int64).reshape(-1, 3).T
        values = log_tf(times) * self._rarity[columns]
        lengths = np.sqrt(np.bincount(rows, values**2, len(counts)))
        shape = len(counts), len(self._words)
        words = sparse.csr_array((values / lengths[rows], (rows, columns)), shape=shape)
        return sparse.hstack([words, np.ones((len(counts), 1))], format="csr")


def _fit(vectors: Any, shares: Floats) -> Floats:
    """Return the weights (words × charges) that minimise the penalised cross-entropy."""
    from scipy import optimize, special

    shape = vectors.shape[1], shares.shape[1]
    penalty = 1 / (STRENGTH * len(shares))

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        log_p = special.log_softmax(vectors @ weights, axis=1)
        gradient = vectors.T @ (np.exp(log_p) - shares) / len(shares) + penalty * weights
        return float(-(shares * log_p).sum() / len(shares) + penalty / 2 * (flat @ flat)), gradient.ravel()

    found = optimize.minimize(
        loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}
    )
    return np.asarray(found.x, float).reshape(shape)
