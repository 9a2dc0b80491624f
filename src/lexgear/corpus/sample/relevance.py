"""Graded relevance of the Chinese sample, by the circumstances that a case shares with the query."""

from __future__ import annotations

from collections.abc import Mapping

from lexgear.corpus.sample.case_plan import SEED, Case, Count
from lexgear.corpus.sample.seeded_random import SeededRandom
from lexgear.corpus.sample.templates import charges

# Points out of ten: eight for the act, two for the person.
MEANS, SCENE, DEGREE = 4.0, 2.5, 1.5
PERSON = {"role": 0.6, "surrender": 0.6, "repair": 0.4, "prior": 0.4}
VERY_SIMILAR, SIMILAR, RELATED = 7.9, 5.8, 4.2
SIBLING_SIMILAR, SIBLING_RELATED = 9.4, 7.5
JUDGED_ZEROS, POOL = 20, 100


def grade(query: Case, document: Case) -> int:
    """Return the grade of a document for a query, from 0 to 3.

    3: all charges and most circumstances are shared. 2: the charge and about half of the circumstances, or a sibling
    charge with nearly all of them. 1: the charge and a few circumstances, or a sibling charge in the same scene.
    """
    person = sum(weight for name, weight in PERSON.items() if getattr(query, name) == getattr(document, name))
    by_charge = {count.charge: count for count in document.counts}
    act = sum(_act(count, by_charge[count.charge]) for count in query.counts if count.charge in by_charge) / len(
        query.counts
    )
    shared = sum(count.charge in by_charge for count in query.counts)
    if shared:
        score = act + person * shared / len(query.counts)
        if shared == len(query.counts) and score >= VERY_SIMILAR:
            return 3
        return 2 if score >= SIMILAR else 1 if score >= RELATED else 0
    sibling = max(_sibling_act(mine, theirs) for mine in query.counts for theirs in document.counts)
    score = (sibling + person) / len(query.counts) if sibling else 0.0
    return 2 if score >= SIBLING_SIMILAR else 1 if score >= SIBLING_RELATED else 0


def judge(queries: Mapping[str, Case], documents: Mapping[str, Case]) -> dict[str, dict[str, int]]:
    """Return all grades from 1 up, and some hard zeros: dissimilar cases of the same charge or family."""
    return {query_id: _judge_one(query_id, query, documents) for query_id, query in queries.items()}


def pool(
    qrels: Mapping[str, Mapping[str, int]], queries: Mapping[str, Case], documents: Mapping[str, Case]
) -> dict[str, tuple[str, ...]]:
    """Return a hundred candidates per query: the judged ones, then others of the same family, then any."""
    pools = {}
    for query_id, judged in qrels.items():
        rng = SeededRandom(f"{SEED}/pool/{query_id}")
        ordered = [*judged, *rng.shuffled(_of_family(queries[query_id], documents)), *rng.shuffled(documents)]
        pools[query_id] = tuple(sorted(list(dict.fromkeys(ordered))[:POOL]))
    return pools


def _judge_one(query_id: str, query: Case, documents: Mapping[str, Case]) -> dict[str, int]:
    near = _of_family(query, documents)
    grades = {document: grade(query, documents[document]) for document in near}
    zeros = [document for document in near if grades[document] == 0]
    names = {count.charge for count in query.counts}
    same = [document for document in zeros if names & {count.charge for count in documents[document].counts}]
    rng = SeededRandom(f"{SEED}/zeros/{query_id}")
    listed = list(dict.fromkeys([*rng.shuffled(same), *rng.shuffled(zeros)]))[:JUDGED_ZEROS]
    kept = {document: value for document, value in grades.items() if value} | dict.fromkeys(listed, 0)
    return dict(sorted(kept.items()))


def _of_family(query: Case, documents: Mapping[str, Case]) -> list[str]:
    families = {charges()[count.charge].family for count in query.counts}
    return [
        document
        for document, case in documents.items()
        if any(charges()[count.charge].family in families for count in case.counts)
    ]


def _act(mine: Count, theirs: Count) -> float:
    return (
        MEANS * (mine.means == theirs.means)
        + SCENE * (mine.scene == theirs.scene)
        + DEGREE * (mine.degree == theirs.degree)
    )


def _sibling_act(mine: Count, theirs: Count) -> float:
    """Return the similarity of acts of two charges of one family; 0 unless the scene is the same."""
    left, right = charges()[mine.charge], charges()[theirs.charge]
    if left.family != right.family or mine.scene != theirs.scene:
        return 0.0
    kin = left.means[mine.means].kin == right.means[theirs.means].kin
    return SCENE + MEANS * kin + DEGREE * (mine.degree == theirs.degree)
