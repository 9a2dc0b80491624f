"""The judgment on a text: its charges with articles, probabilities and supporting sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any

import numpy as np

from lexgear.corpus.extraction.act_dates import ActDate
from lexgear.judgment.disputes import Dispute, find_disputes
from lexgear.judgment.expressions import expressions_in
from lexgear.judgment.grades import APPLIES, Grade, grade_of
from lexgear.judgment.law_in_force import Remark, RemarkCode, date_of_act
from lexgear.judgment.settling import settle
from lexgear.judgment.signs import LEAST, new_charges
from lexgear.judgment.thresholds import LOWERED, ThresholdCode, ThresholdRemark
from lexgear.law.amendments import name_on
from lexgear.law.distinctions import easily_confused
from lexgear.law.tree import LawTree
from lexgear.privacy.masking import Masked
from lexgear.privacy.neutral import Neutraliser
from lexgear.rankers.charge_predictor import ChargePredictor
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.inference import MIN_WORDS
from lexgear.rationale.records import Part, Rationale, parts_in_original, rationale_rows
from lexgear.search.scorer import LogP

MAX_CHARGES = 10
_PROCEDURE = frozenset(("被告人", "嫌疑人", "犯罪嫌疑人", "公诉机关"))
"""Words that only criminal proceedings use: a text with one of them is a criminal matter."""
LIKELY = 0.01
"""Share from which a place of the law is listed in the walk."""


class NoteCode(StrEnum):
    """Reasons for a note on a judgment. Callers test and translate the code, never the text."""

    TOO_SHORT = "too_short"
    NOT_CRIMINAL = "not_criminal"
    """The text is about another matter, such as a debt or a divorce."""
    NOT_A_CASE = "not_a_case"
    """The text does not read like the facts of a case."""
    NO_PROBABLE_CHARGE = "no_probable_charge"
    """No charge reaches the threshold."""
    NO_CHARGES_IN_LAW = "no_charges_in_law"
    """The law has articles but no charges."""
    NOT_IN_FORCE = "not_in_force"
    """The probable charges were not in force on the date of the act."""
    BELOW_THRESHOLD = "below_threshold"
    """The facts state a number that does not reach the threshold of the most probable charge."""
    BEFORE_THE_CODE = "before_the_code"
    """The act is older than the code."""
    LAW_CHANGED = "law_changed"
    """The law on a charge that applies changed after the act."""


@dataclass(frozen=True, slots=True)
class Note:
    """Remark on a judgment: a code for programs and an English sentence for people."""

    code: NoteCode
    text: str
    matter: str = ""
    """Kind of matter of a text that is no criminal matter, such as `debt`."""


TOO_SHORT = Note(NoteCode.TOO_SHORT, "too little text to judge: describe what happened")
NOT_A_CASE = Note(NoteCode.NOT_A_CASE, "this does not read like the facts of a case")
NO_PROBABLE_CHARGE = Note(
    NoteCode.NO_PROBABLE_CHARGE, "no charge is probable enough to be named; the most probable ones are listed"
)
NO_CHARGES_IN_LAW = Note(
    NoteCode.NO_CHARGES_IN_LAW, "this law has no charges; the most probable places in it are listed"
)
NOT_IN_FORCE = Note(
    NoteCode.NOT_IN_FORCE,
    "the probable charges were not in force on the date of the act: the law of that time applies, unless it also made "
    "the act a crime and the new law is more lenient (从旧兼从轻)",
)
BELOW_THRESHOLD = Note(
    NoteCode.BELOW_THRESHOLD,
    "the facts state a number below the threshold of the charge that they resemble: it may be no more than an "
    "administrative offence",
)
BEFORE_THE_CODE = Note(
    NoteCode.BEFORE_THE_CODE,
    "the act is older than the code of 1997: the law of that time applies, unless the new law is more lenient "
    "(从旧兼从轻)",
)
LAW_CHANGED = Note(
    NoteCode.LAW_CHANGED,
    "the law changed after the act: the law of that time applies, unless the new law is more lenient (从旧兼从轻)",
)


@dataclass(frozen=True, slots=True)
class PredictedCharge:
    """A charge with its share of the tree's mass and the probability that it applies."""

    name: str
    probability: float
    share: float
    path: tuple[str, ...]
    """Law node ids from the code down to the charge."""
    applies: bool
    rationale: tuple[Part, ...] = ()
    """Sentences that support this charge more than the others listed; if it applies, at least the strongest one.
    Their score is a cosine; without an index, it is the probability of the charge given this sentence alone. Empty for
    unlikely charges."""
    expressions: tuple[Part, ...] = ()
    """Expressions of the charge book that the facts use, in their order. Empty for unlikely charges."""
    name_then: str = ""
    """Name on the date of the act, if it was another one."""
    remark: Remark | None = None
    """Change of the charge between the act and today, if there was one."""
    threshold: ThresholdRemark | None = None
    """Threshold that a number in the facts does not safely reach, if there is one."""

    @property
    def grade(self) -> Grade | None:
        """Word for the probability; None if the charge was not in force on the date of the act."""
        return grade_of(self.probability) if self.in_force else None

    @property
    def name_now(self) -> str:
        """Name today, if the charge has been renamed or merged since; empty otherwise."""
        name = name_on(self.name, date.max)
        return "" if name == self.name else name

    @property
    def in_force(self) -> bool:
        """False if the charge was not in force on the date of the act."""
        return self.remark is None or not self.remark.excludes

    def to_row(self) -> dict[str, Any]:
        """Return plain values for JSON; `name_then`, `name_now`, `remark` and `threshold` only if there are any."""
        names = ("name", "probability", "grade", "share", "path", "applies")
        row = {
            **{name: getattr(self, name) for name in names},
            "rationale": [part._asdict() for part in self.rationale],
            "expressions": [part._asdict() for part in self.expressions],
        }
        if self.name_then:
            row["name_then"] = self.name_then
        if self.name_now:
            row["name_now"] = self.name_now
        if self.remark is not None:
            row["remark"] = self.remark.to_row()
        if self.threshold is not None:
            row["threshold"] = self.threshold.to_row()
        return row


