"""Ultron: three training stages and two kinds of IDs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from lexgear.corpus.records import Query
from lexgear.docids.kmeans import kmeans_ids
from lexgear.docids.vectors import word_vectors
from lexgear.errors import InputError
from lexgear.rankers.generative.generative_ranker import GenerativeRanker
from lexgear.rankers.generative.training_stages import StageSettings, passage_examples, passages, term_examples
from lexgear.rankers.generative.ultron import Ultron, UltronTerms
from lexgear.rankers.registry import RANKERS
from lexgear.settings import settings_from, settings_row
from lexgear.training.loop import Loop
from random_checkpoints import random_t5
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
TINY |= {
    "epochs": 2,
    "writer_epochs": 1,
    "queries_per_document": 2,
    "max_query_length": 6,
    "search_epochs": 2,
    "tuning_epochs": 1,
}
KINDS = (Ultron, UltronTerms)
STAGES = ("passages", "written", "retrieval")

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def tiny(kind: type[GenerativeRanker], **changes: object) -> GenerativeRanker:
    return kind(settings_from(kind.settings_type, TINY | changes))


def weights(ranker: GenerativeRanker) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in ranker.parts.generator.state_dict().items()}


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.name)
def fitted(request: pytest.FixtureRequest) -> GenerativeRanker:
    return tiny(request.param).fit(COLLECTION)


@every_kind
def test_each_stage_changes_the_weights_and_is_logged(
    kind: type[GenerativeRanker], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed: dict[str, bool] = {}
    run = Loop.run

    def watched(loop: Loop, *progress: Any) -> Any:
        before = {name: value.clone() for name, value in loop.model.state_dict().items()}
        rows = run(loop, *progress)
        after = loop.model.state_dict()
        changed[getattr(loop.objective, "kind", "writer")] = any(
            not torch.equal(after[name], value) for name, value in before.items()
        )
        return rows

    monkeypatch.setattr(Loop, "run", watched)
    ranker = tiny(kind).fit(COLLECTION)
    assert changed == dict.fromkeys(("writer", *STAGES), True)
    named = [set(row) & {*STAGES, "terms"} for row in ranker.training.log[1:]]  # the first row is the query generator's
    assert named == [{"passages", "terms"}] * 2 + [{"written"}] * 2 + [{"retrieval"}]
    assert [row["epoch"] for row in ranker.training.log] == [1, 2, 3, 4, 5, 6]


def test_the_third_stage_runs_only_with_labelled_queries(fitted: GenerativeRanker) -> None:
    indexed = tiny(type(fitted), query_epochs=2).fit(BARE)
    before, rows, hits = weights(indexed), list(indexed.training.log), indexed.search(TRAIN[:2], 9)
    assert not any("retrieval" in row for row in rows)
    updated = indexed.with_queries(COLLECTION)
    assert ["retrieval" in row for row in updated.training.log] == [False] * len(rows) + [True] * 2
    assert (indexed.training.log, indexed.search(TRAIN[:2], 9)) == (rows, hits)
    assert all(torch.equal(value, before[name]) for name, value in weights(indexed).items())
    assert not all(torch.equal(value, before[name]) for name, value in weights(updated).items())
    assert (updated.parts.ids, updated.parts.tokens) == (indexed.parts.ids, indexed.parts.tokens)
    assert updated.writer is not None
    assert indexed.writer is not None
    assert updated.writer.queries == indexed.writer.queries
    same = indexed.with_queries(BARE)
    assert all(torch.equal(value, before[name]) for name, value in weights(same).items())


def test_a_saved_ranker_gives_the_same_results(fitted: GenerativeRanker, tmp_path: Path) -> None:
    fitted.save(tmp_path)
    loaded = fitted.load(tmp_path, settings_from(fitted.settings_type, settings_row(fitted.settings)))
    assert loaded.search(COLLECTION.queries, 9) == fitted.search(COLLECTION.queries, 9)
    assert all(fitted.search(COLLECTION.queries, 9))
    assert fitted.search([Query("q", " ")], 3) == [[]]
    assert {path.suffix for path in tmp_path.iterdir()} <= {".npz", ".json", ".safetensors"}
    assert loaded.with_queries(COLLECTION).search(TRAIN[:2], 9) == fitted.with_queries(COLLECTION).search(TRAIN[:2], 9)


@every_kind
def test_the_same_seed_gives_the_same_ranking(kind: type[GenerativeRanker]) -> None:
    one, same, other = (tiny(kind, epochs=1, seed=seed).fit(COLLECTION).search(TRAIN[:3], 9) for seed in (0, 0, 1))
    assert one == same != other


def test_both_ultrons_have_ids_different_from_each_other_and_from_dsi() -> None:
    codes, terms = (tiny(kind, epochs=1).fit(COLLECTION) for kind in KINDS)
    texts = codes.parts.inputs.of_documents(COLLECTION.documents)
    clusters = kmeans_ids(word_vectors(texts, "zh"))
    printed = [
        [ids.format_id(int(ids.trie.leaves_of(place)[0])) for place in range(len(texts))]
        for ids in (codes.parts.ids, terms.parts.ids, clusters)
    ]
    assert not set(printed[0]) & set(printed[1])
    assert printed[0] != printed[2]
    assert len(codes.parts.ids.document_paths(0)[0]) >= 4
    kinds = [
        {ids.kinds[symbol] for symbol in ids.document_paths(0)[0]} - {"number"}
        for ids in (codes.parts.ids, terms.parts.ids)
    ]
    assert kinds == [{"codeword"}, {"term"}]


def test_the_codes_of_ids_reconstruct_the_vectors_of_their_documents() -> None:
    ultron = tiny(Ultron, epochs=1, codewords=8).fit(COLLECTION)
    assert isinstance(ultron, Ultron)
    assert ultron.codebook is not None
    names = [
        [ultron.parts.ids.names[symbol] for symbol in ultron.parts.ids.document_paths(place)[0][:4]]
        for place in range(40)
    ]
    codes = np.array([[int(name.partition("/")[2]) for name in row] for row in names])
    vectors = word_vectors(ultron.parts.inputs.of_documents(ultron.names.collection(COLLECTION).documents), "zh")
    lost, others = (np.square(ultron.codebook.decode(some) - vectors).sum() for some in (codes, np.roll(codes, 1, 0)))
    assert lost < 0.6 * others


def test_terms_of_titles_and_texts_lead_to_ids(fitted: GenerativeRanker) -> None:
    texts = fitted.parts.inputs.of_documents(COLLECTION.documents)
    [read, parts] = [term_examples(fitted.parts, COLLECTION, texts), passage_examples(fitted.parts, texts, 3)]
    assert [leaves.tolist() for leaves in read.leaves] == [
        fitted.parts.ids.trie.leaves_of(at).tolist() for at in range(40)
    ]
    assert len(parts) == 3 * 40


def test_a_text_is_split_between_sentences_without_loss() -> None:
    text = "一。二；三！四。五"
    assert passages(text, 2) == ["一。二；", "三！四。五"]
    assert passages(text, 99) == ["一。", "二；", "三！", "四。", "五"]
    assert passages("", 3) == [""]


@every_kind
def test_training_can_start_from_a_published_checkpoint(kind: type[GenerativeRanker], tmp_path: Path) -> None:
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 1, "num_decoder_layers": 1, "num_heads": 2}
    ranker = tiny(kind, backbone=str(random_t5(tmp_path, **sizes, vocab_size=1500)), epochs=1).fit(COLLECTION)
    assert ranker.parts.generator.backbone.shape.vocabulary == 1500
    assert ranker.search(COLLECTION.queries[:1], 5)[0]


@every_kind
def test_the_ranker_is_registered_and_its_settings_have_limits(kind: type[GenerativeRanker]) -> None:
    assert RANKERS[kind.name] is kind
    for setting in ("passages=0", "search_epochs=0", "tuning_epochs=0"):
        name, _, value = setting.partition("=")
        with pytest.raises(InputError, match=f"{name}: 0 is out of range"):
            settings_from(kind.settings_type, {name: value})
    assert isinstance(kind.settings_type().stages, StageSettings)
