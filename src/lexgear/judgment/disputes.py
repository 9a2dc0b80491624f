"""Disputed pairs: what distinguishes two possible charges, and what in the facts speaks for either."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lexgear.judgment.exclusion import contradict
from lexgear.judgment.expressions import EXPRESSION, first_stated
from lexgear.judgment.grades import Grade
from lexgear.law.distinctions import LANGUAGES, difference, distinction
from lexgear.rationale.records import Part

if TYPE_CHECKING:
    from lexgear.judgment.records import PredictedCharge

MAX_DISPUTES = 3


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two possible charges that are easily confused or compete for the same conduct."""

    charges: tuple[str, str]
    """The more probable one first."""
    reasons: tuple[tuple[Part, ...], ...]
    """Words of the facts that speak for the one and not for the other, in their order."""

    def text(self, language: str) -> str:
        """Return the sentence on what distinguishes the charges."""
        return difference(*self.charges, language)

    def to_row(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "charges": list(self.charges),
            "text": self.text("en"),
            "texts": {language: self.text(language) for language in LANGUAGES},
            "reasons": {
                charge: [part._asdict() for part in parts]
                for charge, parts in zip(self.charges, self.reasons, strict=True)
            },
        }


def find_disputes(charges: Sequence[PredictedCharge], text: str) -> tuple[Dispute, ...]:
    """Return the disputed pairs among the charges that are at least possible, most probable first."""
    possible = [charge for charge in charges if charge.grade not in (None, Grade.UNLIKELY)]
    found = (_dispute(one, other, text) for one, other in combinations(possible, 2) if _disputed(one.name, other.name))
    telling = [one for one in found if one.charges[0] == possible[0].name or any(one.reasons)]
    return tuple(telling[:MAX_DISPUTES])


def _disputed(one: str, other: str) -> bool:
    return distinction(one, other) is not None or contradict(one, other)


def _dispute(one: PredictedCharge, other: PredictedCharge, text: str) -> Dispute:
    found = [
        {part.text: part for part in (*_signs(charge.name, rival.name, text), *charge.expressions)}
        for charge, rival in ((one, other), (other, one))
    ]
    first, second = (
        _in_order(part for word, part in own.items() if word not in shared)
        for own, shared in ((found[0], found[1]), (found[1], found[0]))
    )
    return Dispute((one.name, other.name), (first, second))


def _signs(charge: str, rival: str, text: str) -> Iterator[Part]:
    """Yield the signs of a charge against its rival that the facts state."""
    known = distinction(charge, rival)
    groups = known.signs[known.charges.index(charge)] if known else ()
    for word in (word for group in groups for word in group):
        if (start := first_stated(text, word)) is not None:
            yield Part(EXPRESSION, word, start, start + len(word), 1.0, charge)


def _in_order(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return the parts in the order of the text, without those inside longer ones."""
    kept: list[Part] = []
    for part in sorted(parts, key=lambda part: (part.start, -part.end)):
        if not kept or part.start >= kept[-1].end:
            kept.append(part)
    return tuple(kept)
