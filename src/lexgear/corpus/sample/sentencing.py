"""Sentences in a sensible relation to the case, and how a Chinese judgment writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexgear.corpus.extraction.penalties import heaviest
from lexgear.corpus.records import Penalty
from lexgear.corpus.sample.case_plan import Case
from lexgear.corpus.sample.seeded_random import SeededRandom
from lexgear.corpus.sample.templates import Charge, Degree, charges
from lexgear.law.numerals import chinese_numeral


def length(months: int) -> str:
    """A term: `一年六个月`, `五个月`."""
    years, rest = divmod(months, 12)
    return (f"{chinese_numeral(years)}年" if years else "") + (f"{chinese_numeral(rest)}个月" if rest else "")


def describe(penalty: Penalty) -> str:
    """The sentence as the verdict writes it, without the word 判处."""
    months = length(penalty.months or 0)
    main = {
        "death-suspended": "死刑，缓期二年执行，剥夺政治权利终身",
        "life": "无期徒刑，剥夺政治权利终身",
        "imprisonment": f"有期徒刑{months}",
        "detention": f"拘役{months}",
        "control": f"管制{months}",
        "fine": "",
    }[penalty.kind]
    if penalty.probation_months:
        main += f"，缓刑{length(penalty.probation_months)}"
    if penalty.fine is None:
        return main
    fine = f"罚金人民币{chinese_numeral(penalty.fine)}元"
    return f"{main}，并处{fine}" if main else fine


def sentence_for(rng: SeededRandom, case: Case, charge: Charge, degree: Degree, *, accomplice: bool) -> Penalty:
    """The sentence on one charge."""
    low, high = degree.months
    lean = 0.5 + 0.4 * (rng.unit() - 0.5) + _leaning(case, accomplice)
    lean = min(max(lean, 0.0), 1.0)
    fine = None
    if degree.fine is not None:
        yuan = degree.fine[0] + lean * (degree.fine[1] - degree.fine[0])
        fine = _round_money(yuan * 0.6 if accomplice else yuan)
    grave = rng.unit() * (2 if case.surrender == "surrender" or case.repair == "full" else 1)
    if not accomplice and grave < degree.death:
        return Penalty("death-suspended", fine=fine)
    if not accomplice and grave < degree.death + degree.life:
        return Penalty("life", fine=fine)
    months = low + lean * (high - low)
    repeat = case.prior == "repeat" and not accomplice
    light = lean < 0.2 and degree is charge.degrees[0] and len(case.counts) == 1 and not repeat
    if light and charge.fine_alone and fine is not None and rng.chance(0.4):
        return Penalty("fine", fine=fine)
    if light and charge.control and rng.chance(0.5):
        return Penalty("control", rng.whole(4, 12), fine=fine)
    term = _round_term(months * 0.65 if accomplice else months)
    if term < 6 and (low >= 6 or (repeat and high >= 6)):
        term = 6
    return Penalty("imprisonment" if term >= 6 else "detention", term, fine=fine)


def _leaning(case: Case, accomplice: bool) -> float:
    surrender = {"surrender": -0.25, "caught": -0.05, "deny": 0.15}[case.surrender]
    repair = {"full": -0.2, "partial": -0.05, "none": 0.1}[case.repair]
    return surrender + repair + (0.3 if case.prior == "repeat" and not accomplice else 0.0)


def executed(penalties: Sequence[Penalty]) -> Penalty:
    """What is carried out for several charges together: more than the longest term, less than the sum."""
    fines = [penalty.fine for penalty in penalties if penalty.fine is not None]
    fine = sum(fines) if fines else None
    worst = heaviest(penalties) or penalties[0]
    same = [penalty.months or 0 for penalty in penalties if penalty.kind == worst.kind]
    if worst.kind not in ("imprisonment", "detention"):
        return replace(worst, fine=fine)
    longest = max(same)
    cap = (240 if sum(same) < 420 else 300) if worst.kind == "imprisonment" else 12
    joined = longest + 0.6 * (sum(same) - longest)
    return replace(worst, months=min(cap, _round_term(joined)), fine=fine)


def suspended(rng: SeededRandom, case: Case, penalty: Penalty, *, accomplice: bool) -> Penalty:
    """The same sentence on probation, where the law allows it and the circumstances speak for it."""
    months = penalty.months or 0
    repairable = any(charges()[count.charge].repair != "none" for count in case.counts)
    repentant = case.surrender != "deny" and (case.repair != "none" or not repairable)
    first = case.prior == "none" or accomplice
    if penalty.kind not in ("imprisonment", "detention") or months > 36 or not (repentant and first):
        return penalty
    if not rng.chance(0.65):
        return penalty
    if penalty.kind == "detention":
        return replace(penalty, probation_months=max(2, months + rng.whole(0, 3)))
    return replace(penalty, probation_months=min(60, max(12, -(-months // 6) * 6 + 6 * rng.whole(0, 2))))


def _round_term(months: float) -> int:
    """Whole months; quarters of a year above three years."""
    return max(1, round(months)) if months <= 36 else round(months / 3) * 3


def _round_money(yuan: float) -> int:
    step = 1000 if yuan < 50_000 else 5000
    return max(1000, int(yuan / step) * step)
