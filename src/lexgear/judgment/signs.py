"""Signs in the facts that decide between two easily confused charges, by the distinctions of the charge book."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from lexgear.judgment.expressions import states_all
from lexgear.law.distinctions import Distinction, distinctions

if TYPE_CHECKING:
    from lexgear.judgment.records import PredictedCharge

WEIGHT = 5.0
"""Factor of the odds of the charge whose signs are shown; squared if a necessary sign of the other one is missing.
Chosen on 1,000 cases of several defendants that no model had seen: the mean negative log-likelihood of the listed
charges falls from 1.610 to 1.548, and the first charge is right in .711 instead of .684."""
LEAST = 0.05
"""Probability below which a charge yields nothing."""
FLOOR = 0.05
"""Probability from which a charge starts whose rival lacks a necessary sign. The cases hardly have such pairs: with .02
or .1 their log-likelihood is the same to .003."""
_CLAUSE = re.compile("[^，。；！？\n]+")
MOST = 0.95
"""Probability up to which a new charge takes over."""
TAKEN_OVER = 0.9
"""Part of its probability that a charge yields to a new one whose signs are shown. Models have seen few cases of new
charges, so that their own probability says little."""


def weigh_signs(charges: Iterable[PredictedCharge], text: str, applies: float) -> list[PredictedCharge]:
    """Return the charges with the sum of two easily confused ones shared by the signs in the facts.

    `applies` is the probability from which a charge applies. Charges that were not in force on the date of the act
    yield nothing; a new one whose signs are shown gets the probability that it would have today, and takes it from no
    other.
    """
    listed = {charge.name: charge for charge in charges}
    for one in distinctions():
        winner, lacking = _winner(one, text)
        if winner is None or winner not in listed:
            continue
        takes_over, in_force = one.new and winner == one.charges[0], listed[winner].in_force
        if not (takes_over or in_force):
            continue
        for loser in _losers(one, listed.values()) if takes_over else one.charges:
            if loser == winner or loser not in listed or not listed[loser].in_force:
                continue
            own, other = listed[winner].probability, listed[loser].probability
            if takes_over:
                gained = _taken_over(own, other)
            else:
                gained = _gain(own, other, max(own, FLOOR) * WEIGHT**2 if lacking else own * WEIGHT)
            for name, change in ((winner, gained), (loser, -gained if in_force else 0.0)):
                charge, probability = listed[name], listed[name].probability + change
                valid = charge.in_force and probability >= applies
                listed[name] = replace(charge, probability=round(probability, 4), applies=valid)
    return sorted(listed.values(), key=lambda charge: -charge.probability)


def new_charges(text: str) -> tuple[str, ...]:
    """Return the charges that took over conduct of others when they were created, and whose signs the facts show."""
    return tuple(one.charges[0] for one in distinctions() if one.new and _winner(one, text)[0] == one.charges[0])


def _losers(one: Distinction, charges: Iterable[PredictedCharge]) -> list[str]:
    """Return the charges that yield to a new one: those it took over from, and those that no expression supports."""
    unsupported = (charge.name for charge in charges if not charge.expressions)
    return list(dict.fromkeys((*one.charges, *one.also_from, *unsupported)))


def _winner(one: Distinction, text: str) -> tuple[str | None, bool]:
    """Return the charge that the signs speak for, if it is one alone, and whether the other lacks a necessary sign."""
    first, second = one.charges
    clauses = _CLAUSE.findall(text) if one.one_clause else [text]
    shows = {
        first: any(states_all(clause, one.signs[0]) for clause in clauses),
        second: states_all(text, one.signs[1]),
    }
    if shows[first] == shows[second]:
        return None, False
    winner, loser = (first, second) if shows[first] else (second, first)
    return winner, loser == one.needed


def _taken_over(winner: float, loser: float) -> float:
    """Return the probability that moves to a new charge."""
    return max(0.0, min(TAKEN_OVER * loser, MOST - winner)) if loser >= LEAST else 0.0


def _gain(winner: float, loser: float, weighed: float) -> float:
    """Return the probability that moves to the charge whose signs are shown; `weighed` is its weighed probability."""
    if loser < LEAST:
        return 0.0
    return max(0.0, min((winner + loser) * weighed / (weighed + loser), 1.0) - winner)
