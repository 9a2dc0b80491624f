#!/usr/bin/env python
"""Teach a base model which texts are no criminal matter: train-matters.py BASE CAIL2018.

BASE is a directory of a base model, CAIL2018 a collection. It learns from the invented lay texts in
runs/data/lay-texts.jsonl and from parts of CAIL2018's training facts, which are crimes. The penalty is chosen by
cross-validation over the lay texts; the threshold is .5, or lower if more than a few of CAIL2018's training facts would
be refused.
"""

import json
import sys
from pathlib import Path

import numpy as np

from lexgear.corpus.store import load_collection
from lexgear.judgment.base_judge import BaseJudge
from lexgear.pretraining.base import load_base, save_matters
from lexgear.pretraining.matters import CRIME, Matters, learn_matters

LAY_TEXTS = Path(__file__).parent / "data" / "lay-texts.jsonl"
PENALTIES = (1e-5, 3e-5, 1e-4, 3e-4, 1e-3)
REFUSED = 0.005
"""Share of CAIL2018's training facts that may be refused."""
CASES = 800
LAY_WEIGHT = 4.0
"""Weight of a lay text beside a case: only the lay texts are written as those to be told apart."""


def main(base_at: str, cail: str) -> None:
    """Learn the classifier and store it in the base model."""
    base, rng = load_base(Path(base_at)), np.random.default_rng(0)
    judge = BaseJudge(base, "zh")

    def vectors(texts: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        neutral = [judge.names.text(text).text for text in texts]
        return judge.parts.vectors(neutral).astype(np.float64)

    lay = [json.loads(line) for line in LAY_TEXTS.read_text("utf-8").splitlines()]
    classes = [CRIME if row["criminal"] else row["matter"] for row in lay]
    facts = [document.text for document in load_collection(cail).documents]
    chosen = [facts[place] for place in rng.permutation(len(facts))[:CASES]]
    parts = [_part(text, rng) for text in chosen]
    ours, cases = vectors([row["text"] for row in lay]), vectors(parts)

    def learn(some: np.ndarray[tuple[int], np.dtype[np.int64]], penalty: float) -> Matters:
        inputs = np.concatenate([ours[some], cases])
        labels = [classes[place] for place in some] + [CRIME] * len(cases)
        weights = np.array([LAY_WEIGHT] * len(some) + [1.0] * len(cases))
        return Matters(*learn_matters(inputs, labels, penalty, weights), threshold=0.5)

    folds = np.array_split(rng.permutation(len(lay)), 5)
    errors = {}
    for penalty in PENALTIES:
        wrong = 0
        for fold in folds:
            model = learn(np.setdiff1d(np.arange(len(lay)), fold), penalty)
            wrong += sum((model.other_matter(ours[at]) is None) != (classes[at] == CRIME) for at in fold)
        errors[penalty] = wrong / len(lay)
        print(f"penalty {penalty:g}: {errors[penalty]:.3f} of the lay texts on the wrong side")
    final = learn(np.arange(len(lay)), min(errors, key=lambda penalty: errors[penalty]))
    crime = [final.probabilities(vector)[CRIME] for vector in vectors([text[:1000] for text in chosen])]
    threshold = round(min(0.5, float(np.quantile(crime, REFUSED))), 3)
    save_matters(Path(base_at), Matters(final.names, final.weights, final.bias, threshold))
    print(f"{len(lay)} lay texts, {len(cases)} parts of cases; threshold {threshold}")


def _part(text: str, rng: np.random.Generator) -> str:
    """Return a random part of a text, of 20 to 300 characters."""
    length = int(rng.integers(20, 300))
    start = int(rng.integers(0, max(len(text) - length, 0) + 1))
    return text[start : start + length]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
