"""From the probabilities of a model to one coherent opinion: the law in force, rival charges and thresholds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from lexgear.corpus.extraction.act_dates import ActDate
from lexgear.judgment.exclusion import exclude_contradictions
from lexgear.judgment.grades import APPLIES, Grade
from lexgear.judgment.law_in_force import apply_law_in_force
from lexgear.judgment.rivals import absorb, share_between_rivals
from lexgear.judgment.signs import weigh_signs
from lexgear.judgment.thresholds import ThresholdCode, check_thresholds
from lexgear.law.tree import LawTree

if TYPE_CHECKING:
    from lexgear.judgment.records import PredictedCharge

MOST_BY_RULES = 0.9
"""Probability up to which rules raise a charge. Of 85 charges that they had made certain in 711 cases of several
defendants that no model had seen, .89 were right; the mean negative log-likelihood of the 495 cases with one charge
falls from 1.810 to 1.666, that of the others from 3.445 to 3.434."""


def settle(
    charges: Iterable[PredictedCharge], law: LawTree, text: str, act_date: ActDate | None
) -> list[PredictedCharge]:
    """Return the charges, most probable first, so that they do not contradict the law, the facts or each other."""
    in_force = list(apply_law_in_force(charges, law, act_date, APPLIES, text))
    most = {charge.name: max(charge.probability, MOST_BY_RULES) for charge in in_force}
    settled = share_between_rivals(weigh_signs(absorb(in_force, text, APPLIES), text, APPLIES), APPLIES)
    settled = exclude_contradictions(settled, APPLIES)
    settled = [replace(charge, probability=min(charge.probability, most[charge.name])) for charge in settled]
    settled.sort(key=lambda charge: -charge.probability)
    return [_without_idle_reasons(charge) for charge in check_thresholds(settled, text, act_date)]


def _without_idle_reasons(charge: PredictedCharge) -> PredictedCharge:
    """Return an unlikely charge without reasons, and without a threshold unless that makes it unlikely."""
    if charge.grade is not Grade.UNLIKELY:
        return charge
    decides = charge.threshold is not None and charge.threshold.code is ThresholdCode.NOT_REACHED
    return replace(charge, rationale=(), expressions=(), threshold=charge.threshold if decides else None)
