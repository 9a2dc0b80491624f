"""Caching of model inputs; the inputs themselves are tested with the rankers."""

from dataclasses import replace

import pytest

from lexgear.corpus.records import Document
from lexgear.law.shipped import chinese_criminal_law
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.extract import Extractor
from lexgear.rationale.records import RationaleSettings
from rankers.small import COLLECTION, THEFT


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


def test_f_r_reads_the_facts_to_their_end() -> None:
    charging = "被告人秘密窃取公私财物，数额较大。"
    inputs = Inputs.of(replace(COLLECTION, law=chinese_criminal_law()), RationaleSettings())
    long = Document("d", {"fact": "当日天气晴朗。" * 1000 + charging, "reasoning": "应予惩处。"}, charges=(THEFT,))
    for read in (inputs.of_documents, inputs.of_judgments_as_queries):
        [text] = read([long])
        assert charging in text


def test_without_f_r_a_model_reads_the_beginning_of_the_facts() -> None:
    long = Document("d", {"fact": "当日天气晴朗。" * 1000, "reasoning": "应予惩处。"}, charges=(THEFT,))
    [text] = Inputs.of(COLLECTION).of_documents([long])
    assert len(text) < 3010
    assert text.endswith("应予惩处。")
