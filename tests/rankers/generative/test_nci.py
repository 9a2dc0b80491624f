"""NCI: written queries, passages, a prefix-aware decoder and the consistency loss."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from lexgear.corpus.records import Query
from lexgear.errors import InputError
from lexgear.model.generator.pawa import PawaGenerator
from lexgear.rankers.generative.nci import Nci, NciSettings
from lexgear.rankers.registry import RANKERS
from lexgear.settings import settings_from, settings_row
from lexgear.training.objectives.consistency import consistency_nll
from random_checkpoints import random_t5
from tiny_base import judgments, tiny_base
from training.small_collection import small_collection

COLLECTION = small_collection()
BARE = replace(COLLECTION, queries=(), qrels={})
TRAIN = [query for query in COLLECTION.queries if query.split == "train"]
TINY: dict[str, Any] = {
    "batch_size": 20,
    "max_length": 16,
    "hidden_size": 16,
    "num_heads": 2,
    "vocab_size": 400,
    "num_beams": 9,
}
TINY |= {"epochs": 2, "query_epochs": 2, "writer_epochs": 1, "max_query_length": 6}


def tiny(**changes: object) -> Nci:
    return Nci(settings_from(NciSettings, TINY | changes))


def weights(ranker: Nci) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in ranker.parts.generator.state_dict().items()}


@pytest.fixture(scope="module")
def fitted() -> Nci:
    return tiny().fit(COLLECTION)


def test_the_adaptive_layer_is_trained(fitted: Nci) -> None:
    assert isinstance(fitted.parts.generator, PawaGenerator)
    assert fitted.parts.generator.adapter.outward.weight.abs().sum() > 0  # zero at first
    before = fitted.search(TRAIN[:3], 9)
    kept = fitted.parts.generator.adapter.outward.weight.detach().clone()
    with torch.no_grad():
        fitted.parts.generator.adapter.outward.weight.zero_()
        without = fitted.search(TRAIN[:3], 9)
        fitted.parts.generator.adapter.outward.weight.copy_(kept)
    assert before != without
    assert fitted.search(TRAIN[:3], 9) == before


def test_digits_of_different_levels_are_different_symbols(fitted: Nci) -> None:
    ids = fitted.parts.ids
    levels = [{path[level] for position in range(ids.document_count) for path in ids.document_paths(position)}
              for level in range(2)]  # fmt: skip
    assert levels[0].isdisjoint(levels[1])
    assert ids.law_symbols == fitted.parts.generator.law_in.num_embeddings > 10


def test_an_index_of_an_earlier_version_is_refused(fitted: Nci, tmp_path: Path) -> None:
    fitted.save(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    save_file(weights | {"adapter.symbols.weight": torch.zeros(10, 16)}, tmp_path / "model.safetensors")
    with pytest.raises(InputError, match=r"earlier version.*train it again"):
        Nci.load(tmp_path, fitted.settings)


def test_the_consistency_loss_is_logged_and_is_zero_without_dropout(fitted: Nci) -> None:
    assert fitted.settings_type().size.dropout == 0.1
    assert set(fitted.training.log[-1]) == {"epoch", "indexing", "retrieval", "consistency", "rate", "steps", "tokens"}
    assert all(row["consistency"] > 0 for row in fitted.training.log[1:])  # the first row is the query generator's
    once = tiny(dropout=0.0).fit(COLLECTION)
    assert [row["consistency"] for row in once.training.log[1:]] == [0, 0]
    read, twice = (ranker.training.log[-1]["tokens"] - ranker.training.log[0]["tokens"] for ranker in (once, fitted))
    assert twice == pytest.approx(2 * read, rel=0.05)


def test_the_consistency_loss_is_lowest_if_readings_agree_and_texts_differ() -> None:
    owners, taken = np.arange(4), np.ones((4, 2), dtype=np.bool_)
    states = torch.eye(4).unsqueeze(1).expand(-1, 2, -1)
    agree = consistency_nll(torch.cat([states, states]), owners, taken, 0.1)
    differ = consistency_nll(torch.cat([states, states.roll(1, 0)]), owners, taken, 0.1)
    assert agree == pytest.approx(0, abs=1e-3)
    assert differ > 5
    alike = torch.ones(8, 2, 4)  # nothing tells the texts apart: one of two readings of three others, or the right one
    assert consistency_nll(alike, owners, taken) == pytest.approx(np.log(7), abs=1e-5)
    assert consistency_nll(alike, np.zeros(4), taken) == pytest.approx(0, abs=1e-5)  # no text beside it
    taken[2:, 1] = False
    expected = (4 * np.log(7) + 2 * np.log(3)) / 6
    assert consistency_nll(alike, owners, taken) == pytest.approx(expected, abs=1e-5)


def test_documents_are_learnt_from_written_queries_and_passages(fitted: Nci) -> None:
    texts = fitted.parts.inputs.of_documents(COLLECTION.documents)
    pieces = fitted._passages(texts)
    numbers, mask = fitted.parts.tokens.encode(texts, 512)
    assert len(pieces) == 2 * len(texts)
    for place in range(len(texts)):
        whole = numbers[place][mask[place]].tolist()
        first, later = (pieces.numbers[row][pieces.mask[row]].tolist() for row in (2 * place, 2 * place + 1))
        assert first == whole[:16]
        assert any(later == whole[start : start + 16] for start in range(len(whole)))
        assert pieces.leaves[2 * place + 1].tolist() == fitted.parts.ids.trie.leaves_of(place).tolist()
    assert any(not np.array_equal(pieces.numbers[at], pieces.numbers[at + 1]) for at in range(0, len(pieces), 2))
    assert fitted.writer is not None
    assert [len(row) for row in fitted.writer.queries] == [fitted.settings.writing.queries_per_document] * len(texts)


def test_documents_are_found_by_their_own_texts() -> None:
    ranker = tiny(epochs=8, hidden_size=32, max_length=64, batch_size=8, id_rate_factor=1.0).fit(COLLECTION)
    asked = [Query(document.id, document.text) for document in COLLECTION.documents]
    found = [hits[0].document for hits in ranker.search(asked, 1)]
    right = np.mean([query.id == name for query, name in zip(asked, found, strict=True)])
    assert right >= 10 / len(asked)


def test_a_saved_ranker_gives_the_same_results(fitted: Nci, tmp_path: Path) -> None:
    fitted.save(tmp_path)
    loaded = Nci.load(tmp_path, settings_from(NciSettings, settings_row(fitted.settings)))
    assert isinstance(loaded.parts.generator, PawaGenerator)
    assert loaded.search(COLLECTION.queries, 9) == fitted.search(COLLECTION.queries, 9)
    assert {path.suffix for path in tmp_path.iterdir()} <= {".npz", ".json", ".safetensors"}
    assert loaded.with_queries(COLLECTION).search(TRAIN[:2], 9) == fitted.with_queries(COLLECTION).search(TRAIN[:2], 9)
    assert fitted.search([Query("q", " ")], 3) == [[]]


def test_with_queries_leaves_the_original_unchanged() -> None:
    indexed = tiny().fit(BARE)
    before, rows, hits = weights(indexed), list(indexed.training.log), indexed.search(TRAIN[:2], 9)
    assert not any("retrieval" in row for row in rows)
    updated = indexed.with_queries(COLLECTION)
    assert (indexed.training.log, indexed.search(TRAIN[:2], 9)) == (rows, hits)
    assert all(torch.equal(value, before[name]) for name, value in weights(indexed).items())
    assert not all(torch.equal(value, before[name]) for name, value in weights(updated).items())
    assert ["retrieval" in row for row in updated.training.log] == [False] * len(rows) + [True] * 2
    assert (updated.parts.ids, updated.parts.tokens) == (indexed.parts.ids, indexed.parts.tokens)
    assert updated.writer is not None
    assert indexed.writer is not None
    assert updated.writer.queries == indexed.writer.queries


def test_the_same_seed_gives_the_same_ranking(fitted: Nci) -> None:
    assert tiny().fit(COLLECTION).search(TRAIN[:3], 9) == fitted.search(TRAIN[:3], 9)


def test_training_can_start_from_a_published_checkpoint(tmp_path: Path) -> None:
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 1, "num_decoder_layers": 1, "num_heads": 2}
    ranker = tiny(backbone=str(random_t5(tmp_path, **sizes, vocab_size=1500)), epochs=1).fit(COLLECTION)
    assert ranker.parts.generator.backbone.shape.vocabulary == 1500
    assert ranker.search(COLLECTION.queries[:1], 5)[0]


def test_training_can_start_from_a_base_model_and_adapts_it(tmp_path: Path) -> None:
    ranker = tiny(backbone=str(tiny_base(tmp_path, judgments())), epochs=1, learning_rate=0.0).fit(COLLECTION)
    assert ranker.parts.base is not None
    assert isinstance(ranker.parts.generator, PawaGenerator)
    mine, theirs = ranker.parts.generator.backbone.state_dict(), ranker.parts.base.backbone.state_dict()
    assert all(torch.equal(mine[name], theirs[name]) for name in theirs)  # a rate of zero moves nothing
    assert ranker.parts.generator.backbone.shape.dropout == 0.1


def test_the_ranker_is_registered_and_its_settings_have_limits() -> None:
    assert RANKERS["nci"] is Nci
    for setting in ({"pieces": 0}, {"consistency": -1}):
        with pytest.raises(InputError, match="out of range"):
            settings_from(NciSettings, setting)
