"""DSI-QG: documents are indexed by written and filtered queries."""

from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.corpus.records import Query
from lexgear.errors import InputError
from lexgear.progress import silent
from lexgear.rankers.generative.dsi_qg import DsiQg, DsiQgSettings
from lexgear.rankers.generative.writing_pairs import writing_pairs
from lexgear.settings import changed, configure, settings_from
from rankers.generative.test_gear import COLLECTION

QUICK = configure(
    DsiQgSettings,
    epochs=6,
    batch_size=16,
    max_length=48,
    hidden_size=48,
    vocab_size=1000,
    num_encoder_layers=1,
    max_query_length=16,
    queries_per_document=3,
    kept_queries=2,
    pairs_per_document=4,
)
CHARGES = [set(document.charges) for document in COLLECTION.documents]


@pytest.fixture(scope="module")
def ranker() -> DsiQg:
    return DsiQg(QUICK).fit(COLLECTION)


def texts(ranker: DsiQg) -> list[str]:
    return ranker.parts.inputs.of_documents(ranker.names.collection(COLLECTION).documents)


def test_generator_filter_and_ids_are_learnt_one_after_the_other(ranker: DsiQg) -> None:
    kinds = [
        "writing" if "writing" in row else "filtering" if "filtering" in row else "ids" for row in ranker.training.log
    ]
    assert (
        kinds
        == ["writing"] * QUICK.writing.writer_epochs
        + ["filtering"] * QUICK.filter_epochs
        + ["ids"] * QUICK.training.epochs
    )
    assert [row["epoch"] for row in ranker.training.log] == list(range(1, len(kinds) + 1))
    assert ranker.training.log[QUICK.writing.writer_epochs - 1]["writing"] < 0.85 * ranker.training.log[0]["writing"]
    assert ranker.training.log[QUICK.writing.writer_epochs]["filtering"] < np.log(2)  # two documents to choose from
    assert ranker.training.log[-1].keys() == {"epoch", "indexing", "retrieval", "rate", "steps", "tokens"}


def test_a_query_generator_is_trained_alone_as_it_is_before_the_ids(ranker: DsiQg) -> None:
    assert ranker.writer is not None
    alone = DsiQg(QUICK)
    writer = alone.fit_writer(COLLECTION)
    assert len(alone.training.log) == QUICK.writing.writer_epochs
    assert writer.one_query_each(texts(ranker)[:5]) == ranker.writer.one_query_each(texts(ranker)[:5])


def test_written_queries_depend_on_the_document(ranker: DsiQg) -> None:
    assert ranker.writer is not None
    writer = ranker.writer.model
    assert writer is not None
    pairs = writing_pairs(COLLECTION, [], texts(ranker), count=100, seed=1)
    (numbers, mask), queries = (
        ranker.parts.tokens.encode([pair.text for pair in pairs], QUICK.max_length),
        ranker.parts.tokens.ended([pair.query for pair in pairs], QUICK.writing.max_query_length),
    )
    with torch.inference_mode():
        own = writer.nll(numbers, mask, *queries).item()
        other = writer.nll(np.roll(numbers, 50, axis=0), np.roll(mask, 50, axis=0), *queries).item()
    assert own < other - 0.1
    first, swapped = (ranker.writer.one_query_each(some) for some in (texts(ranker)[:2], texts(ranker)[1::-1]))
    assert first[0] != swapped[0]


def test_the_filter_keeps_the_queries_with_the_highest_scores(ranker: DsiQg) -> None:
    assert ranker.writer is not None
    assert ranker.filter is not None
    written = ranker.writer._write(texts(ranker), QUICK.writing.queries_per_document)
    for place, (kept, row) in enumerate(zip(ranker.writer.queries, written, strict=True)):
        assert len(kept) == QUICK.kept_queries < len(row) == QUICK.writing.queries_per_document
        shown = ranker.parts.tokens.encode([texts(ranker)[place]] * len(row), QUICK.max_length)
        scores = ranker.filter.scores(
            ranker.parts.tokens.encode(row, QUICK.writing.max_query_length), shown, ranker.parts.tokens.end
        )
        left_out = [score for query, score in zip(row, scores, strict=True) if query not in kept]
        least = min(score for query, score in zip(row, scores, strict=True) if query in kept)
        assert all(score <= least + 1e-4 for score in left_out)
        if place == 20:
            break


def test_documents_are_learnt_from_written_queries_and_not_from_their_texts(ranker: DsiQg) -> None:
    assert ranker.writer is not None
    examples = ranker.writer.examples()
    assert len(examples) == QUICK.kept_queries * len(COLLECTION.documents)
    assert (
        examples.numbers.shape[1] <= QUICK.writing.max_query_length + 4
    )  # the tokenizer may cut a written text a little finer
    owners = [int(ranker.parts.ids.trie.document[leaves[0]]) for leaves in examples.leaves]
    assert owners == [place for place in range(len(COLLECTION.documents)) for _ in range(QUICK.kept_queries)]
    untrained = DsiQg(changed(QUICK, epochs=1, learning_rate=1e-9)).fit(COLLECTION)
    assert ranker.indexing_accuracy(COLLECTION, 60) > untrained.indexing_accuracy(COLLECTION, 60) + 0.1


def test_the_first_documents_of_labelled_queries_mostly_have_their_charge(ranker: DsiQg) -> None:
    queries = [query for query in COLLECTION.queries if query.split == "train"]
    charges = dict(zip((document.id for document in COLLECTION.documents), CHARGES, strict=True))
    found = zip(queries, ranker.search(queries, 1), strict=True)
    right = [bool(charges[hits[0].document] & set(query.charges)) for query, hits in found]
    assert np.mean(right) > 1.5 * np.mean([np.mean([bool(c & set(q.charges)) for c in CHARGES]) for q in queries])


def test_the_index_stores_written_queries_but_neither_generator_nor_filter(ranker: DsiQg, tmp_path: Path) -> None:
    ranker.save(tmp_path)
    loaded = DsiQg.load(tmp_path, QUICK)
    assert loaded.writer is not None
    assert ranker.writer is not None
    assert loaded.writer.queries == ranker.writer.queries
    assert (loaded.writer.model, loaded.filter) == (None, None)
    assert loaded.search([Query("q", "翻墙进入商店")], 5) == ranker.search([Query("q", "翻墙进入商店")], 5)


def test_kept_queries_cannot_exceed_written_queries() -> None:
    with pytest.raises(InputError, match="kept_queries"):
        settings_from(DsiQgSettings, {"queries_per_document": 2, "kept_queries": 3})


def test_training_accepts_an_empty_written_query() -> None:
    ranker = DsiQg(changed(QUICK, epochs=1, writer_epochs=1, hidden_size=16))
    ranker._chosen_queries = lambda task, written, progress: [[""] for _ in written]  # type: ignore[method-assign]
    assert ranker.fit(COLLECTION, silent).search([Query("q", "翻墙进入商店")], 5)[0]
