"""The cases that f_R is studied on: read as if they were not decided, in a seeded order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lexgear.corpus.records import Collection, Document
from lexgear.errors import InputError
from lexgear.law.charges import shipped_charges
from lexgear.rankers.inputs import FACT_CHARACTERS, Inputs
from lexgear.training.query_split import charges_of

FROM_FACTS = f"the facts of the collection's judgments, to {FACT_CHARACTERS:,} characters"
FROM_TEXTS = f"the texts of the collection's documents, which have no facts apart, to {FACT_CHARACTERS:,} characters"
FROM_QUERIES = (
    "the collection's queries, since its documents have no texts; where nobody names a query's charges, those that at "
    "least half of its relevant documents have"
)


@dataclass(frozen=True, slots=True)
class StudyCase:
    """A case with the names of charges masked; the charges found are for measuring and reach no input."""

    id: str
    text: str
    charges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StudyCases:
    """All cases that can be studied, in the order they are drawn in."""

    cases: Sequence[StudyCase]
    source: str
    """What they are, in words."""

    def drawn(self, samples: int) -> Sequence[StudyCase]:
        """The first of the order: what is timed, cut and shown to annotators."""
        return self.cases[:samples]

    def split(self, samples: int) -> tuple[Sequence[StudyCase], Sequence[StudyCase]]:
        """To learn from, at most 20 times as many as samples; and to test, at most 4 times and a quarter of all."""
        tested = min(4 * samples, len(self.cases) // 4)
        return self.cases[tested : tested + 20 * samples], self.cases[:tested]


def study_cases(collection: Collection, inputs: Inputs, seed: int) -> StudyCases:
    """The judgments of a collection by their facts, or its queries where the judgments have no texts."""
    documents = [document for document in collection.documents if document.charges and document.text]
    with_facts = [document for document in documents if document.sections.get("fact")]
    if with_facts:
        cases, source = _judgments(with_facts, inputs), FROM_FACTS
    elif documents:
        cases, source = _judgments(documents, inputs), FROM_TEXTS
    else:
        cases, source = _queries(collection), FROM_QUERIES
    if len(cases) < 4:
        raise InputError(
            f"{collection.name} has {len(cases)} cases with both a text and charges",
            remedy="f_R is studied on cases whose charges are known",
        )
    order = np.random.default_rng(seed).permutation(len(cases)).tolist()
    return StudyCases([cases[place] for place in order], source)


def _judgments(documents: Sequence[Document], inputs: Inputs) -> list[StudyCase]:
    texts = zip(documents, inputs.masked_facts(documents), strict=True)
    return [StudyCase(document.id, text, document.charges) for document, text in texts]


def _queries(collection: Collection) -> list[StudyCase]:
    book = shipped_charges()
    asked = [(query, charges_of(collection, query)) for query in collection.queries if query.text]
    return [StudyCase(query.id, book.masked(query.text[:FACT_CHARACTERS]), found) for query, found in asked if found]
