"""Records of a judgment: its charges with articles, probabilities and supporting sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from lexgear.corpus.extraction.act_dates import ActDate
from lexgear.judgment.disputes import Dispute
from lexgear.judgment.grades import Grade, grade_of
from lexgear.judgment.law_in_force import Remark
from lexgear.judgment.notes import Note
from lexgear.judgment.thresholds import ThresholdRemark
from lexgear.law.amendments import name_on
from lexgear.rationale.records import Part, Rationale, rationale_rows


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
