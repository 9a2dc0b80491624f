#!/usr/bin/env python
"""Teach a base model to tell crimes from other matters: train-matters.py BASE COLLECTION ... [--continue]

BASE is a directory of a base model, and the collections are those it was trained on (lecard, cases-zh, lecardv2,
cail2018). The classifier learns from the invented lay texts in runs/data and from parts of the cases that the base has
learnt; cases held out from the base stay held out. Lay texts that overlap a text of the test sets in bench/data are
refused. Threshold, weights and calibration are then learnt on the held-out cases and on a sixth of the lay texts, which
the classifier does not learn from; the threshold also on --unread files, which the classifier of the base reads before
it learns from them: texts of other writers tell more of what to expect. With --continue, training goes on from the
classifier that the base has, with --steps and --learning-rate; --mix is the share of what it has learnt then in the
mean with the weights before. With --calibrate only the last step is done. Training takes 20 to 40 minutes on one core.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from lexgear.judgment.base_calibration import walk_row
from lexgear.judgment.base_judge import BaseJudge
from lexgear.judgment.matter_calibration import ReadLayTexts, ToldCase, best_threshold, learn_walks, read_lay_texts
from lexgear.law.charges import shipped_charges
from lexgear.model.device import best_device
from lexgear.pretraining.base import Base, load_base, save_matters, save_walk_weights
from lexgear.pretraining.data.gather import Case, gather
from lexgear.pretraining.data.lay_texts import validation_mask
from lexgear.pretraining.data.leak_guard import SHINGLE_LENGTH, LeakGuard
from lexgear.pretraining.data.token_streams import Stream
from lexgear.pretraining.learning.matters import LabelledTexts, MatterSettings, train_matters
from lexgear.pretraining.matters import MatterClassifier, Matters
from lexgear.privacy.neutral import neutralise
from lexgear.terminal import progress_bar

LAY_TEXTS = {"lay-texts.jsonl": 1, "lay-texts-2.jsonl": 2, "lay-texts-3.jsonl": 3, "lay-texts-4.jsonl": 3}
"""Files of lay texts, with how often a round draws each text: later ones are of kinds that had been judged wrongly."""
TEST_TEXTS = ("lay-texts.jsonl", "lay-texts-blind.jsonl", "lay-texts-blind-2.jsonl")
MAX_CASE_LENGTH, MAX_LAY_LENGTH = 1536, 380
AGAIN: dict[str, Any] = {"head_cases": 0, "side_weight": 2.0}
"""Settings that differ if training goes on from a classifier."""


def main() -> None:
    """Train the classifier, store it in the base model and calibrate it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", type=Path)
    parser.add_argument("collections", type=Path, nargs="+")
    parser.add_argument("--continue", dest="again", action="store_true")
    parser.add_argument("--calibrate", action="store_true")
    parser.add_argument("--steps", type=int, default=1_200)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--mix", type=float, default=1.0)
    parser.add_argument("--unread", action="append", default=[], choices=LAY_TEXTS)
    chosen = parser.parse_args()
    base, rows = load_base(chosen.base), lay_texts()
    seen = set(base.seen.tolist())
    with progress_bar("Reading cases") as progress:
        gathered = gather(chosen.collections, [], [], progress)
    judge = BaseJudge(base, "zh")
    unread = read_lay_texts(judge, [told(row) for row in rows if row["file"] in chosen.unread])
    if not chosen.calibrate:
        learnt = [case for case in gathered.cases if not seen.isdisjoint(case.seen)]
        again = {**AGAIN, "steps": chosen.steps, "learning_rate": chosen.learning_rate} if chosen.again else {}
        settings, learning = MatterSettings(**again), [row for row in rows if not row["held_out"]]
        save_matters(chosen.base, trained(base, learning, learnt, settings, chosen.mix if chosen.again else None))
    held_out = [case for case in gathered.cases if case.charges and seen.isdisjoint(case.seen)]
    lay = [told(row) for row in rows if row["held_out"]]
    calibrate(chosen.base, [ToldCase(case.facts, case.charges) for case in held_out], lay, unread)


