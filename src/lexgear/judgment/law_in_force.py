"""The law in force on the date of the act: charges that did not exist yet, former names and later changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from lexgear.corpus.extraction.act_dates import ActDate, read_act_date, read_latest_date
from lexgear.corpus.field_values import is_date
from lexgear.errors import ErrorCode, InputError
from lexgear.judgment.expressions import states_all
from lexgear.law.amendments import CODE_IN_FORCE, abolished_since, last_change, name_on
from lexgear.law.charge_book import ChargeBookEntry, charge_book
from lexgear.law.tree import LawNode, LawTree

if TYPE_CHECKING:
    from lexgear.judgment.records import PredictedCharge


class RemarkCode(StrEnum):
    """Change of a charge between the act and today. Callers translate the code, never the text."""

    NOT_YET_IN_FORCE = "not_yet_in_force"
    NO_LONGER_IN_FORCE = "no_longer_in_force"
    BEFORE_THE_CODE = "before_the_code"
    """The act is older than the code; the charge book does not know the law before it."""
    CHANGED_SINCE = "changed_since"
    """The article of the charge changed after the act."""


_TEXTS = {
    RemarkCode.NOT_YET_IN_FORCE: "since {date}, {act}",
    RemarkCode.NO_LONGER_IN_FORCE: "until {date}, {act}",
    RemarkCode.BEFORE_THE_CODE: "the act is older than the code, in force since {date}, {act}",
    RemarkCode.CHANGED_SINCE: "changed on {date}, {act}",
}


@dataclass(frozen=True, slots=True)
class Remark:
    """Remark on a charge: a code with parameters for programs, and an English text."""

    code: RemarkCode
    day: date
    """Day from which the charge is in force or changed, or until which it was in force."""
    act: str
    """Act that created or last changed the charge; the code, if the act is not known."""

    @property
    def parameters(self) -> Mapping[str, str]:
        """Values that a translation of the code needs."""
        return {"date": self.day.isoformat(), "act": self.act}

    @property
    def excludes(self) -> bool:
        """True if the charge cannot apply."""
        return self.code in (RemarkCode.NOT_YET_IN_FORCE, RemarkCode.NO_LONGER_IN_FORCE)

    def to_row(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        text = _TEXTS[self.code].format_map(self.parameters)
        return {"code": self.code.value, "text": text, "parameters": dict(self.parameters)}


def date_of_act(text: str, given: date | str | None) -> ActDate | None:
    """Return the date of the act as given, otherwise as read from the facts; None if they date no act.

    Facts that only date a step of the proceedings, such as an arrest, tell the last possible day.
    """
    if given is None:
        return read_act_date(text) or read_latest_date(text)
    if not isinstance(given, date) and not is_date(given):
        problem = f"{given!r} is not a date"
        raise InputError(problem, code=ErrorCode.INVALID_ARGUMENT, remedy="write it as YYYY-MM-DD", date=str(given))
    return ActDate(given if isinstance(given, date) else date.fromisoformat(given))


def apply_law_in_force(
    charges: Iterable[PredictedCharge], law: LawTree, act_date: ActDate | None, applies: float, text: str = ""
) -> list[PredictedCharge]:
    """Return the charges as of the date of the act: what was not in force then does not apply.

    Before a special charge existed, the general one covered its conduct (妨害公务罪 for 袭警罪) and gets its
    probability in addition to its own. If the facts are those of a charge that was abolished since, the charge that
    covers them today has the name of that one. `applies` is the probability from which a charge applies. Without a
    date, the charges are returned as they are.
    """
    if act_date is None:
        return list(charges)
    then = [_as_of(charge, [law[step] for step in charge.path], act_date.day, text) for charge in charges]
    added: dict[str, float] = {}
    for charge in then:
        if not charge.in_force and len(general := _general_charges(charge.name)) == 1:
            added[general[0]] = added.get(general[0], 0.0) + charge.probability
    return [
        _with_probability(charge, charge.probability + added[charge.name], applies)
        if charge.in_force and charge.name in added
        else charge
        for charge in then
    ]


def _general_charges(name: str) -> tuple[str, ...]:
    entry = charge_book().get(name)
    return entry.special_case_of if entry else ()


def _with_probability(charge: PredictedCharge, probability: float, applies: float) -> PredictedCharge:
    return replace(charge, probability=round(min(1.0, probability), 4), applies=probability >= applies)


def _as_of(charge: PredictedCharge, path: list[LawNode], day: date, text: str) -> PredictedCharge:
    entry = charge_book().get(charge.name)
    remark = _outside_its_time(path, day) or (_remark(charge.name, entry, path, day) if entry else None)
    if remark is not None and remark.excludes:
        return replace(charge, applies=False, remark=remark)
    name = name_on(charge.name, max(day, CODE_IN_FORCE)) if entry else charge.name
    for former in abolished_since(charge.name, day):
        if states_all(text, former.shown_by):
            name = former.name
    return replace(charge, remark=remark, name_then="" if name == charge.name else name)


def _outside_its_time(path: list[LawNode], day: date) -> Remark | None:
    """Return the remark on a charge if a node of its path records dates and was not in force."""
    code = path[0].title or path[0].number
    for node in path:
        if node.in_force_from is not None and day < node.in_force_from:
            return Remark(RemarkCode.NOT_YET_IN_FORCE, node.in_force_from, code)
        if node.in_force_until is not None and day > node.in_force_until:
            return Remark(RemarkCode.NO_LONGER_IN_FORCE, node.in_force_until, code)
    return None


def _remark(name: str, entry: ChargeBookEntry, path: list[LawNode], day: date) -> Remark | None:
    if day < entry.in_force_from:
        older = entry.in_force_from == CODE_IN_FORCE
        code = RemarkCode.BEFORE_THE_CODE if older else RemarkCode.NOT_YET_IN_FORCE
        return Remark(code, entry.in_force_from, entry.enacted_by)
    # A charge that lives on under a later name still applies.
    if entry.in_force_until is not None and day > entry.in_force_until and name_on(name, day) == name:
        return Remark(RemarkCode.NO_LONGER_IN_FORCE, entry.in_force_until, entry.enacted_by)
    changes = [change for node in path if node.kind == "article" and (change := last_change(node.number, day))]
    return Remark(RemarkCode.CHANGED_SINCE, changes[-1].in_force_from, changes[-1].name) if changes else None
