"""Thresholds of the charge book, checked if the facts state the number: 4.3 g of heroin are not 10 g."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from lexgear.corpus.extraction.act_dates import ActDate
from lexgear.corpus.extraction.factors.factor import Factor
from lexgear.corpus.extraction.factors.find import find_query_factors
from lexgear.judgment.circumstances import CIRCUMSTANCES
from lexgear.law.charge_book import Threshold, charge_book

if TYPE_CHECKING:
    from lexgear.judgment.records import PredictedCharge

LOWERED = 0.09
"""Factor of the probability of a charge whose threshold is not reached: even a certain one becomes unlikely."""
_INJURIES = ("slight_injury", "minor_injury", "serious_injury", "death")
"""Factors of injuries, by grade."""
_INJURY_MEASURES = {"minor_injuries": 1, "serious_injuries": 2, "deaths": 3}
"""Lowest grade, as a place in `_INJURIES`, that counts for a measure."""
_PRICE = re.compile(r"卖|销赃|获利|得款|出售|变现|典当|购|买|罚|赔|退|花|租|佣金|报酬|工资|好处费|提成|定金|首付|欠")
_UNVALUED = re.compile(r"[一二两三四五六七八九十数\d][部辆台条枚只块个件套瓶箱袋头把根副对张架艘桶包]")
_TOTAL = re.compile(r"共计|合计|总计|累计|总额|总价|总金额|共")
_VALUED = re.compile(rf"价值|金额|数额|物品|财物|商品|{_TOTAL.pattern}")
_MONEY = re.compile(
    r"[\d０-９一二三四五六七八九十百千万两][\d０-９,，.．一二三四五六七八九十百千万亿]{0,20}[余多]?[元块]"
)
_YEAR = re.compile(r"〔(\d{4})〕")


class ThresholdCode(StrEnum):
    """Relation of a stated number to a threshold. Callers translate the code, never the text."""

    NOT_REACHED = "not_reached"
    """The number is below a verified threshold, and nothing else makes up for it: the charge becomes unlikely."""
    BELOW_USUAL = "below_usual"
    """The number is below a threshold that is unverified, or other circumstances may make up for it."""
    REGIONAL = "regional"
    """The number lies in the range in which the provinces choose their threshold."""


_TEXTS = {
    ThresholdCode.NOT_REACHED: "the facts state {stated}, below the threshold of {threshold}, {means} ({source})",
    ThresholdCode.BELOW_USUAL: "the facts state {stated}, below the usual threshold of {threshold}, {means} ({source})",
    ThresholdCode.REGIONAL: "the facts state {stated}; the province's threshold is {threshold}, {means} ({source})",
}


@dataclass(frozen=True, slots=True)
class ThresholdRemark:
    """Remark on a charge whose threshold the stated number does not safely reach."""

    code: ThresholdCode
    stated: str
    """Number with its unit, or grade of the injuries, as the text states it."""
    start: int
    """Place of the number in the text."""
    end: int
    threshold: str
    """Threshold with its unit, a range if the provinces choose."""
    means: str
    """Meaning of the threshold, in Chinese."""
    source: str
    verified: bool
    unless: tuple[str, ...]
    """Circumstances that make the number unnecessary, in Chinese."""

    def to_row(self) -> dict[str, Any]:
        """Return plain values for JSON, with an English text."""
        source = self.source if self.verified else f"{self.source}, unverified"
        text = _TEXTS[self.code].format(stated=self.stated, threshold=self.threshold, means=self.means, source=source)
        return {**asdict(self), "code": self.code.value, "text": text}


def check_thresholds(charges: Iterable[PredictedCharge], text: str, act_date: ActDate | None) -> list[PredictedCharge]:
    """Return the charges, most probable first, with remarks on thresholds that stated numbers do not reach.

    A charge whose verified threshold is not reached becomes unlikely.
    """
    factors = find_query_factors(text)
    checked = [_checked(charge, text, factors, act_date) if charge.in_force else charge for charge in charges]
    return sorted(checked, key=lambda charge: -charge.probability)


def _checked(
    charge: PredictedCharge, text: str, factors: Sequence[Factor], act_date: ActDate | None
) -> PredictedCharge:
    remark = threshold_remark(charge.name, text, factors, act_date)
    if remark is not None and remark.code is ThresholdCode.NOT_REACHED:
        lowered = round(charge.probability * LOWERED, 4)
        return replace(charge, threshold=remark, probability=lowered, applies=False)
    return replace(charge, threshold=remark)


def threshold_remark(
    charge: str, text: str, factors: Sequence[Factor], act_date: ActDate | None = None
) -> ThresholdRemark | None:
    """Return the remark on a charge, given the factors of the text; None if no number speaks against it.

    A threshold that is younger than the act excludes nothing.
    """
    entry = charge_book().get(charge)
    thresholds = entry.thresholds if entry else ()
    stated = [(one, factor) for one in thresholds if (factor := _stated(one, text, factors)) is not None]
    below = [(one, factor) for one, factor in stated if not _reaches(one, factor, one.minimum)]
    if below and len(below) == len(stated):
        return _none_reached(below, text, factors, act_date)
    if below:  # a lower threshold for special circumstances is reached
        return _remark(ThresholdCode.BELOW_USUAL, *below[0], text) if stated[0] in below else None
    open_ones = [(one, factor) for one, factor in stated if not _reaches(one, factor, one.maximum or one.minimum)]
    return _remark(ThresholdCode.REGIONAL, *open_ones[0], text) if open_ones else None


def _none_reached(
    below: Sequence[tuple[Threshold, Factor]], text: str, factors: Sequence[Factor], act_date: ActDate | None
) -> ThresholdRemark | None:
    """Return the remark on a charge none of whose stated thresholds is reached; None if something makes up for it."""
    found = {factor.name for factor in factors}
    unless = {name for one, _ in below for name in one.unless}
    if any(name in CIRCUMSTANCES and CIRCUMSTANCES[name].shown(text, found) for name in unless):
        return None
    lowest, _ = min(below, key=lambda pair: pair[0].minimum)
    known = unless <= CIRCUMSTANCES.keys()
    if known and lowest.verified and not _younger(lowest, act_date):
        return _remark(ThresholdCode.NOT_REACHED, *below[0], text)
    if not known and lowest.measure in _INJURY_MEASURES:  # injuries are rarely the only way to fulfil a charge
        return None
    return _remark(ThresholdCode.BELOW_USUAL, *below[0], text)


def _younger(threshold: Threshold, act_date: ActDate | None) -> bool:
    """Return whether the source of a threshold was issued after the act."""
    years = [int(year) for year in _YEAR.findall(threshold.source)]
    return act_date is not None and bool(years) and act_date.day.year < min(years)


def _stated(threshold: Threshold, text: str, factors: Sequence[Factor]) -> Factor | None:
    """Return the factor that states the number of a threshold; None if the text does not say it for sure."""
    if threshold.measure in _INJURY_MEASURES:
        injuries = [factor for factor in factors if factor.name in _INJURIES]
        worst = max(injuries, key=lambda factor: _INJURIES.index(factor.name), default=None)
        # How many persons were injured is not read.
        many = worst is not None and threshold.minimum > 1 and _reaches(threshold, worst, 1)
        return None if many else worst
    if threshold.measure == "grams":
        drugs = [factor for factor in factors if factor.name == "drugs"]
        return drugs[0] if len(drugs) == 1 and drugs[0].kind in threshold.means else None
    if threshold.measure == "alcohol":
        return next((factor for factor in factors if factor.name == "alcohol"), None)
    if threshold.measure == "amount":
        return next((factor for factor in factors if factor.name == "amount" and _whole_value(text, factor)), None)
    return None


def _whole_value(text: str, amount: Factor) -> bool:
    """Return whether an amount is the value of all that was taken, not a price or one of several things."""
    start = max(text.rfind(sign, 0, amount.start) for sign in "，。；") + 1
    clause = text[start : amount.start]
    end = min((place for sign in "，。；" if (place := text.find(sign, amount.end)) >= 0), default=len(text))
    if _PRICE.search(clause) or _PRICE.search(text, amount.end, end):
        return False
    others = [match for match in _MONEY.finditer(text) if match.end() <= amount.start or match.start() >= amount.end]
    if others and not _TOTAL.search(clause):
        return False
    return _VALUED.search(clause) is not None or _UNVALUED.search(text) is None


def _reaches(threshold: Threshold, factor: Factor, minimum: float) -> bool:
    if threshold.measure in _INJURY_MEASURES:
        return _INJURIES.index(factor.name) >= _INJURY_MEASURES[threshold.measure]
    return factor.value is not None and factor.value >= minimum


def _remark(code: ThresholdCode, threshold: Threshold, factor: Factor, text: str) -> ThresholdRemark:
    upper = "" if threshold.maximum is None else f"–{threshold.maximum:,.10g}"
    unit = threshold.unit
    return ThresholdRemark(
        code=code,
        stated=text[factor.start : factor.end] if factor.value is None else f"{factor.value:,.10g} {unit}",
        start=factor.start,
        end=factor.end,
        threshold=f"{threshold.minimum:,.10g}{upper} {unit}",
        means=threshold.means,
        source=threshold.source,
        verified=threshold.verified,
        unless=threshold.unless,
    )
