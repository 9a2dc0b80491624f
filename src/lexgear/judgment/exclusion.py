"""Charges that cannot stand together for the same conduct: the less probable one yields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from lexgear.law.charge_book import charge_book

if TYPE_CHECKING:
    from lexgear.judgment.records import PredictedCharge


def exclude_contradictions(charges: Iterable[PredictedCharge], applies: float) -> list[PredictedCharge]:
    """Return the charges, most probable first, so that two that contradict each other have at most 1 together.

    受贿罪 and 非国家工作人员受贿罪 cannot both be very likely, nor 诈骗罪 beside its special form 合同诈骗罪. Charges
    that courts often find beside each other, for separate acts, are left as they are. `applies` is the probability
    from which a charge applies. Charges that were not in force on the date of the act contradict no other.
    """
    kept: list[PredictedCharge] = []
    for charge in sorted(charges, key=lambda charge: -charge.probability):
        others = [other for other in kept if other.in_force and charge.in_force and contradict(other.name, charge.name)]
        rest = min((1 - other.probability for other in others), default=1.0)
        limited = replace(charge, probability=round(rest, 4), applies=rest >= applies)
        kept.append(limited if charge.probability > rest else charge)
    return sorted(kept, key=lambda charge: -charge.probability)


@cache
def contradict(one: str, other: str) -> bool:
    """Return whether the same conduct cannot fulfil both charges, by the charge book.

    >>> contradict("受贿罪", "非国家工作人员受贿罪"), contradict("盗窃罪", "危险驾驶罪")
    (True, False)
    """
    book = charge_book()
    if one not in book or other not in book:
        return False
    entries = (book[one], other), (book[other], one)
    if any(second in entry.special_case_of for entry, second in entries):
        return True
    excluded = any(second in entry.excludes for entry, second in entries)
    return excluded and not any(second in entry.together for entry, second in entries)
