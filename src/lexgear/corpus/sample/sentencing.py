"""Plausible penalties for cases, and their wording in a Chinese judgment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lexgear.corpus.extraction.penalties import heaviest
from lexgear.corpus.records import Penalty
from lexgear.corpus.sample.case_plan import Case
from lexgear.corpus.sample.seeded_random import SeededRandom
from lexgear.corpus.sample.templates import Charge, Degree, charges
from lexgear.law.numerals import chinese_numeral


def term_text(months: int) -> str:
    """Return the wording of a term: `一年六个月`, `五个月`."""
    years, rest = divmod(months, 12)
    return (f"{chinese_numeral(years)}年" if years else "") + (f"{chinese_numeral(rest)}个月" if rest else "")


def penalty_text(penalty: Penalty) -> str:
    """Return the wording of a penalty in a verdict, without the word 判处."""
    months = term_text(penalty.months or 0)
    main = {
        "death-suspended": "死刑，缓期二年执行，剥夺政治权利终身",
        "life": "无期徒刑，剥夺政治权利终身",
        "imprisonment": f"有期徒刑{months}",
        "detention": f"拘役{months}",
        "control": f"管制{months}",
        "fine": "",
    }[penalty.kind]
    if penalty.probation_months:
        main += f"，缓刑{term_text(penalty.probation_months)}"
    if penalty.fine is None:
        return main
    fine = f"罚金人民币{chinese_numeral(penalty.fine)}元"
    return f"{main}，并处{fine}" if main else fine


def sentence_for(rng: SeededRandom, case: Case, charge: Charge, degree: Degree, *, accomplice: bool) -> Penalty:
    """Return the penalty for one charge."""
    low, high = degree.months
    severity = 0.5 + 0.4 * (rng.unit() - 0.5) + _severity_shift(case, accomplice)
    severity = min(max(severity, 0.0), 1.0)
    fine = None
    if degree.fine is not None:
        yuan = degree.fine[0] + severity * (degree.fine[1] - degree.fine[0])
        fine = _round_money(yuan * 0.6 if accomplice else yuan)
    grave = rng.unit() * (2 if case.surrender == "surrender" or case.repair == "full" else 1)
    if not accomplice and grave < degree.death:
        return Penalty("death-suspended", fine=fine)
    if not accomplice and grave < degree.death + degree.life:
        return Penalty("life", fine=fine)
    months = low + severity * (high - low)
    repeat = case.prior == "repeat" and not accomplice
    light = severity < 0.2 and degree is charge.degrees[0] and len(case.counts) == 1 and not repeat
    if light and charge.fine_alone and fine is not None and rng.chance(0.4):
        return Penalty("fine", fine=fine)
    if light and charge.control and rng.chance(0.5):
        return Penalty("control", rng.whole(4, 12), fine=fine)
    term = _round_term(months * 0.65 if accomplice else months)
    if term < 6 and (low >= 6 or (repeat and high >= 6)):
        term = 6
    return Penalty("imprisonment" if term >= 6 else "detention", term, fine=fine)


def _severity_shift(case: Case, accomplice: bool) -> float:
    surrender = {"surrender": -0.25, "caught": -0.05, "deny": 0.15}[case.surrender]
    repair = {"full": -0.2, "partial": -0.05, "none": 0.1}[case.repair]
    return surrender + repair + (0.3 if case.prior == "repeat" and not accomplice else 0.0)


def combined_penalty(penalties: Sequence[Penalty]) -> Penalty:
    """Return the combined penalty for several charges: more than the longest term, less than the sum."""
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


def with_probation(rng: SeededRandom, case: Case, penalty: Penalty, *, accomplice: bool) -> Penalty:
    """Return the penalty, suspended on probation if the law allows it and the circumstances favour it."""
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
    """Round to whole months, or to quarters of a year above three years."""
    return max(1, round(months)) if months <= 36 else round(months / 3) * 3


def _round_money(yuan: float) -> int:
    step = 1000 if yuan < 50_000 else 5000
    return max(1000, int(yuan / step) * step)
