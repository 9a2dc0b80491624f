"""Draws the circumstances of every case: queries first, then documents, some of them near a query by design."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lexgear.corpus.sample.cases_data import Charge, charges, phrases
from lexgear.corpus.sample.cases_random import Dice

SEED = "sample-zh"
DOCUMENTS, SEVERAL_CHARGES = 1200, 240
QUERIES, QUERIES_SEVERAL, TEST_QUERIES = 120, 24, 40


@dataclass(frozen=True, slots=True)
class Count:
    """One charge of a case with the circumstances of the act."""

    charge: str
    means: str
    scene: str
    degree: int


@dataclass(frozen=True, slots=True)
class Case:
    """The circumstances of one case; the text is written from them and relevance is read off them."""

    counts: tuple[Count, ...]
    role: str
    surrender: str
    repair: str
    prior: str


def plan() -> tuple[list[Case], list[Case]]:
    """The documents and the queries."""
    dice = Dice(SEED)
    queries = _query_cases(dice)
    documents = [near for query in queries for near in _neighbours(dice, query)]
    missing = SEVERAL_CHARGES - sum(len(case.counts) > 1 for case in documents)
    documents += [_draw(dice, _combination(dice)) for _ in range(missing)]
    names = list(charges())
    weights = [2 + charges()[name].weight for name in names]
    while len(documents) < DOCUMENTS:
        documents.append(_draw(dice, (dice.pick(names, weights),)))
    return dice.shuffled(documents), queries


def splits() -> list[str]:
    """`train` or `test` for each query: one of the two queries on a charge at most is kept for the test."""
    dice = Dice(f"{SEED}/split")
    single, several = QUERIES - QUERIES_SEVERAL, QUERIES_SEVERAL
    kinds = len(charges())
    several_tested = TEST_QUERIES * several // QUERIES
    tested = set(dice.shuffled(range(kinds))[: TEST_QUERIES - several_tested])
    tested |= {single + position for position in dice.shuffled(range(several))[:several_tested]}
    return ["test" if position in tested else "train" for position in range(QUERIES)]


def _query_cases(dice: Dice) -> list[Case]:
    names = list(charges())
    single = QUERIES - QUERIES_SEVERAL
    more = [names[position % len(names)] for position in range(single - len(names))]
    pairs = phrases()["combinations"]["pairs"]
    several = dice.shuffled(pairs)[: QUERIES_SEVERAL - 2] + phrases()["combinations"]["triples"][:2]
    asked = [(name,) for name in [*names, *more]] + [tuple(row) for row in several]
    return [_draw(dice, row) for row in asked]


def _combination(dice: Dice) -> tuple[str, ...]:
    table = phrases()["combinations"]
    return tuple(dice.pick(table["triples"] if dice.chance(0.15) else table["pairs"]))


def _draw(dice: Dice, names: tuple[str, ...]) -> Case:
    return _settle(
        Case(
            tuple(_count(dice, charges()[name]) for name in names),
            role=dice.pick(("alone", "lead", "others"), (5, 3, 2)),
            surrender=dice.pick(("surrender", "caught", "deny"), (4, 5, 1)),
            repair=dice.pick(("full", "partial", "none"), (4, 3, 3)),
            prior=dice.pick(("none", "repeat"), (8, 2)),
        )
    )


def _count(dice: Dice, charge: Charge) -> Count:
    degree = dice.pick(range(len(charge.degrees)), (5, 3, 2)[: len(charge.degrees)])
    return Count(charge.name, dice.pick(list(charge.means)), dice.pick(list(charge.scenes)), degree)


def _settle(case: Case) -> Case:
    """Takes out what cannot be: an accomplice to drunk driving, an official with a record, amends by who denies."""
    found = [charges()[count.charge] for count in case.counts]
    if any(charge.solo for charge in found):
        case = replace(case, role="alone")
    if all(charge.repair == "none" for charge in found):
        case = replace(case, repair="none")
    if any(charge.negligent or charge.family == "corruption" for charge in found):
        case = replace(case, prior="none")
    if case.surrender == "deny":
        case = replace(case, repair="none")
    case = replace(case, counts=_same_scene(case.counts))
    gravest = max(charges()[count.charge].degrees[count.degree].months[1] for count in case.counts)
    return case if gravest > 6 else replace(case, prior="none")


def _same_scene(counts: tuple[Count, ...]) -> tuple[Count, ...]:
    """Charges of one family in one case share the scene where they can: one official holds one post."""
    scenes: dict[str, str] = {}
    settled = []
    for count in counts:
        charge = charges()[count.charge]
        scene = scenes.setdefault(charge.family, count.scene)
        settled.append(replace(count, scene=scene) if scene in charge.scenes else count)
    return tuple(settled)


def _neighbours(dice: Dice, query: Case) -> list[Case]:
    """Two cases with the same acts, one that differs in one respect, one of a sibling charge in the same scene."""
    near = [_vary(dice, query, query.counts) for _ in range(2)]
    changed = tuple(_one_change(dice, count) for count in query.counts)
    return [*near, _vary(dice, query, changed), _vary(dice, query, (_sibling(dice, query),))]


def _vary(dice: Dice, query: Case, counts: tuple[Count, ...]) -> Case:
    other = _draw(dice, tuple(count.charge for count in counts))
    person = {
        name: getattr(query if name == "role" or dice.chance(0.6) else other, name)
        for name in ("role", "surrender", "repair", "prior")
    }
    return _settle(Case(counts, **person))


def _one_change(dice: Dice, count: Count) -> Count:
    other = _count(dice, charges()[count.charge])
    if dice.chance(0.5):
        return replace(count, scene=other.scene)
    return replace(count, degree=other.degree)


def _sibling(dice: Dice, query: Case) -> Count:
    """The act of a sibling charge that looks most like one of the query's."""
    count = dice.pick(query.counts)
    charge = charges()[count.charge]
    kin = charge.means[count.means].kin
    siblings = [
        (other, key)
        for other in charges().values()
        for key, means in other.means.items()
        if other.family == charge.family and other is not charge and means.kin == kin
    ]
    if not siblings:
        others = [other for other in charges().values() if other.family == charge.family and other is not charge]
        siblings = [(other, key) for other in others for key in other.means]
    other, key = dice.pick(siblings)
    scene = count.scene if count.scene in other.scenes else dice.pick(list(other.scenes))
    degree = min(count.degree, len(other.degrees) - 1)
    return Count(other.name, key, scene, degree)
