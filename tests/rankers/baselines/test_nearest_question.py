"""The nearest training question on the sample's statutes."""

from dataclasses import replace
from pathlib import Path

import pytest

from lexgear.api import Index, train
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.errors import InputError
from lexgear.rankers.baselines.nearest_question import NearestQuestion


def test_a_repeated_question_finds_its_answers_first(tmp_path: Path) -> None:
    statutes = sample_statutes()
    index = Index.load(train(statutes, NearestQuestion(), tmp_path / "index").stored.directory)
    [query, *_] = [query for query in statutes.queries if query.split == "train"]
    answers = {name for name, grade in statutes.qrels[query.id].items() if grade >= statutes.relevant_from}
    hits = index.search(query.text, k=len(answers))
    assert {hit.document.id for hit in hits} == answers
    assert all(hit.explanation and hit.explanation.past_questions == pytest.approx(hit.score) for hit in hits)


def test_test_questions_are_not_learnt_from() -> None:
    statutes = sample_statutes()
    hidden = replace(statutes, queries=tuple(replace(query, split="test") for query in statutes.queries))
    with pytest.raises(InputError, match="no training query"):
        NearestQuestion().fit(hidden)


def test_with_documents_equals_fitting_on_the_same_documents() -> None:
    statutes = sample_statutes()
    fewer = replace(statutes, documents=statutes.documents[:40])
    grown, fresh = NearestQuestion().fit(fewer).with_documents(statutes), NearestQuestion().fit(statutes)
    asked = [query for query in statutes.queries if query.split == "test"][:5]
    assert grown.search(asked, 10) == fresh.search(asked, 10)
