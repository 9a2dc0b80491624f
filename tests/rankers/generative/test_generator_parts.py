"""Backbones, inputs and ID schemes of a generator: each can be trained, saved, loaded and searched."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lexgear.corpus.records import Query
from lexgear.corpus.sample.law import sample_law
from lexgear.errors import InputError
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.settings import changed, configure, settings_from, settings_row
from random_checkpoints import random_bert, random_t5
from rankers import small
from rankers.generative.test_gear import COLLECTION as SLICE
from rankers.generative.test_gear import QUICK

COLLECTION = replace(small.COLLECTION, law=sample_law())
TINY = configure(GearSettings, epochs=1, batch_size=4, max_length=24, hidden_size=16, num_heads=2, num_train_beams=2)
TINY_T5 = {"d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 1, "num_decoder_layers": 1, "num_heads": 2}


def from_disk(ranker: Gear | Lexgear, directory: Path) -> Gear | Lexgear:
    """Train, save and load a ranker; assert that both give the same results."""
    ranker.fit(COLLECTION)
    directory.mkdir()
    ranker.save(directory)
    loaded = ranker.load(directory, settings_from(ranker.settings_type, settings_row(ranker.settings)))
    found = loaded.search(COLLECTION.queries, 4)
    assert found == ranker.search(COLLECTION.queries, 4)
    assert {hit.document for hit in found[0]} == {"d1", "d2", "d3", "d4"}
    return loaded


@pytest.mark.parametrize(("softmax", "search"), [("children", "exact"), ("vocabulary", "beam")])
@pytest.mark.parametrize("change", ["id_shape=fixed", "id_shape=flat", "ids=kmeans", "rationale=false"])
def test_every_kind_of_ids_fits_saves_loads_and_searches(
    change: str, softmax: str, search: str, tmp_path: Path
) -> None:
    name, value = change.split("=")
    settings = settings_from(GearSettings, {**settings_row(TINY), "softmax": softmax, "search": search, name: value})
    gear = from_disk(Gear(settings), tmp_path / "index")
    total = sum(np.exp(hit.score) for hit in gear.search([Query("q", "翻墙进入商店")], 4)[0])
    assert total == pytest.approx(1, abs=1e-3) if softmax == "children" else total < 1


def test_k_means_ids_are_memorised() -> None:
    collection = replace(SLICE, documents=SLICE.documents[:40], queries=(), qrels={})
    gear = Gear(changed(QUICK, ids="kmeans", rationale=False, judgments_as_queries=False)).fit(collection)
    assert int(gear.parts.ids.trie.depth.max()) > 1
    assert gear.parts.generator.documents.num_embeddings == 0  # leaves are digits, like clusters
    texts = gear.parts.inputs.of_documents(collection.documents)
    asked = [Query(document.id, text) for document, text in zip(collection.documents, texts, strict=True)]
    first = [hits[0].document for hits in gear.search(asked, 1)]
    assert np.mean([name == query.id for name, query in zip(first, asked, strict=True)]) >= 0.9


def test_a_checkpoint_in_the_layout_of_the_paper_can_be_the_backbone_and_is_not_needed_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint = random_t5(tmp_path)
    settings = configure(
        GearSettings, backbone=str(checkpoint), epochs=1, batch_size=4, max_length=16, num_train_beams=2, dropout=0.1
    )
    gear = Gear(settings).fit(COLLECTION)
    shape = gear.parts.generator.backbone.shape
    assert (shape.vocabulary, shape.width, shape.heads, shape.inner, shape.dropout) == (32596, 512, 6, 1024, 0.1)
    for path in checkpoint.iterdir():
        path.unlink()
    gear.save(tmp_path)
    monkeypatch.setitem(sys.modules, "transformers", None)  # whoever imports it now fails
    found = Gear.load(tmp_path, settings).search(COLLECTION.queries, 4)
    assert found == gear.search(COLLECTION.queries, 4)
    assert len(found[0]) == 4


def test_lexgear_can_start_from_a_checkpoint(tmp_path: Path) -> None:
    checkpoint = random_t5(tmp_path, **TINY_T5, vocab_size=1500)
    settings = configure(
        LexgearSettings, backbone=str(checkpoint), epochs=1, batch_size=4, max_length=16, prototypes="own", k3=1
    )
    assert from_disk(Lexgear(settings), tmp_path / "index").parts.encoder is not None


def test_prototypes_of_a_bert_change_the_rationales_and_are_stored_in_the_index(tmp_path: Path) -> None:
    checkpoint = random_bert(tmp_path)
    # Words weigh nothing and one sentence is read: B3 alone chooses it.
    alone = changed(TINY, lambda1=0.0, lambda2=0.0, k1=0, k2=0, k3=1)
    gear = Gear(replace(alone, prototypes=str(checkpoint), ids="kmeans")).fit(COLLECTION)
    for path in checkpoint.iterdir():
        path.unlink()
    gear.save(tmp_path)
    loaded = Gear.load(tmp_path, gear.settings)
    texts = ["天气晴朗。被告人盗窃财物。", "暴力抢劫财物。赌博。天气晴朗。"]
    assert loaded.parts.inputs.of_queries(texts) == gear.parts.inputs.of_queries(texts)
    assert Gear(alone).fit(COLLECTION).parts.inputs.of_queries(texts) != gear.parts.inputs.of_queries(texts)


def test_own_prototypes_use_the_encoder_before_training(tmp_path: Path) -> None:
    longer = Gear(changed(TINY, prototypes="own", epochs=3))
    loaded = from_disk(longer, tmp_path / "index")
    shorter = Gear(changed(TINY, prototypes="own")).fit(COLLECTION)
    texts = ["被告人盗窃财物。", "天气晴朗。"]
    vectors = [ranker.parts.encoder.encode(texts) for ranker in (longer, loaded, shorter) if ranker.parts.encoder]
    assert np.array_equal(vectors[0], vectors[1])
    assert np.array_equal(vectors[0], vectors[2])


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("backbone", "no checkpoint directory '/nowhere/at/all'"),
        ("prototypes", r"/nowhere/at/all: not a checkpoint directory: no config\.json"),
    ],
)
def test_the_error_for_a_missing_directory_names_it(setting: str, problem: str) -> None:
    settings = settings_from(GearSettings, {**settings_row(TINY), setting: "/nowhere/at/all"})
    with pytest.raises(InputError, match=problem):
        Gear(settings).fit(COLLECTION)