@dataclass(frozen=True, slots=True, repr=False)
class Judgment:
    """Judgment on a text: its charges, most probable first, and a note if there is a reservation."""

    charges: tuple[PredictedCharge, ...]
    articles: tuple[str, ...]
    """Numbers of the articles of the charges that apply."""
    rationale: Rationale
    """Everything f_R extracts from the text."""
    note: Note | None = None
    walk: tuple[tuple[str, float], ...] = ()
    """Law nodes with a share of 1% or more of the tree's mass, in law order, each with its share."""
    act_date: ActDate | None = None
    """Date of the act, as given or as read from the text."""
    disputes: tuple[Dispute, ...] = ()
    """Possible charges that are easily confused, with what speaks for either."""

    def __repr__(self) -> str:
        charges = ", ".join(f"{charge.name} {charge.probability:.2f}" for charge in self.charges)
        note = f", note={self.note.code.value}" if self.note else ""
        return f"Judgment(charges=[{charges}], articles={list(self.articles)}{note})"

    def to_row(self) -> dict[str, Any]:
        """Return plain values for JSON; `act_date` and `disputes` only if there are any."""
        row = {
            "charges": [charge.to_row() for charge in self.charges],
            "articles": self.articles,
            "rationale": rationale_rows(self.rationale),
            "note": None if self.note is None else {name: value for name, value in asdict(self.note).items() if value},
            "walk": [{"place": place, "share": share} for place, share in self.walk],
        }
        if self.act_date is not None:
            row["act_date"] = self.act_date.to_row()
        return row | ({"disputes": [dispute.to_row() for dispute in self.disputes]} if self.disputes else {})


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
    if (note := _refusal(model, features)) is not None:
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


def _would_apply(charge: PredictedCharge) -> bool:
    """Return whether a charge applied but for its threshold."""
    below = charge.threshold is not None and charge.threshold.code is ThresholdCode.NOT_REACHED
    return below and charge.probability >= LOWERED * APPLIES


def _refusal(model: ChargePredictor, features: QueryFeatures) -> Note | None:
    """Return the reason why a text cannot be judged, or None if it can."""
    if len(features.words) < MIN_WORDS:
        return TOO_SHORT
    tried = not _PROCEDURE.isdisjoint(features.words)
    reading = None if tried else features.matter
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
