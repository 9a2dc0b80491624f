"""The bi-encoder end to end on a slice of the sample."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from lexgear import api
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.errors import InputError
from lexgear.files import read_jsonl
from lexgear.pretraining.base import shipped_base
from lexgear.rankers.dense.bi_encoder import Dense
from lexgear.rankers.dense.encoder_start import start
from lexgear.rankers.dense.settings import DenseSettings
from lexgear.rankers.dense.training_pairs import document_texts, judgment_pairs, query_pairs
from lexgear.rankers.scope import Scope
from lexgear.rankers.training_run import validation_mrr
from lexgear.settings import changed, configure, settings_from, settings_row
from random_checkpoints import random_t5
from random_encoders import random_encoder
from training.small_collection import small_collection

COLLECTION = small_collection(60)
WITHOUT_QUERIES = replace(COLLECTION, queries=(), qrels={})
QUICK = configure(
    DenseSettings,
    batch_size=20,
    max_length=64,
    hidden_size=32,
    vocab_size=1200,
    epochs=8,
    learning_rate=0.01,
    hard_negatives=1,
    query_epochs=3,
    token_dropout=0.1,
)
BRIEF = changed(QUICK, epochs=1)
TRAIN = [query for query in COLLECTION.queries if query.split == "train"]


def encode(texts: Sequence[str]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    return np.zeros((len(texts), 1), np.int64), np.ones((len(texts), 1), np.bool_)


@pytest.fixture(scope="module")
def dense() -> Dense:
    return Dense(QUICK).fit(COLLECTION)


@pytest.fixture(scope="module")
def without_queries() -> Dense:
    return Dense(BRIEF).fit(WITHOUT_QUERIES)


def weights(ranker: Dense) -> list[torch.Tensor]:
    return [value.clone() for value in ranker.encoder.state_dict().values()]


def same(one: list[torch.Tensor], other: list[torch.Tensor]) -> bool:
    return all(torch.equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


def test_facts_find_their_own_judgment(dense: Dense) -> None:
    queries = [Query(one.id, one.sections["fact"]) for one in COLLECTION.documents]
    first = [hits[0].document for hits in dense.search(queries, 1)]
    assert np.mean([query.id == name for query, name in zip(queries, first, strict=True)]) > 0.5


def test_a_score_is_the_cosine_of_two_vectors(dense: Dense) -> None:
    [query] = TRAIN[:1]
    assert np.allclose(np.linalg.norm(dense.vectors, axis=1), 1.0, atol=1e-3)
    [hits] = dense.search([query], 5)
    cosines = dict(zip(dense.documents, dense.vectors @ dense._vector(dense.names.query(query)), strict=True))
    assert [hit.score for hit in hits] == [round(score, 5) for score in sorted(cosines.values(), reverse=True)[:5]]
    assert all(hit.score == round(cosines[hit.document], 5) for hit in hits)


def test_the_loss_falls_and_steps_and_tokens_are_counted(dense: Dense) -> None:
    assert [row["epoch"] for row in dense.training.log] == list(range(1, 9))
    assert dense.training.log[1]["contrastive"] < dense.training.log[0]["contrastive"]
    assert dense.training.log[-1]["tokens"] > dense.training.log[0]["tokens"] > 0


def test_a_saved_ranker_has_the_same_vectors_and_hits(dense: Dense, tmp_path: Path) -> None:
    dense.save(tmp_path)
    loaded = Dense.load(tmp_path, settings_from(DenseSettings, settings_row(QUICK)))
    assert np.array_equal(loaded.vectors, dense.vectors)
    assert loaded.search(TRAIN, 9) == dense.search(TRAIN, 9)
    assert {path.suffix for path in tmp_path.iterdir()} == {".npz", ".json", ".safetensors"}


@pytest.mark.parametrize("index", ["faiss", "hnsw"])
def test_faiss_gives_the_ranking_of_the_full_matrix_product(dense: Dense, index: str) -> None:
    [own] = (replace(TRAIN[0], own_documents=(hits[0].document,)) for hits in dense.search(TRAIN[:1], 1))
    queries = [*COLLECTION.queries, own, Query("nothing", " ")]
    pool = Scope(pools={query.id: [one.id for one in COLLECTION.documents[:9]] for query in queries})
    exact = [dense.search(queries, 7), dense.search(queries, 7, pool)]
    dense.settings = changed(QUICK, index=index)
    try:
        assert [dense.search(queries, 7), dense.search(queries, 7, pool)] == exact
    finally:
        dense.settings, dense._faiss = QUICK, None


def test_rankings_do_not_depend_on_other_queries_of_the_same_search(dense: Dense) -> None:
    queries = COLLECTION.queries[:5]
    assert [dense.search([query], 10)[0] for query in queries] == dense.search(queries, 10)


def test_no_label_of_a_query_reaches_its_input(dense: Dense) -> None:
    bare = [Query(query.id, query.text) for query in COLLECTION.queries]
    assert dense.search(bare, 5) == dense.search(COLLECTION.queries, 5)


@pytest.mark.parametrize("text", ["", " ", "。。。", "\ud800", "🙂", "\x00", "盗" * 20_000])
def test_unusual_texts_can_be_searched(dense: Dense, text: str) -> None:
    assert len(dense.search([Query("q", text)], 3)[0]) in {0, 3}


def test_the_same_seed_gives_the_same_weights() -> None:
    one, other = (Dense(BRIEF).fit(COLLECTION) for _ in range(2))
    assert same(weights(one), weights(other))
    assert not same(weights(one), weights(Dense(changed(BRIEF, seed=1)).fit(COLLECTION)))


def test_test_queries_and_barred_queries_do_not_change_the_weights() -> None:
    barred = replace(COLLECTION, source={"never_train_on": TRAIN[0].id})
    hidden = {TRAIN[0].id, *(query.id for query in COLLECTION.queries if query.split == "test")}
    queries = tuple(replace(one, text="另一段事实") if one.id in hidden else one for one in barred.queries)
    labels = {name: {"c0001": 3} if name in hidden else grades for name, grades in barred.qrels.items()}
    one, other = (Dense(BRIEF).fit(each) for each in (barred, replace(barred, queries=queries, qrels=labels)))
    assert same(weights(one), weights(other))


def test_barred_judgments_are_not_used_as_queries() -> None:
    first, second = (document.id for document in COLLECTION.documents[:2])
    pairs = judgment_pairs(replace(COLLECTION, source={"never_train_on": first}), encode, weak=False)
    assert len(pairs) == len(COLLECTION.documents) - 1
    assert COLLECTION.documents[pairs.texts.leaves[0][0]].id == second


def test_documents_with_the_same_charges_are_weak_positives_and_not_negatives() -> None:
    pairs, charges = judgment_pairs(COLLECTION, encode, weak=True), [set(one.charges) for one in COLLECTION.documents]
    for place, (right, excluded) in enumerate(zip(pairs.texts.leaves, pairs.excluded, strict=True)):
        assert set(right) == set(excluded) == {at for at, other in enumerate(charges) if other == charges[place]}
        assert (right == place).mean() >= 0.5  # itself as often as any other
    alone = judgment_pairs(COLLECTION, encode, weak=False)
    assert [set(right) for right in alone.texts.leaves] == [{place} for place in range(len(charges))]


def test_own_judgments_of_a_query_are_neither_positives_nor_negatives() -> None:
    query = replace(TRAIN[0], own_documents=("c0002",))
    pairs = query_pairs(COLLECTION, [query], encode)
    names = [{COLLECTION.documents[place].id for place in row[0]} for row in (pairs.texts.leaves, pairs.excluded)]
    right, excluded = names
    assert excluded - right == {"c0002"}
    assert right == {name for name, grade in COLLECTION.qrels[query.id].items() if grade >= 2} - {"c0002"}


def test_an_article_is_read_under_its_titles_and_a_judgment_with_its_reasoning() -> None:
    statutes = sample_statutes()
    [above, *_] = (
        node.title for node in statutes.law.path(statutes.law[statutes.documents[5].node])[:-1] if node.title
    )
    assert document_texts(statutes)[5].startswith(above)
    assert COLLECTION.documents[0].sections["reasoning"] in document_texts(COLLECTION)[0]


def test_with_queries_continues_training_and_leaves_the_original_unchanged(without_queries: Dense) -> None:
    before, hits = weights(without_queries), without_queries.search(TRAIN, 5)
    updated = without_queries.with_queries(COLLECTION)
    assert same(weights(without_queries), before)
    assert without_queries.search(TRAIN, 5) == hits
    assert updated.tokens is without_queries.tokens
    assert updated.knows_queries
    assert [row["epoch"] for row in updated.training.log] == [1, 2, 3]
    assert validation_mrr(updated, COLLECTION, TRAIN) > validation_mrr(without_queries, COLLECTION, TRAIN)


def test_with_queries_trains_from_the_start_if_queries_were_learnt_before() -> None:
    known = Dense(BRIEF).fit(COLLECTION)
    others = replace(COLLECTION, queries=COLLECTION.queries[::2])
    assert same(weights(known.with_queries(others)), weights(Dense(BRIEF).fit(others)))


def test_with_queries_without_any_query_changes_nothing(without_queries: Dense) -> None:
    updated = without_queries.with_queries(WITHOUT_QUERIES)
    assert same(weights(updated), weights(without_queries))
    assert updated.search(TRAIN, 5) == without_queries.search(TRAIN, 5)


def test_with_patience_every_epoch_is_validated_by_its_own_vectors() -> None:
    ranker = Dense(changed(BRIEF, epochs=3, patience=3)).fit(COLLECTION)
    values = [row["validation"] for row in ranker.training.log]
    split = Dense(changed(BRIEF, patience=3)).training.split(COLLECTION)
    assert len(values) == 3
    assert validation_mrr(ranker, COLLECTION, split.validation) == pytest.approx(max(values))


def test_interrupted_training_resumes_in_the_same_stage(tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    settings = changed(QUICK, epochs=3, pretraining="matching", pretraining_epochs=1)

    def stop(done: int, total: int | None, note: str = "") -> None:
        if note.startswith("epoch 3/3"):
            raise StoppedError

    with pytest.raises(StoppedError):
        api.train(COLLECTION, Dense(settings), tmp_path / "index", stop)
    seen: list[str] = []
    index = api.train(COLLECTION, Dense(settings), tmp_path / "index", lambda done, total, note="": seen.append(note))
    assert {note.split()[1] for note in seen if note.startswith("epoch")} == {"3/3"}
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    whole = Dense(settings).fit(COLLECTION)
    assert [row for _, row in read_jsonl(tmp_path / "index" / "training.jsonl")] == whole.training.log
    assert [row.get("matching", 0) > 0 for row in whole.training.log] == [True, False, False, False]
    assert index.rank(TRAIN, 5) == whole.search(TRAIN, 5)


@pytest.mark.parametrize("kind", ["bert", "roberta", "longformer", "t5"])
def test_a_checkpoint_can_be_the_backbone_and_the_index_does_not_need_it(kind: str, tmp_path: Path) -> None:
    directory, index = tmp_path / kind, tmp_path / "index"
    directory.mkdir()
    index.mkdir()
    small = small_collection(20)
    if kind == "t5":
        random_t5(directory, d_model=16, d_ff=32, d_kv=8, num_heads=2, num_layers=1, num_decoder_layers=1)
    else:
        random_encoder(directory, kind, [document.text for document in small.documents])
    settings = changed(BRIEF, backbone=str(directory), max_length=512, pooling="cls", pretraining="masked")
    ranker = Dense(settings).fit(small)
    assert ("masked" in ranker.training.log[0]) == (kind == "t5")  # those of the BERT family bring their pretraining
    assert ranker.label() == (
        Dense.label_from_scratch.replace("scratch", kind) if kind == "t5" else f"bi-encoder ({kind})"
    )
    ranker.save(index)
    for file in directory.iterdir():
        file.unlink()
    assert Dense.load(index, settings).search(small.queries, 5) == ranker.search(small.queries, 5)


def test_an_encoder_from_a_base_model_gives_the_vectors_of_the_base_model() -> None:
    begun = start(changed(QUICK, backbone="shipped"), "fr", [])
    base = shipped_base("fr")
    assert base is not None
    numbers, mask = base.tokens.encode(["Qui paie les travaux ?", "Le bail prend fin."], 64)
    own = base.generator.vectors(base.generator.read(numbers, mask)).detach()  # in single precision
    torch.testing.assert_close(begun.encoder.eval().read_all(numbers, mask).cpu(), own)
    assert begun.note == "started from a base model of 26.7M parameters"


def test_without_a_shipped_base_model_a_note_says_that_training_starts_from_scratch() -> None:
    begun = start(changed(QUICK, backbone="shipped"), "xx", ["a text", "another text"])
    assert begun.note.startswith("lexgear has no base model for 'xx': an encoder from scratch; backbone=")
    assert begun.encoder.body.width == QUICK.size.hidden_size


def test_a_collection_without_any_text_is_refused() -> None:
    with pytest.raises(InputError, match="no document of bare has a text"):
        Dense().fit(Collection("bare", "zh", (Document("d", charges=("盗窃罪",)),)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("index", "tree"),
        ("pooling", "max"),
        ("pretraining", "all"),
        ("hidden_size", 33),
        ("epochs", 0),
        ("negative_refresh", -1),
    ],
)
def test_invalid_settings_are_refused(name: str, value: object) -> None:
    with pytest.raises(InputError, match=name):
        settings_from(DenseSettings, {name: value})
