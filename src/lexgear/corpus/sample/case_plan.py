"""Random circumstances of all cases: queries first, then documents, some of them close to a query by design."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lexgear.corpus.sample.seeded_random import SeededRandom
from lexgear.corpus.sample.templates import Charge, charges, phrases

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
    """The circumstances of one case, from which its text and its relevance are derived."""

    counts: tuple[Count, ...]
    role: str
    surrender: str
    repair: str
    prior: str


def plan() -> tuple[list[Case], list[Case]]:
    """Return the cases of the documents and of the queries."""
    rng = SeededRandom(SEED)
    queries = _query_cases(rng)
    documents = [near for query in queries for near in _neighbours(rng, query)]
    missing = SEVERAL_CHARGES - sum(len(case.counts) > 1 for case in documents)
    documents += [_draw(rng, _combination(rng)) for _ in range(missing)]
    names = list(charges())
    weights = [2 + charges()[name].weight for name in names]
    while len(documents) < DOCUMENTS:
        documents.append(_draw(rng, (rng.pick(names, weights),)))
    return rng.shuffled(documents), queries


def splits() -> list[str]:
    """Return `train` or `test` for each query; at most one of the two queries on a charge is for testing."""
    rng = SeededRandom(f"{SEED}/split")
    single, several = QUERIES - QUERIES_SEVERAL, QUERIES_SEVERAL
    kinds = len(charges())
    several_tested = TEST_QUERIES * several // QUERIES
    tested = set(rng.shuffled(range(kinds))[: TEST_QUERIES - several_tested])
    tested |= {single + position for position in rng.shuffled(range(several))[:several_tested]}
    return ["test" if position in tested else "train" for position in range(QUERIES)]


def _query_cases(rng: SeededRandom) -> list[Case]:
    names = list(charges())
    single = QUERIES - QUERIES_SEVERAL
    more = [names[position % len(names)] for position in range(single - len(names))]
    pairs = phrases()["combinations"]["pairs"]
    several = rng.shuffled(pairs)[: QUERIES_SEVERAL - 2] + phrases()["combinations"]["triples"][:2]
    asked = [(name,) for name in [*names, *more]] + [tuple(row) for row in several]
    return [_draw(rng, row) for row in asked]


def _combination(rng: SeededRandom) -> tuple[str, ...]:
    table = phrases()["combinations"]
    return tuple(rng.pick(table["triples"] if rng.chance(0.15) else table["pairs"]))


def _draw(rng: SeededRandom, names: tuple[str, ...]) -> Case:
    return _make_consistent(
        Case(
            tuple(_count(rng, charges()[name]) for name in names),
            role=rng.pick(("alone", "lead", "others"), (5, 3, 2)),
            surrender=rng.pick(("surrender", "caught", "deny"), (4, 5, 1)),
            repair=rng.pick(("full", "partial", "none"), (4, 3, 3)),
            prior=rng.pick(("none", "repeat"), (8, 2)),
        )
    )


def _count(rng: SeededRandom, charge: Charge) -> Count:
    degree = rng.pick(range(len(charge.degrees)), (5, 3, 2)[: len(charge.degrees)])
    return Count(charge.name, rng.pick(list(charge.means)), rng.pick(list(charge.scenes)), degree)


def _make_consistent(case: Case) -> Case:
    """Remove impossible circumstances, such as an accomplice to drunk driving or an official with a criminal record."""
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
    """Give charges of one family in one case the same scene if possible: one official holds one post."""
    scenes: dict[str, str] = {}
    settled = []
    for count in counts:
        charge = charges()[count.charge]
        scene = scenes.setdefault(charge.family, count.scene)
        settled.append(replace(count, scene=scene) if scene in charge.scenes else count)
    return tuple(settled)


def _neighbours(rng: SeededRandom, query: Case) -> list[Case]:
    """Return two cases with the same acts, one that differs in one respect, and one of a sibling charge."""
    near = [_vary(rng, query, query.counts) for _ in range(2)]
    changed = tuple(_one_change(rng, count) for count in query.counts)
    return [*near, _vary(rng, query, changed), _vary(rng, query, (_sibling(rng, query),))]


def _vary(rng: SeededRandom, query: Case, counts: tuple[Count, ...]) -> Case:
    other = _draw(rng, tuple(count.charge for count in counts))
    person = {
        name: getattr(query if name == "role" or rng.chance(0.6) else other, name)
        for name in ("role", "surrender", "repair", "prior")
    }
    return _make_consistent(Case(counts, **person))


def _one_change(rng: SeededRandom, count: Count) -> Count:
    other = _count(rng, charges()[count.charge])
    if rng.chance(0.5):
        return replace(count, scene=other.scene)
    return replace(count, degree=other.degree)


def _sibling(rng: SeededRandom, query: Case) -> Count:
    """Return the act of a sibling charge that resembles one of the query's acts most."""
    count = rng.pick(query.counts)
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
    other, key = rng.pick(siblings)
    scene = count.scene if count.scene in other.scenes else rng.pick(list(other.scenes))
    degree = min(count.degree, len(other.degrees) - 1)
    return Count(other.name, key, scene, degree)