def trained(
    base: Base, rows: Sequence[Mapping[str, Any]], gathered: Sequence[Case], settings: MatterSettings, mix: float | None
) -> Matters:
    """Return a classifier that has learnt from lay texts and cases.

    With `mix`, it goes on from the base's own, and that share of its weights is in the mean with those before.
    """
    places = tuple(base.ids.node_name(node) for node in base.ids.nodes_of("charge").tolist())
    number = {place.rsplit("/", 1)[-1]: at for at, place in enumerate(places)}
    others = tuple(sorted({row["matter"] for row in rows if not row["criminal"]}))
    number |= {name: len(places) + at for at, name in enumerate(others)}
    cases = [case for case in gathered if {*case.charges} & number.keys()]
    drawn = [row for row in rows for _ in range(row["times"])]
    frame = base.tokens.rows([""])[0]

    def encoded(texts: Sequence[str], limit: int) -> Stream:
        return Stream.of(np.array(row[1:-1][:limit]) for row in base.tokens.rows(texts))

    def numbers(names: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array([number[name] for name in names if name in number], dtype=np.int64)

    masked = shipped_charges().masked
    lay = LabelledTexts(
        encoded([masked(neutralise(row["text"], "zh").text) for row in drawn], MAX_LAY_LENGTH),
        [numbers(row["charges"] if row["criminal"] else [row["matter"]]) for row in drawn],
    )
    judged = LabelledTexts(
        encoded([case.facts for case in cases], MAX_CASE_LENGTH),
        [numbers(case.charges) for case in cases],
        shares_of(cases),
    )
    print(f"{len(rows):,} lay texts, {len(judged):,} cases, {len(places)} charges, {len(others)} other matters")
    classifier = MatterClassifier(base.backbone, len(number), settings.rank).to(best_device())
    before = dict(base.matters.learnt) if mix is not None and base.matters is not None else {}
    classifier.load_state_dict(before, strict=False)
    with progress_bar("Training") as progress:
        train_matters(classifier, lay, judged, len(places), (frame[0], frame[-1]), settings, progress)
    learnt = classifier.learnt()
    if mix is not None and before:
        learnt = {name: (1 - mix) * before[name].to(value.device) + mix * value for name, value in learnt.items()}
        classifier.load_state_dict(learnt, strict=False)
    return Matters(classifier.merge(), base.tokens, places, others, 0.5, learnt)


def told(row: Mapping[str, Any]) -> ToldCase:
    """Return a lay text with the charges that apply."""
    return ToldCase(row["text"], row.get("charges", ()))


def calibrate(base_at: Path, held_out: Sequence[ToldCase], lay: Sequence[ToldCase], unread: ReadLayTexts) -> None:
    """Choose the weights of the walks on held-out cases and lay texts, and the threshold on these and unread texts."""
    judge = BaseJudge(load_base(base_at), "zh")
    with progress_bar("Learning the weights of the walks") as progress:
        for_facts, for_lay = learn_walks(judge, held_out, lay, progress)
    threshold, matters = best_threshold(read_lay_texts(judge, lay).with_others(unread)), judge.base.matters
    assert matters is not None
    save_walk_weights(base_at, walk_row(for_facts))
    save_matters(base_at, replace(matters, threshold=threshold, walk=walk_row(for_lay)))
    print(f"threshold {threshold}\nfacts: {walk_row(for_facts)}\nlay texts: {walk_row(for_lay)}")


def lay_texts() -> list[dict[str, Any]]:
    """Return the lay texts that overlap no text of the test sets, each with whether it is held out for validation."""
    data, tests = Path(__file__).parent / "data", Path(__file__).parents[1] / "bench" / "data"
    rows = [
        {**row, "file": name, "times": times} for name, times in LAY_TEXTS.items() for row in read_rows(data / name)
    ]
    guard = LeakGuard(
        [(row["id"], row["text"]) for name in TEST_TEXTS for row in read_rows(tests / name)], SHINGLE_LENGTH
    )
    kept = [row for row in rows if not guard.refuses(row["text"])]
    print(f"{len(rows) - len(kept)} lay texts refused: they overlap a text of a test set")
    held_out = validation_mask([row["text"] for row in kept])
    return [{**row, "held_out": own} for row, own in zip(kept, held_out, strict=True)]


def read_rows(file: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of JSON lines."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def shares_of(cases: Sequence[Case]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the probabilities of drawing each case: those with a rare charge are drawn more often."""
    count: dict[str, int] = {}
    for case in cases:
        for name in case.charges:
            count[name] = count.get(name, 0) + 1
    shares = np.array([1 / np.sqrt(min(count[name] for name in case.charges)) for case in cases])
    return np.asarray(shares / shares.sum(), dtype=np.float64)


if __name__ == "__main__":
    main()
