"""The judgment on a text, from one walk over the whole law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from lexgear.corpus.extraction.act_dates import ActDate
from lexgear.judgment.disputes import find_disputes
from lexgear.judgment.expressions import expressions_in
from lexgear.judgment.grades import APPLIES
from lexgear.judgment.law_in_force import RemarkCode, date_of_act
from lexgear.judgment.notes import (
    BEFORE_THE_CODE,
    BELOW_THRESHOLD,
    LAW_CHANGED,
    NO_CHARGES_IN_LAW,
    NO_PROBABLE_CHARGE,
    NOT_A_CASE,
    NOT_IN_FORCE,
    TOO_SHORT,
    Note,
    NoteCode,
)
from lexgear.judgment.outcomes import tells_of_exoneration, tells_of_property_taken
from lexgear.judgment.records import Judgment, PredictedCharge
from lexgear.judgment.settling import settle
from lexgear.judgment.signs import LEAST, new_charges
from lexgear.judgment.thresholds import LOWERED, ThresholdCode, ThresholdRemark
from lexgear.law.distinctions import easily_confused
from lexgear.law.tree import LawTree
from lexgear.privacy.masking import Masked
from lexgear.privacy.neutral import Neutraliser
from lexgear.rankers.charge_predictor import ChargePredictor
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.inference import MIN_WORDS
from lexgear.rationale.records import parts_in_original
from lexgear.search.scorer import LogP

MAX_CHARGES = 10
LIKELY = 0.01
"""Share from which a place of the law is listed in the walk."""


def judge(
    model: ChargePredictor, law: LawTree, text: str, names: Neutraliser, act_date: date | str | None = None
) -> Judgment:
    """Return the judgment on a text, from one walk over the whole law, by the law in force on the date of the act.

    The date is read from the text if it is not given. The model reads the text without person names; quoted sentences
    and their offsets are those of the text itself.
    """
    neutral = names.text(text)
    judgment = _judge(model, law, neutral.text, date_of_act(text, act_date))
    charges = (
        replace(
            charge,
            rationale=parts_in_original(charge.rationale, neutral, text),
            expressions=parts_in_original(charge.expressions, neutral, text),
            threshold=_in_original(charge.threshold, neutral),
        )
        for charge in judgment.charges
    )
    disputes = (
        replace(dispute, reasons=tuple(parts_in_original(parts, neutral, text) for parts in dispute.reasons))
        for dispute in judgment.disputes
    )
    rationale = judgment.rationale.in_original(neutral, text)
    return replace(judgment, charges=tuple(charges), rationale=rationale, disputes=tuple(disputes))


def _in_original(threshold: ThresholdRemark | None, neutral: Masked) -> ThresholdRemark | None:
    """Return a remark with the place of its number in the original text."""
    if threshold is None:
        return None
    start, end = neutral.original(threshold.start, threshold.end)
    return replace(threshold, start=start, end=end)


def _judge(model: ChargePredictor, law: LawTree, text: str, act_date: ActDate | None) -> Judgment:
    features, nodes = model.read(text), model.charge_nodes()
    if (note := _refusal(model, text, features)) is not None:
        return Judgment((), (), features.rationale, note)
    log_p, evidence = model.law_log_p(features), model.evidence(features)
    reached = nodes[np.isfinite(log_p[nodes])]
    best = reached[np.argsort(-log_p[reached], kind="stable")[:MAX_CHARGES]].tolist()
    best += _confused_nodes(model, law, text, features, log_p, best)
    charges = []
    for node, own in zip(best, evidence.distinctive(best), strict=True):
        charge = _predicted(model, law, features, node, float(log_p[node]))
        charges.append(replace(charge, rationale=own, expressions=expressions_in(text, charge.name)))
    charges = settle(charges, law, text, act_date)[:MAX_CHARGES]
    if features.is_lay and tells_of_exoneration(text):
        charges = [_exonerated(charge) for charge in charges]
    nodes_by_name = {law[model.ids.node_name(node)].number: node for node in best}
    for place, charge in enumerate(charges):
        if charge.applies and not charge.rationale:
            charges[place] = replace(charge, rationale=evidence.nearest([nodes_by_name[charge.name]])[:1])
    applied = [charge for charge in charges if charge.applies]
    articles = dict.fromkeys(
        law[step].number for charge in applied for step in charge.path if law[step].kind == "article"
    )
    note = _note(charges) if len(nodes) else NO_CHARGES_IN_LAW
    walk, disputes = _walk(model, law, log_p), find_disputes(charges, text)
    return Judgment(tuple(charges), tuple(articles), features.rationale, note, walk, act_date, disputes)


def _confused_nodes(
    model: ChargePredictor, law: LawTree, text: str, features: QueryFeatures, log_p: LogP, best: Sequence[int]
) -> list[int]:
    """Return the nodes of charges that the best ones are easily confused with, and of new ones that the facts show."""
    nodes = model.charge_nodes()
    reached = nodes[np.isfinite(log_p[nodes])].tolist()
    charges = {law[model.ids.node_name(node)].number: node for node in reached}
    likely = [
        name
        for name, node in charges.items()
        if node in best and model.probability(features, float(log_p[node])) >= LEAST
    ]
    confused = dict.fromkeys((*(other for name in likely for other in easily_confused(name)), *new_charges(text)))
    return [charges[name] for name in confused if name in charges and charges[name] not in best]


def _note(charges: list[PredictedCharge]) -> Note | None:
    """Return the reservation about probable charges: there are none, or their law changed after the act."""
    probable = [charge for charge in charges if charge.probability >= APPLIES]
    remarks = {charge.remark.code for charge in probable if charge.remark is not None}
    if not any(charge.applies for charge in charges):
        below = any(_would_apply(charge) for charge in charges)
        return NOT_IN_FORCE if probable else BELOW_THRESHOLD if below else NO_PROBABLE_CHARGE
    if RemarkCode.BEFORE_THE_CODE in remarks:
        return BEFORE_THE_CODE
    return LAW_CHANGED if remarks else None


def _exonerated(charge: PredictedCharge) -> PredictedCharge:
    """Return a charge as unlikely, without reasons: the text tells that an authority found no crime."""
    lowered = round(LOWERED * charge.probability, 4)
    return replace(charge, probability=lowered, applies=False, rationale=(), expressions=())


def _would_apply(charge: PredictedCharge) -> bool:
    """Return whether a charge applied but for its threshold."""
    below = charge.threshold is not None and charge.threshold.code is ThresholdCode.NOT_REACHED
    return below and charge.probability >= LOWERED * APPLIES


def _refusal(model: ChargePredictor, text: str, features: QueryFeatures) -> Note | None:
    """Return the reason why a text cannot be judged, or None if it can."""
    if len(features.words) < MIN_WORDS:
        return TOO_SHORT
    reading = None if features.is_of_proceedings or tells_of_property_taken(text) else features.matter
    if reading is not None and (matter := reading.other_matter) is not None:
        return Note(NoteCode.NOT_CRIMINAL, f"this is not a criminal matter; it seems to be about: {matter}", matter)
    return None if model.is_familiar(features) else NOT_A_CASE


def _predicted(
    model: ChargePredictor, law: LawTree, features: QueryFeatures, node: int, log_share: float
) -> PredictedCharge:
    place = law[model.ids.node_name(node)]
    probability = model.probability(features, log_share)
    path = tuple(step.id for step in law.path(place))
    return PredictedCharge(
        place.number, round(probability, 4), round(float(np.exp(log_share)), 6), path, probability >= APPLIES
    )


def _walk(model: ChargePredictor, law: LawTree, log_p: LogP) -> tuple[tuple[str, float], ...]:
    """Return likely places of the law with their shares, parents before children, siblings in law order.

    Nodes of the tree that hold documents without a charge are not places of the law and are left out.
    """
    nodes = np.flatnonzero(log_p >= np.log(LIKELY))[1:]  # without the root; NaN is never likely
    order = nodes[np.argsort(model.ids.trie.symbol[nodes], kind="stable")].tolist()
    places = ((model.ids.node_name(node), round(float(np.exp(log_p[node])), 6)) for node in order)
    return tuple((place, share) for place, share in places if place in law)
