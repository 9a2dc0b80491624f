"""G-DSR: the law graph changes document vectors; without a law it equals the bi-encoder."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file

from lexgear import api
from lexgear.corpus.records import Collection
from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.errors import InputError
from lexgear.law.tree import LawTree
from lexgear.model.encoder.article_encoder import ArticleEncoder
from lexgear.rankers.dense.bi_encoder import Dense
from lexgear.rankers.dense.gdsr import Gdsr, GdsrSettings
from lexgear.rankers.dense.law_graph import LawGraph
from lexgear.settings import changed, configure, settings_from, settings_row, stored_settings
from training.small_collection import TINY, small_collection

COLLECTION = sample_statutes()
QUICK = configure(GdsrSettings, **TINY, graph_epochs=3, query_epochs=2)
QUERIES = COLLECTION.queries[:4]
LOOSE = replace(COLLECTION, law=LawTree(), documents=tuple(replace(one, node="") for one in COLLECTION.documents))
"""The same articles without their places in the law."""


@pytest.fixture(scope="module")
def gdsr() -> Gdsr:
    return Gdsr(QUICK).fit(COLLECTION)


def as_dense(settings: GdsrSettings) -> Dense:
    row = settings_row(settings)
    return Dense(settings_from(Dense.settings_type, {name: row[name] for name in settings_row(Dense().settings)}))


def moved_to(collection: Collection, article: str, parent: str) -> Collection:
    """Return the same articles, one of them under another heading."""
    rows = collection.law.to_rows()
    [row] = [row for row in rows if row["id"] == article]
    rows = [one for one in rows if one is not row]
    return replace(collection, law=LawTree.from_rows([*rows, row | {"parent": parent}]))


def test_a_changed_edge_changes_the_scores_of_the_documents_it_connects(gdsr: Gdsr, tmp_path: Path) -> None:
    gdsr.save(tmp_path)
    document = COLLECTION.documents[0]
    other = moved_to(COLLECTION, document.node, COLLECTION.law[COLLECTION.documents[-1].node].parent or "")
    ranker = Gdsr.load(tmp_path, QUICK)
    ranker.vectors = plain_vectors(ranker)
    assert ranker.network is not None
    with torch.no_grad():
        one, two = (ranker.network(*ranker._graph(collection)) for collection in (COLLECTION, other))
    changed = ((one - two).abs().amax(1) > 1e-5)[: len(COLLECTION.documents)].tolist()
    assert changed[0]
    assert changed[1]  # stood beside it
    assert changed[-1]  # stands beside it now
    assert not all(changed)  # others are too far away
    ranker._pass(*ranker._graph(COLLECTION))
    np.testing.assert_array_equal(ranker.vectors, gdsr.vectors)


def plain_vectors(ranker: Gdsr, collection: Collection = COLLECTION) -> NDArray[np.float64]:
    """Return the vectors of the bi-encoder, before the graph."""
    from lexgear.rankers.dense.training_pairs import document_texts

    read = ranker.encoder.read_all(*ranker._encode(document_texts(collection)))
    return read.half().double().numpy()


def test_the_graph_changes_document_vectors_but_not_the_text_encoder(gdsr: Gdsr) -> None:
    longer = Gdsr(changed(QUICK, graph_epochs=4)).fit(COLLECTION)
    own = gdsr.encoder.state_dict()
    assert all(torch.equal(own[name], weight) for name, weight in longer.encoder.state_dict().items())
    np.testing.assert_array_equal(gdsr._vector(QUERIES[0]), longer._vector(QUERIES[0]))
    assert np.abs(gdsr.vectors - plain_vectors(gdsr)).max() > 0.005
    assert np.abs(gdsr.vectors - longer.vectors).max() > 1e-3


def test_long_documents_are_read_chunk_by_chunk_to_their_end() -> None:
    settings = changed(QUICK, chunk_length=8, max_length=40, epochs=1, graph_epochs=1)
    assert settings.max_length == 40
    ranker = Gdsr(settings).fit(COLLECTION)
    assert isinstance(ranker.encoder, ArticleEncoder)
    text = " ".join(COLLECTION.documents[0].text.split())
    [tokens], [mask] = ranker._encode([text])
    assert mask.sum() > 16
    other = tokens.copy()
    other[mask.sum() - 1] = tokens[0]
    one, changed_end = (ranker.encoder.read(row[None], mask[None]) for row in (tokens, other))
    assert (one - changed_end).abs().max() > 1e-5
    assert ranker.encoder.cut(torch.from_numpy(tokens[None]).long(), torch.from_numpy(mask[None])).tokens.shape[1] == 8


def test_an_index_of_an_earlier_version_is_searched_and_trained_anew_for_other_queries(tmp_path: Path) -> None:
    dense = as_dense(QUICK).fit(COLLECTION)
    dense.save(tmp_path)
    save_file({"layers.0.inward.weight": torch.zeros(2, 2)}, tmp_path / "graph.safetensors")
    row = settings_row(QUICK)
    stored = {name: row[name] for name in row if name not in {"chunk_length", "graph_learning_rate"}}
    opened = Gdsr.load(tmp_path, stored_settings(GdsrSettings, stored))
    assert opened.search(QUERIES, 5) == dense.search(QUERIES, 5)
    assert opened.with_queries(COLLECTION).search(QUERIES, 5) == Gdsr(QUICK).fit(COLLECTION).search(QUERIES, 5)


def test_the_graph_learns(gdsr: Gdsr) -> None:
    own = [row["graph"] for row in gdsr.training.log if "graph" in row]
    assert len(own) == QUICK.graph_epochs
    assert own[-1] < own[0]
    assert [row["epoch"] for row in gdsr.training.log] == [1, 2, 3, 4, 5]
    assert gdsr.training.log[-1]["tokens"] > gdsr.training.log[1]["tokens"] > 0


def test_without_edges_the_vectors_of_the_bi_encoder_stay() -> None:
    ranker = Gdsr(QUICK).fit(LOOSE)
    np.testing.assert_array_equal(ranker.vectors, plain_vectors(ranker, LOOSE))
    assert any("no structure" in note for note in ranker.training.notes)


def test_the_graph_holds_headings_neighbours_and_every_article_once() -> None:
    graph, law = LawGraph.of(COLLECTION), COLLECTION.law
    assert graph.nodes == len(law)
    assert len(graph.texts) == len(law) - len(COLLECTION.documents)
    number = {document.node: place for place, document in enumerate(COLLECTION.documents)}
    headings = [node.id for node in law if node.id not in number]
    number |= {name: len(COLLECTION.documents) + place for place, name in enumerate(headings)}
    first = law[COLLECTION.documents[0].node]
    siblings = [child.id for child in law.children(law[first.parent or ""]) if child.kind == "article"]
    assert (number[first.parent or ""], 0) in graph.pairs
    assert (0, number[siblings[1]]) in graph.pairs
    assert (0, number[siblings[2]]) not in graph.pairs
    assert graph.texts[0] == law.roots[0].title


def test_cases_are_linked_to_their_charges() -> None:
    collection = sample_cases()
    graph = LawGraph.of(collection)
    names = [*(document.id for document in collection.documents), *(node.number for node in collection.law)]
    several = next(place for place, one in enumerate(collection.documents) if len(one.charges) > 1)
    above = [names[other] for place, other in graph.pairs if place == several]
    assert sorted(above) == sorted(collection.documents[several].charges)


def test_gdsr_can_be_trained_on_cases() -> None:
    collection = small_collection()
    ranker = Gdsr(changed(QUICK, epochs=1, graph_epochs=1)).fit(collection)
    assert len(ranker.search(collection.queries[:1], 5)[0]) == 5


def test_a_saved_gdsr_ranks_as_before_and_can_learn_new_queries(tmp_path: Path) -> None:
    indexed = Gdsr(QUICK).fit(replace(COLLECTION, queries=(), qrels={}))
    indexed.save(tmp_path)
    loaded = Gdsr.load(tmp_path, settings_from(GdsrSettings, settings_row(QUICK)))
    assert loaded.search(QUERIES, 5) == indexed.search(QUERIES, 5)
    assert {path.suffix for path in tmp_path.iterdir()} == {".npz", ".json", ".safetensors"}
    updated = indexed.with_queries(COLLECTION)
    assert loaded.with_queries(COLLECTION).search(QUERIES, 5) == updated.search(QUERIES, 5)


def test_with_queries_continues_from_the_trained_graph_and_leaves_the_original_unchanged() -> None:
    indexed = Gdsr(QUICK).fit(replace(COLLECTION, queries=(), qrels={}))
    assert indexed.network is not None
    before = {name: value.clone() for name, value in indexed.network.state_dict().items()}
    hits = indexed.search(QUERIES, 5)
    updated = indexed.with_queries(COLLECTION)
    assert indexed.search(QUERIES, 5) == hits
    assert all(torch.equal(value, before[name]) for name, value in indexed.network.state_dict().items())
    assert updated.network is not None
    after = updated.network.state_dict()
    assert all(not torch.equal(after[name], before[name]) for name in before)
    near = [torch.nn.functional.cosine_similarity(after[n].flatten(), before[n].flatten(), 0) for n in before]
    assert min(near) > 0.5  # it started there
    assert "graph" in updated.training.log[-1]
    assert "trained on" in updated.training.notes[0]
    again = updated.with_queries(COLLECTION)  # knows queries already: from the beginning
    assert again.search(QUERIES, 5) == Gdsr(QUICK).fit(COLLECTION).search(QUERIES, 5)


def test_the_label_says_what_the_model_started_from() -> None:
    assert Gdsr(QUICK).label() == "G-DSR's graph network on a bi-encoder, from scratch"
    assert Gdsr(changed(QUICK, backbone="camembert-base")).label() == "G-DSR (camembert-base)"


def test_validation_chooses_the_epoch_of_the_graph_too() -> None:
    ranker = Gdsr(changed(QUICK, patience=5)).fit(COLLECTION)
    assert all("validation" in row for row in ranker.training.log)


@pytest.mark.parametrize("name", ["graph_layers", "graph_epochs"])
def test_invalid_settings_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=name):
        settings_from(GdsrSettings, {name: 0})


def test_training_resumes_in_the_graph_stage(tmp_path: Path, gdsr: Gdsr) -> None:
    class StoppedError(Exception):
        pass

    def stop(done: int, total: int | None, note: str = "") -> None:
        if note.startswith("epoch 3/3"):
            raise StoppedError

    with pytest.raises(StoppedError):
        api.train(COLLECTION, Gdsr(QUICK), tmp_path / "index", stop)
    resumed = Gdsr(QUICK)
    api.train(COLLECTION, resumed, tmp_path / "index")
    assert resumed.training.log == gdsr.training.log
    assert resumed.search(QUERIES, 5) == gdsr.search(QUERIES, 5)
