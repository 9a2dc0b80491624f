"""Judgments held out for the walk: chosen once, shared by rankers over the same documents."""

import pytest

from lexgear.corpus.records import Collection
from lexgear.evaluation.folds import make_folds, with_test_queries
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.lexgear.weighting.labelled_texts import held_out_texts
from lexgear.settings import configure


def test_folds_read_the_held_out_judgments_once(sample: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []

    def counted(*arguments):  # type: ignore[no-untyped-def]
        reads.append(1)
        return held_out_texts(*arguments)

    monkeypatch.setattr("lexgear.rankers.lexgear.weighting.held_out.held_out_texts", counted)
    fitted = Lexgear(configure(LexgearSettings, backbone="")).fit(sample)
    for test in make_folds(list(sample.queries)[:8], 2, seed=0):
        fitted.with_queries(with_test_queries(sample, test))
    assert len(reads) == 1


def test_documents_that_are_fitted_anew_have_judgments_of_their_own(sample: Collection) -> None:
    ranker = Lexgear(configure(LexgearSettings, backbone="")).fit(sample)
    before = ranker.held_out.positions(ranker, sample)
    fewer = Collection(sample.name, sample.language, sample.documents[:100], law=sample.law)
    ranker.fit(fewer)
    after = ranker.held_out.positions(ranker, fewer)
    assert len(after) == 5 < len(before)
    assert max(after) < 100
