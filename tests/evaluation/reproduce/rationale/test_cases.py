"""Cases on which f_R is studied: their choice, and texts without their labels."""

from dataclasses import replace

import pytest

from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.errors import InputError
from lexgear.evaluation.reproduce.rationale.cases import FROM_FACTS, FROM_QUERIES, FROM_TEXTS, StudyCases, study_cases
from lexgear.rankers.inputs import Inputs

FACTS = tuple(
    Document(f"d{number}", {"fact": f"第{number}次盗窃罪", "verdict": "犯抢劫罪"}, charges=("盗窃罪",))
    for number in range(9)
)
QUERIES = tuple(Query(f"q{number}", f"某人犯抢劫罪{number}", charges=("抢劫罪",)) for number in range(5))


def studied(collection: Collection, seed: int = 0) -> StudyCases:
    return study_cases(collection, Inputs.of(collection), seed)


def test_a_case_is_its_facts_without_the_names_of_charges() -> None:
    found = studied(Collection("c", "zh", FACTS, QUERIES))
    assert found.source == FROM_FACTS
    assert sorted(case.text for case in found.cases) == [f"第{number}次某罪" for number in range(9)]
    assert {case.charges for case in found.cases} == {("盗窃罪",)}


def test_where_documents_have_no_texts_the_queries_are_studied() -> None:
    bare = tuple(replace(document, sections={}) for document in FACTS)
    found = studied(Collection("c", "zh", bare, (*QUERIES, Query("r", "无人知晓"))))
    assert found.source == FROM_QUERIES
    assert sorted(case.text for case in found.cases) == [f"某人犯某罪{number}" for number in range(5)]
    asked = tuple(replace(query, charges=()) for query in QUERIES)
    labels = {query.id: {"d1": 1} for query in QUERIES}
    inferred = studied(Collection("c", "zh", bare, asked, labels))
    assert {case.charges for case in inferred.cases} == {("盗窃罪",)}


def test_texts_without_parts_are_taken_where_no_judgment_has_facts() -> None:
    texts = tuple(replace(document, sections={"text": "入户盗窃"}) for document in FACTS)
    assert studied(Collection("c", "zh", texts)).source == FROM_TEXTS


def test_the_seed_alone_says_the_order_and_no_case_is_learnt_and_tested() -> None:
    collection = Collection("c", "zh", FACTS * 20)
    assert studied(collection).cases == studied(collection).cases
    assert studied(collection).cases != studied(collection, 1).cases
    cases = studied(Collection("c", "zh", FACTS))
    learnt, tested = cases.split(50)
    assert len(tested) == 2
    assert sorted(case.id for case in (*learnt, *tested)) == [document.id for document in FACTS]
    learnt, tested = studied(collection).split(2)
    assert (len(learnt), len(tested)) == (40, 8)
    assert studied(collection).sample(3) == studied(collection).cases[:3]


def test_a_collection_without_charges_cannot_be_studied() -> None:
    with pytest.raises(InputError, match="sample-fr has 0 cases with both a text and charges"):
        studied(sample_statutes())
