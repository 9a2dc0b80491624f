"""Common behaviour of the generative baselines: training, new queries, saving, loading, backbones."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from lexgear.api import Index, train
from lexgear.corpus.records import Query
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.model.checkpoints import load_checkpoint
from lexgear.rankers.generative.dsi import Dsi
from lexgear.rankers.generative.dsi_qg import DsiQg
from lexgear.rankers.generative.generative_ranker import GenerativeRanker
from lexgear.rankers.registry import RANKERS
from lexgear.settings import settings_from, settings_row
from random_checkpoints import random_t5
from rankers.test_training_run import altered
from tiny_base import judgments, tiny_base
from training.small_collection import small_collection

COLLECTION = small_collection()
TRAIN = [query for query in COLLECTION.queries if query.split == "train"]
TINY: dict[str, Any] = {
    "batch_size": 20,
    "max_length": 16,
    "hidden_size": 16,
    "num_heads": 2,
    "vocab_size": 400,
    "epochs": 2,
    "num_beams": 9,
}
KINDS: dict[type[GenerativeRanker], dict[str, Any]] = {
    Dsi: {},
    DsiQg: {
        "writer_epochs": 2,
        "pairs_per_document": 1,
        "queries_per_document": 2,
        "kept_queries": 1,
        "max_query_length": 6,
    },
}
"""Rankers with the smallest settings."""
TINY_T5 = {"d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 1, "num_decoder_layers": 1, "num_heads": 2}

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def tiny(kind: type[GenerativeRanker], **changes: object) -> GenerativeRanker:
    return kind(settings_from(kind.settings_type, TINY | KINDS[kind] | changes))


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.name)
def fitted(request: pytest.FixtureRequest) -> GenerativeRanker:
    return tiny(request.param).fit(COLLECTION)


def test_the_ranker_is_registered_and_its_documentation_names_the_paper(fitted: GenerativeRanker) -> None:
    assert RANKERS[fitted.name] is type(fitted)
    about = str(sys.modules[type(fitted).__module__].__doc__)
    assert "et al." in about
    assert "Differences:" in about


def test_a_saved_ranker_gives_the_same_results(fitted: GenerativeRanker, tmp_path: Path) -> None:
    fitted.save(tmp_path)
    loaded = fitted.load(tmp_path, settings_from(fitted.settings_type, settings_row(fitted.settings)))
    assert loaded.search(COLLECTION.queries, 9) == fitted.search(COLLECTION.queries, 9)
    assert {path.suffix for path in tmp_path.iterdir()} <= {".npz", ".json", ".safetensors"}
    updated = [ranker.with_queries(COLLECTION).search(TRAIN[:2], 9) for ranker in (fitted, loaded)]
    assert updated[0] == updated[1]


def test_hits_come_best_first_and_beams_limit_them(fitted: GenerativeRanker) -> None:
    found = fitted.search(COLLECTION.queries[:3], 40)
    for hits in found:
        assert 1 <= len(hits) <= 9
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert [fitted.search([query], 40)[0] for query in COLLECTION.queries[:3]] == found
    assert fitted.search([Query("q", " ")], 3) == [[]]
    [own, *_] = [hits[0].document for hits in found]
    assert own not in [
        hit.document for hit in fitted.search([replace(COLLECTION.queries[0], own_documents=(own,))], 9)[0]
    ]


def test_an_explanation_lists_every_step_of_the_id(fitted: GenerativeRanker) -> None:
    for hit, why in fitted.search_explained(COLLECTION.queries[0], 3):
        assert why is not None
        [path] = why.paths
        assert path[-1].place == hit.document
        assert np.sum(np.log([step.probability for step in path])) == pytest.approx(hit.score, abs=1e-4)


@every_kind
def test_weights_depend_on_the_seed_and_are_reproducible(kind: type[GenerativeRanker]) -> None:
    one, same, other = (
        tiny(kind, epochs=1, seed=seed).fit(COLLECTION).parts.generator.state_dict() for seed in (0, 0, 1)
    )
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not all(torch.equal(one[name], other[name]) for name in one if one[name].shape == other[name].shape)


@every_kind
def test_test_queries_and_barred_queries_do_not_change_the_weights(kind: type[GenerativeRanker]) -> None:
    barred = replace(COLLECTION, source={"never_train_on": TRAIN[0].id})
    both = [tiny(kind, epochs=1).fit(one) for one in (barred, altered(barred, TRAIN[0].id))]
    assert both[0].training.log == both[1].training.log
    mine, theirs = (ranker.parts.generator.state_dict() for ranker in both)
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)


@every_kind
def test_with_queries_continues_training_and_leaves_the_original_unchanged(kind: type[GenerativeRanker]) -> None:
    indexed = tiny(kind, query_epochs=2).fit(replace(COLLECTION, queries=(), qrels={}))
    before = {name: value.clone() for name, value in indexed.parts.generator.state_dict().items()}
    hits, rows = indexed.search(TRAIN[:2], 9), list(indexed.training.log)
    updated = indexed.with_queries(COLLECTION)
    assert indexed.training.log == rows
    assert indexed.search(TRAIN[:2], 9) == hits
    assert all(torch.equal(value, before[name]) for name, value in indexed.parts.generator.state_dict().items())
    assert updated.training.log[: len(rows)] == rows
    assert len(updated.training.log) == len(rows) + 2
    assert updated.training.log[-1]["tokens"] > rows[-1]["tokens"] > 0
    assert (updated.parts.ids, updated.parts.tokens) == (indexed.parts.ids, indexed.parts.tokens)
    assert not all(torch.equal(value, before[name]) for name, value in updated.parts.generator.state_dict().items())


@every_kind
def test_training_can_start_from_a_published_checkpoint(kind: type[GenerativeRanker], tmp_path: Path) -> None:
    checkpoint = random_t5(tmp_path, **TINY_T5, vocab_size=1500)
    ranker = tiny(kind, backbone=str(checkpoint), epochs=1, learning_rate=0.0).fit(COLLECTION)
    tables = {name: weight.clone() for name, weight in ranker.parts.generator.state_dict().items()}
    shape = ranker.parts.generator.backbone.shape
    assert (shape.vocabulary, shape.width, shape.inner) == (1500, 16, 24)
    assert not shape.own_head  # IDs have a head of their own
    if ranker.writer:
        assert ranker.writer.model
        assert ranker.writer.model.backbone.head is not None
    assert ranker.search(COLLECTION.queries[:1], 5)[0]
    theirs = load_checkpoint(str(checkpoint), 0.0)[0].state_dict()
    assert all(
        torch.equal(tables[f"backbone.{name}"], weight) for name, weight in theirs.items() if name != "head.weight"
    )
    fresh = tiny(kind, backbone=str(checkpoint), epochs=1, learning_rate=0.0, decoder_learning_rate=0.0).fit(COLLECTION)
    # The tables of IDs are new: they learn at a rate of their own.
    assert not torch.equal(tables["law_out.weight"], fresh.parts.generator.law_out.weight)


@pytest.fixture(scope="module")
def base_at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_base(tmp_path_factory.mktemp("tiny"), judgments())


@every_kind
def test_training_can_start_from_a_base_model(kind: type[GenerativeRanker], base_at: Path) -> None:
    ranker = tiny(kind, backbone=str(base_at), epochs=1, learning_rate=0.0)
    ranker.fit(COLLECTION)
    assert ranker.parts.base is not None
    mine, theirs = ranker.parts.generator.backbone.state_dict(), ranker.parts.base.backbone.state_dict()
    assert all(torch.equal(mine[name], theirs[name]) for name in theirs)  # a rate of zero moves nothing
    assert ranker.parts.generator.backbone is not ranker.parts.base.backbone
    assert ranker.search(COLLECTION.queries[:1], 5)[0]


@every_kind
def test_statutes_can_be_learnt(kind: type[GenerativeRanker]) -> None:
    statutes = sample_statutes()
    ranker = tiny(kind, epochs=1).fit(statutes)
    assert len(ranker.search(statutes.queries[:1], 5)[0]) == 5


@every_kind
def test_interrupted_training_resumes_in_every_stage(kind: type[GenerativeRanker], tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop(done: int, total: int | None, note: str = "") -> None:
        if note.startswith("epoch 2/2") and done == total:
            raise StoppedError

    whole = tiny(kind).fit(COLLECTION)
    for _ in range(9):
        try:
            index = train(COLLECTION, tiny(kind), tmp_path / "index", stop)
        except StoppedError:
            continue
        break
    resumed = train(COLLECTION, tiny(kind), tmp_path / "index") if not (tmp_path / "index").exists() else index
    assert resumed.ranker.search(TRAIN[:3], 9) == whole.search(TRAIN[:3], 9)
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    assert Index.load(tmp_path / "index").ranker.search(TRAIN[:3], 9) == whole.search(TRAIN[:3], 9)


@every_kind
def test_early_stopping_uses_held_out_training_queries(kind: type[GenerativeRanker]) -> None:
    ranker = tiny(kind, patience=1).fit(COLLECTION)
    assert "validation" in ranker.training.log[-1]
    assert "for validation" in ranker.training.notes[0]
