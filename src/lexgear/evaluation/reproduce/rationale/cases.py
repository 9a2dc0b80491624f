"""Cases on which f_R is studied: read as if undecided, in a seeded random order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lexgear.corpus.records import Collection, Document
from lexgear.errors import ErrorCode, InputError
from lexgear.law.charges import shipped_charges
from lexgear.rankers.inputs import Inputs
from lexgear.training.query_split import charges_of

FROM_FACTS = "the facts of the collection's judgments"
FROM_TEXTS = "the texts of the collection's documents, which have no separate facts"
FROM_QUERIES = (
    "the collection's queries, since its documents have no texts; a query without charges gets those that at least "
    "half of its relevant documents have"
)


@dataclass(frozen=True, slots=True)
class StudyCase:
    """A case with the names of charges masked; its charges are only used to measure."""

    id: str
    text: str
    charges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StudyCases:
    """All cases that can be studied, in the order in which they are drawn."""

    cases: Sequence[StudyCase]
    source: str
    """Description of their origin, for the notes of a table."""

    def sample(self, samples: int) -> Sequence[StudyCase]:
        """Return the first cases, which are timed, shortened and shown to annotators."""
        return self.cases[:samples]

    def split(self, samples: int) -> tuple[Sequence[StudyCase], Sequence[StudyCase]]:
        """Return training cases, at most 20 per sample, and test cases, at most 4 per sample and a quarter of all."""
        tested = min(4 * samples, len(self.cases) // 4)
        return self.cases[tested : tested + 20 * samples], self.cases[:tested]


def study_cases(collection: Collection, inputs: Inputs, seed: int) -> StudyCases:
    """Return the judgments of a collection by their facts, or its queries if the judgments have no texts."""
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
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="choose a collection of at least 4 cases whose charges are known",
            name=collection.name,
        )
    order = np.random.default_rng(seed).permutation(len(cases)).tolist()
    return StudyCases([cases[place] for place in order], source)


def _judgments(documents: Sequence[Document], inputs: Inputs) -> list[StudyCase]:
    texts = zip(documents, inputs.masked_facts(documents, None), strict=True)
    return [StudyCase(document.id, text, document.charges) for document, text in texts]


def _queries(collection: Collection) -> list[StudyCase]:
    book = shipped_charges()
    asked = [(query, charges_of(collection, query)) for query in collection.queries if query.text]
    return [StudyCase(query.id, book.masked(query.text), found) for query, found in asked if found]
