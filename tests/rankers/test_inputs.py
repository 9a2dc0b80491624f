"""Caching of model inputs; the inputs themselves are tested with the rankers."""

import pytest

from lexgear.rankers.inputs import Inputs
from lexgear.rationale.extract import Extractor
from lexgear.rationale.records import RationaleSettings
from rankers.small import COLLECTION


def test_the_same_documents_are_read_once_and_other_documents_again(monkeypatch: pytest.MonkeyPatch) -> None:
    times, many = [], Extractor.many
    monkeypatch.setattr(Extractor, "many", lambda self, *given, **more: times.append(1) or many(self, *given, **more))  # type: ignore[func-returns-value]
    inputs, documents = Inputs.of(COLLECTION, RationaleSettings()), COLLECTION.documents
    first = inputs.of_documents(documents)
    assert inputs.of_documents(list(documents)) == first
    assert len(times) == 1
    assert inputs.of_documents(documents[::-1]) == first[::-1]
    assert len(times) == 2
    asked = inputs.of_judgments_as_queries(documents)
    assert asked != first
    assert inputs.of_documents(documents[::-1]) == first[::-1]
    assert len(times) == 3
