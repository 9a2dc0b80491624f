"""GEAR end to end on a slice of the sample: small enough for a test, large enough that only learning explains it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from lexgear.corpus.records import Collection, Query
from lexgear.corpus.sample.cases import sample_cases
from lexgear.errors import InputError
from lexgear.judgment.judge import judge
from lexgear.model.generator.walk import ModelWalk
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.generative.generator_parts import MODEL
from lexgear.rankers.scope import Scope
from lexgear.search.exact import best_documents
from lexgear.settings import changed, configure, settings_from, settings_row

QUICK = configure(
    GearSettings,
    epochs=14,
    batch_size=16,
    max_length=48,
    hidden_size=64,
    learning_rate=0.004,
    vocab_size=2000,
    num_train_beams=4,
)
CHARGES = {"盗窃罪", "诈骗罪", "交通肇事罪", "走私、贩卖、运输、制造毒品罪"}


def slice_of_sample() -> Collection:
    """Return the documents that have exactly one of four charges, and their queries."""
    whole = sample_cases()
    documents = tuple(document for document in whole.documents if set(document.charges) <= CHARGES)[:120]
    ids = {document.id for document in documents}
    qrels = {q: {d: g for d, g in row.items() if d in ids} for q, row in whole.qrels.items()}
    queries = tuple(query for query in whole.queries if set(query.charges) <= CHARGES)
    return replace(whole, documents=documents, queries=queries, qrels=qrels)


COLLECTION = slice_of_sample()


@pytest.fixture(scope="module")
def gear() -> Gear:
    return Gear(QUICK).fit(COLLECTION)


def test_a_documents_own_rationale_returns_its_id_first(gear: Gear) -> None:
    documents = gear.names.collection(COLLECTION).documents
    numbers, mask = gear.parts.tokens.encode(gear.parts.inputs.of_documents(documents), QUICK.max_length)
    read = gear.parts.generator.read_only(numbers, mask)
    walks = (
        ModelWalk(gear.parts.generator, gear.parts.ids.trie, read, place) for place in range(len(COLLECTION.documents))
    )
    first = [best_documents(gear.parts.ids.trie, walk, 1).hits[0][0] for walk in walks]
    assert np.mean(np.array(first) == np.arange(len(first))) >= 0.95


def test_the_first_documents_of_unseen_queries_mostly_have_their_charge(gear: Gear) -> None:
    charges = {document.id: set(document.charges) for document in COLLECTION.documents}
    queries = [query for query in COLLECTION.queries if query.split == "test"]
    found = [charges[hits[0].document] for hits in gear.search(queries, 1)]
    right = [bool(named & set(query.charges)) for named, query in zip(found, queries, strict=True)]
    shares = [sum(bool(c & set(query.charges)) for c in charges.values()) / len(charges) for query in queries]
    assert np.mean(right) > 1.5 * np.mean(shares)  # better than any document at random


def test_every_loss_of_the_paper_falls(gear: Gear) -> None:
    first, last = gear.training.log[0], gear.training.log[-1]
    assert first.keys() == {"epoch", "L_i", "L_r", "L_c", "rate", "steps", "tokens"}
    assert last["L_i"] < 0.5 * first["L_i"]
    assert last["L_r"] < first["L_r"]


def test_a_saved_gear_ranks_as_before_and_holds_no_pickle(gear: Gear, tmp_path: Path) -> None:
    gear.save(tmp_path)
    loaded = Gear.load(tmp_path, settings_from(GearSettings, settings_row(QUICK)))
    queries = COLLECTION.queries[:4]
    assert loaded.search(queries, 5) == gear.search(queries, 5)
    assert {path.suffix for path in tmp_path.iterdir()} == {".npz", ".json", ".safetensors"}
    assert load_file(tmp_path / MODEL).keys() == gear.parts.generator.state_dict().keys()


def test_rankings_do_not_depend_on_other_queries_of_the_same_search(gear: Gear) -> None:
    queries = list(COLLECTION.queries[:5])
    together = gear.search(queries, 10)
    assert [gear.search([query], 10)[0] for query in queries] == together


def test_beam_search_with_enough_beams_equals_exact_search(gear: Gear) -> None:
    queries = COLLECTION.queries[:3]
    exact = gear.search(queries, 5)
    gear.settings = changed(QUICK, search="beam", num_beams=500)
    try:
        assert [[hit.document for hit in hits] for hits in gear.search(queries, 5)] == [
            [hit.document for hit in hits] for hits in exact
        ]
    finally:
        gear.settings = QUICK


@pytest.mark.parametrize("search", ["exact", "beam"])
def test_an_explanation_lists_every_step_of_the_ids_and_their_contributions(gear: Gear, search: str) -> None:
    charges = {document.id: document.charges for document in COLLECTION.documents}
    gear.settings = changed(QUICK, search=search, num_beams=500)
    try:
        for query in COLLECTION.queries[:3]:
            explained = gear.search_explained(query, 5)
            assert [hit for hit, _ in explained] == gear.search([query], 5)[0]
            for hit, why in explained:
                assert why is not None
                assert why.charge + why.content + why.words == pytest.approx(hit.score, abs=1e-4)
                assert {path[-2].place.rsplit("/", 1)[-1] for path in why.paths} == set(charges[hit.document])
                assert {path[-1].place for path in why.paths} == {hit.document}
                log_p = [np.sum(np.log([step.probability for step in path])) for path in why.paths]
                assert np.logaddexp.reduce(log_p) == pytest.approx(hit.score, abs=1e-4)
                assert {part.charge for part in why.rationale} <= set(charges[hit.document])
    finally:
        gear.settings = QUICK


def test_no_label_of_a_query_reaches_its_input(gear: Gear) -> None:
    shuffled = [replace(query, charges=("放火罪",), split="train") for query in COLLECTION.queries[:6]]
    assert gear.search(shuffled, 5) == gear.search(COLLECTION.queries[:6], 5)


def test_scopes_and_own_judgments_are_respected(gear: Gear) -> None:
    [query] = COLLECTION.queries[:1]
    [[first, *_]] = gear.search([query], 3)
    own = replace(query, own_documents=(first.document,))
    assert first.document not in [hit.document for hit in gear.search([own], 120)[0]]
    pool = [document.id for document in COLLECTION.documents[:7]]
    assert {hit.document for hit in gear.search([query], 100, Scope(pools={query.id: pool}))[0]} <= set(pool)


@pytest.mark.parametrize("text", ["", " ", "。。。", "\ud800", "🙂", "\x00", "盗" * 20_000])
def test_unusual_texts_can_be_searched(gear: Gear, text: str) -> None:
    assert len(gear.search([Query("q", text)], 3)[0]) in {0, 3}


def test_the_same_seed_gives_the_same_weights() -> None:
    settings = changed(QUICK, epochs=1)
    one, other = (Gear(settings).fit(COLLECTION).parts.generator.state_dict() for _ in range(2))
    assert all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize(
    ("name", "value"),
    [("search", "depth"), ("hidden_size", 50), ("epochs", 0), ("gamma_h", 2.0), ("k1", -1), ("learning_rate", 9.0)],
)
def test_invalid_settings_are_refused(name: str, value: object) -> None:
    with pytest.raises(InputError, match=name):
        settings_from(GearSettings, {name: value})


def test_indexing_accuracy_measures_memorised_documents(gear: Gear) -> None:
    accuracy = gear.indexing_accuracy(COLLECTION)
    assert accuracy >= 0.95
    other = replace(COLLECTION, documents=COLLECTION.documents[::-1])  # every text is another document's
    assert gear.indexing_accuracy(other) < 0.1
    assert gear.indexing_accuracy(COLLECTION, max_documents=1) in {0.0, 1.0}


def test_with_queries_continues_training_and_leaves_the_original_unchanged() -> None:
    blank = replace(COLLECTION, queries=(), qrels={})
    indexed = Gear(changed(QUICK, epochs=2, query_epochs=1)).fit(blank)
    before = {name: value.clone() for name, value in indexed.parts.generator.state_dict().items()}
    hits = indexed.search(COLLECTION.queries[:2], 5)
    updated = indexed.with_queries(COLLECTION)
    assert all(torch.equal(value, before[name]) for name, value in indexed.parts.generator.state_dict().items())
    assert indexed.search(COLLECTION.queries[:2], 5) == hits
    assert updated.parts.ids is indexed.parts.ids
    assert updated.parts.tokens is indexed.parts.tokens
    assert [row["epoch"] for row in updated.training.log] == [1, 2, 3]
    assert len(indexed.training.log) == 2
    assert "trained on" in updated.training.notes[0]
    moved = [
        name for name, value in updated.parts.generator.state_dict().items() if not torch.equal(value, before[name])
    ]
    assert moved
    assert (
        updated.training.log[-1]["L_i"] < indexed.training.log[0]["L_i"] * 0.95
    )  # from the beginning it would stand there again
    again = indexed.with_queries(COLLECTION)
    assert again.search(COLLECTION.queries[:2], 5) == updated.search(COLLECTION.queries[:2], 5)


def test_beams_are_spent_only_on_permitted_documents(gear: Gear) -> None:
    [query] = COLLECTION.queries[:1]
    pool = [document.id for document in COLLECTION.documents[::9]]
    scope = Scope(pools={query.id: pool})
    exact = gear.search([query], 100, scope)[0]
    gear.settings = changed(QUICK, search="beam", num_beams=len(pool))
    try:
        found = gear.search([query], 100, scope)[0]
    finally:
        gear.settings = QUICK
    assert {hit.document for hit in exact} == set(pool)
    assert len(found) > 0.8 * len(pool)
    assert [hit.document for hit in found[:3]] == [hit.document for hit in exact[:3]]


@pytest.mark.parametrize("search", ["exact", "beam"])
def test_the_law_nodes_on_the_way_are_the_judgment(gear: Gear, search: str) -> None:
    gear.settings = changed(QUICK, search=search, num_beams=30)
    try:
        queries = [query for query in COLLECTION.queries if query.split == "test"]
        for query in queries[:3]:
            judgment = judge(gear.charge_predictor(), COLLECTION.law, query.text, gear.names)
            shares = [charge.share for charge in judgment.charges]
            probabilities = [charge.probability for charge in judgment.charges]
            assert probabilities == sorted(probabilities, reverse=True)
            assert 0.9 < sum(shares) <= 1.0001
            assert {charge.name for charge in judgment.charges} <= CHARGES
            assert all(COLLECTION.law[charge.path[-1]].number == charge.name for charge in judgment.charges)
            shown = [path for _, why in gear.search_explained(query, 3) if why for path in why.paths]
            for path in shown if search == "exact" else []:
                share = np.prod([step.probability for step in path[:-1]])
                named = [charge.share for charge in judgment.charges if charge.path[-1] == path[-2].place]
                assert named == [pytest.approx(share, abs=1e-4)]
    finally:
        gear.settings = QUICK


def test_without_the_law_there_is_no_judgment(gear: Gear) -> None:
    assert gear.can_judge()
    with pytest.raises(InputError, match="cannot judge"):
        Gear(changed(QUICK, ids="kmeans")).charge_predictor()


def test_rationales_are_made_to_fit_the_model_in_memory_and_on_disk(gear: Gear, tmp_path: Path) -> None:
    gear.save(tmp_path)
    for ranker in (gear, Gear.load(tmp_path, QUICK)):
        inputs, tokens = ranker.parts.inputs, ranker.parts.tokens
        texts = inputs.of_queries([query.text for query in COLLECTION.queries])
        best = [
            max(inputs.rationale(query.text).sentences, key=lambda part: part.score) for query in COLLECTION.queries
        ]
        assert all(part.text in text for part, text in zip(best, texts, strict=True))
        assert np.mean(np.array(tokens.count(texts)) <= QUICK.max_length) > 0.7  # a longer sentence is cut
