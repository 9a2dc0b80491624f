"""The table of rationale extraction, on a corner of the sample."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from lexgear.corpus.records import Collection
from lexgear.corpus.sample.cases import sample_cases
from lexgear.evaluation.reproduce.rationale.charge_classifier import ChargeClassifier
from lexgear.evaluation.reproduce.rationale.deletion import BEGINNING, BEST, NOTHING, OTHERS
from lexgear.evaluation.reproduce.rationale.model_inputs import WINDOW, first_tokens, rationales, time_each
from lexgear.evaluation.reproduce.rationale.tables import (
    FIRST,
    NOT_GIVEN,
    QUERY,
    RATIONALE,
    SUMMARY,
    WHOLE,
    rationale_tables,
)
from lexgear.evaluation.reproduce.report import Cell, Table
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.records import RationaleSettings

SAMPLES = 6


@pytest.fixture(scope="module")
def cases() -> Collection:
    whole = sample_cases()
    few = {name for document in whole.documents for name in document.charges[:1]}
    few = set(sorted(few)[:6])
    documents = [document for document in whole.documents if {*document.charges} <= few][:120]
    return replace(whole, documents=tuple(documents))


def by_name(table: Table) -> dict[str, dict[str, Cell]]:
    return {str(row[0]): dict(zip(table.columns, row, strict=True)) for row in table.rows}


def without_times(tables: list[Table]) -> list[Table]:
    return tables[1:]


def test_every_way_has_its_row_and_what_was_not_given_says_so(cases: Collection) -> None:
    times, naming, deleting = rationale_tables(cases, samples=SAMPLES)
    assert by_name(times)[QUERY]["ms per sample"] == NOT_GIVEN
    assert by_name(times)[SUMMARY]["paper, ELAM"] == "20,975.92 ± 3,858.29"
    f_r = by_name(times)[RATIONALE]
    assert 0 < _number(f_r["low"]) <= _number(f_r["ms per sample"]) <= _number(f_r["high"])
    assert by_name(naming)[QUERY]["accuracy"] == NOT_GIVEN
    assert by_name(naming)[RATIONALE]["paper, LeCaRDv2"] == 0.86
    assert by_name(naming)[FIRST]["p"] is None
    assert [*by_name(deleting)] == [NOTHING, BEST, BEGINNING, OTHERS]


def test_a_text_that_tells_the_charge_is_told_from_one_that_does_not(cases: Collection) -> None:
    _, naming, _ = rationale_tables(cases, samples=SAMPLES, generate=lambda texts: ["无关文字"] * len(texts))
    named = by_name(naming)
    assert _number(named[WHOLE]["accuracy"]) > 0.8
    assert _number(named[QUERY]["accuracy"]) < 0.5
    assert _number(named[QUERY]["p"]) < 0.01
    assert _number(named[QUERY]["characters"]) == 4


def test_models_are_handed_masked_facts_and_nothing_else(cases: Collection) -> None:
    seen: list[str] = []

    def watched(texts: Sequence[str]) -> list[str]:
        seen.extend(texts)
        return [text[:30] for text in texts]

    rationale_tables(cases, samples=SAMPLES, summarise=watched)
    assert seen
    for text in seen:
        assert "判决如下" not in text
        assert not any(charge in text for document in cases.documents for charge in document.charges)


def test_charges_reach_no_input(cases: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every label another, what is read, timed and judged is the same."""
    seen: set[str] = set()
    predict = ChargeClassifier.probabilities

    def watched(classifier: ChargeClassifier, texts: Sequence[str]) -> NDArray[np.float64]:
        seen.update(texts)
        return predict(classifier, texts)

    def generate(texts: Sequence[str]) -> list[str]:
        seen.update(texts)
        return list(texts)

    def read(collection: Collection) -> set[str]:
        seen.clear()
        rationale_tables(collection, samples=SAMPLES, generate=generate)
        return set(seen)

    monkeypatch.setattr(ChargeClassifier, "probabilities", watched)
    others = tuple(replace(document, charges=("放火罪",)) for document in cases.documents)
    first = read(cases)
    assert len(first) > SAMPLES
    assert first == read(replace(cases, documents=others))


def test_all_but_the_times_is_the_same_every_time(cases: Collection) -> None:
    def made(seed: int) -> list[Table]:
        return without_times(rationale_tables(cases, samples=SAMPLES, seed=seed))

    assert made(0) == made(0)
    assert made(0)[1].rows != made(1)[1].rows


def test_progress_is_told_and_the_first_call_is_not_timed() -> None:
    calls: list[int] = []
    told: list[tuple[int, int | None, str]] = []

    def make(texts: Sequence[str]) -> list[str]:
        calls.append(len(texts))
        return list(texts)

    def progress(done: int, total: int | None, note: str = "") -> None:
        told.append((done, total, note))

    assert len(time_each(make, ["a", "b", "c"], progress, "timing")) == 3
    assert calls == [1, 1, 1, 1]
    assert told[-1] == (3, 3, "timing")


@pytest.mark.parametrize(("language", "text", "left"), [("zh", "字" * 600, 512), ("fr", "mot " * 600, 512 * 4 - 1)])
def test_the_first_tokens_are_characters_of_chinese_and_words_of_french(language: str, text: str, left: int) -> None:
    make: Callable[[Sequence[str]], list[str]] = first_tokens(language)
    assert [len(cut) for cut in make([text])] == [left]


def test_f_r_gets_as_many_tokens_as_the_beginning_of_the_text(cases: Collection) -> None:
    make = rationales(Inputs.of(cases, RationaleSettings()))
    act = "天，甲在当地某小区某号楼翻窗进入一户无人在家的住户家中，窃取公私财物后逃离现场。"
    long = "".join(f"第{number}{act}" for number in range(1, 60))
    [text] = make([long])
    assert WINDOW - 60 < len(text) <= WINDOW


def _number(cell: Cell) -> float:
    assert isinstance(cell, float | int)
    return float(cell)
