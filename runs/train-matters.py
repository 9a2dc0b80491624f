#!/usr/bin/env python
"""Teach a base model to tell crimes from other matters: train-matters.py BASE COLLECTION ...

BASE is a directory of a base model, and the collections are those it was trained on (lecard, cases-zh, lecardv2,
cail2018). The classifier learns from the invented lay texts in runs/data/lay-texts.jsonl and from parts of the cases
that the base has learnt; cases held out from the base stay held out. Lay texts that overlap a text of
bench/data/lay-texts.jsonl are refused. Threshold, weights and calibration are then learnt on the held-out cases and on
the development half of those texts. It takes 40 minutes on one core.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from lexgear.judgment.base_calibration import walk_row
from lexgear.judgment.base_judge import BaseJudge
from lexgear.judgment.matter_calibration import ToldCase, best_threshold, learn_walks
from lexgear.law.charges import shipped_charges
from lexgear.model.device import best_device
from lexgear.pretraining.base import load_base, save_matters, save_walk_weights
from lexgear.pretraining.data.gather import Case, gather
from lexgear.pretraining.data.leak_guard import SHINGLE_LENGTH, LeakGuard
from lexgear.pretraining.data.token_streams import Stream
from lexgear.pretraining.learning.matters import LabelledTexts, MatterSettings, train_matters
from lexgear.pretraining.matters import MatterClassifier, Matters
from lexgear.privacy.neutral import neutralise
from lexgear.terminal import progress_bar

LAY_TEXTS = Path(__file__).parent / "data" / "lay-texts.jsonl"
TEST_TEXTS = Path(__file__).parents[1] / "bench" / "data" / "lay-texts.jsonl"
MAX_CASE_LENGTH, MAX_LAY_LENGTH = 1536, 380


def main(base_at: str, *collections: str) -> None:
    """Train the classifier and store it in the base model."""
    base, settings = load_base(Path(base_at)), MatterSettings()
    seen = set(base.seen.tolist())
    places = tuple(base.ids.node_name(node) for node in base.ids.nodes_of("charge").tolist())
    number = {place.rsplit("/", 1)[-1]: at for at, place in enumerate(places)}
    rows = lay_texts()
    others = tuple(sorted({row["matter"] for row in rows if not row["criminal"]}))
    number |= {name: len(places) + at for at, name in enumerate(others)}
    with progress_bar("Reading cases") as progress:
        gathered = gather([Path(name) for name in collections], [], [], progress)
    cases = [case for case in gathered.cases if {*case.charges} & number.keys() and not seen.isdisjoint(case.seen)]
    frame = base.tokens.rows([""])[0]

    def encoded(texts: Sequence[str], limit: int) -> Stream:
        return Stream.of(np.array(row[1:-1][:limit]) for row in base.tokens.rows(texts))

    def numbers(names: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array([number[name] for name in names if name in number], dtype=np.int64)

    masked = shipped_charges().masked
    lay = LabelledTexts(
        encoded([masked(neutralise(row["text"], gathered.language).text) for row in rows], MAX_LAY_LENGTH),
        [numbers(row["charges"] if row["criminal"] else [row["matter"]]) for row in rows],
    )
    judged = LabelledTexts(
        encoded([case.facts for case in cases], MAX_CASE_LENGTH),
        [numbers(case.charges) for case in cases],
        shares_of(cases),
    )
    print(f"{len(lay):,} lay texts, {len(judged):,} cases, {len(places)} charges, {len(others)} other matters")
    classifier = MatterClassifier(base.backbone, len(number), settings.rank).to(best_device())
    with progress_bar("Training") as progress:
        train_matters(classifier, lay, judged, len(places), (frame[0], frame[-1]), settings, progress)
    learnt = classifier.learnt()
    matters = Matters(classifier.merge(), base.tokens, places, others, 0.5, learnt)
    save_matters(Path(base_at), matters)
    held_out = [case for case in gathered.cases if case.charges and seen.isdisjoint(case.seen)]
    calibrate(Path(base_at), [ToldCase(case.facts, case.charges) for case in held_out])


def calibrate(base_at: Path, held_out: Sequence[ToldCase]) -> None:
    """Choose the threshold and the weights of the walks on held-out cases and the development half of the test."""
    rows = [json.loads(line) for line in TEST_TEXTS.read_text("utf-8").splitlines()]
    development = [row for row in rows if row["half"] == "development"]
    lay = [ToldCase(row["text"], row.get("charges", ())) for row in development]
    judge = BaseJudge(load_base(base_at), "zh")
    with progress_bar("Learning the weights of the walks") as progress:
        for_long, for_short = learn_walks(judge, held_out, lay, progress)
    threshold, matters = best_threshold(judge, lay), judge.base.matters
    assert matters is not None
    save_walk_weights(base_at, walk_row(for_long))
    save_matters(base_at, replace(matters, threshold=threshold, walk=walk_row(for_short)))
    print(f"threshold {threshold}\nlong texts: {walk_row(for_long)}\nshort texts: {walk_row(for_short)}")


def lay_texts() -> list[dict[str, Any]]:
    """Return the lay texts that overlap no text of the test set."""
    rows = [json.loads(line) for line in LAY_TEXTS.read_text("utf-8").splitlines()]
    test = [json.loads(line) for line in TEST_TEXTS.read_text("utf-8").splitlines()]
    guard = LeakGuard([(row["id"], row["text"]) for row in test], SHINGLE_LENGTH)
    kept = [row for row in rows if not guard.refuses(row["text"])]
    print(f"{len(rows) - len(kept)} lay texts refused: they overlap a text of the test set")
    return kept


def shares_of(cases: Sequence[Case]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the probabilities of drawing each case: those with a rare charge are drawn more often."""
    count: dict[str, int] = {}
    for case in cases:
        for name in case.charges:
            count[name] = count.get(name, 0) + 1
    shares = np.array([1 / np.sqrt(min(count[name] for name in case.charges)) for case in cases])
    return np.asarray(shares / shares.sum(), dtype=np.float64)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
