"""Concepts: directions learnt from documents, and vectors that do not depend on other documents."""

from pathlib import Path

import numpy as np
import pytest

from lexgear.corpus.records import Collection
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.words import segmenter
from lexgear.rankers.lexgear.features.concepts import Concepts

LEASES = [["lease", "rent", "landlord"], ["rent", "tenant", "landlord"], ["lease", "tenant"]] * 3
ROADS = [["road", "speed", "driver"], ["speed", "driver", "licence"], ["road", "licence"]] * 3


@pytest.fixture
def concepts() -> Concepts:
    return Concepts.of(WordCounts.of([*LEASES, *ROADS]))


def test_texts_on_the_same_subject_are_similar_without_shared_words(concepts: Concepts) -> None:
    documents = concepts.vectors(WordCounts.of([["lease"], ["road"], ["tenant"]]))
    near = documents @ concepts.vector(["rent"])
    assert near[0] > 0.5
    assert near[2] > 0.5
    assert near[1] < 0


def test_vectors_have_length_one_or_zero_without_a_known_word(concepts: Concepts) -> None:
    vectors = concepts.vectors(WordCounts.of([["rent", "rent"], ["unheard"], []]))
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx([1, 0, 0], abs=1e-3)


def test_a_document_has_the_same_vector_alone_and_among_others(sample: Collection) -> None:
    words = [segmenter("zh")(document.text) for document in sample.documents[:120]]
    concepts = Concepts.of(WordCounts.of(words))
    together = concepts.vectors(WordCounts.of(words))
    assert all((concepts.vectors(WordCounts.of([one]))[0] == together[at]).all() for at, one in enumerate(words[:20]))


def test_saved_concepts_give_the_same_vectors(concepts: Concepts, tmp_path: Path) -> None:
    concepts.save(tmp_path / "concepts.npz")
    loaded, texts = Concepts.load(tmp_path / "concepts.npz"), WordCounts.of(LEASES)
    assert (loaded.vectors(texts) == concepts.vectors(texts)).all()


def test_of_many_documents_evenly_spaced_ones_teach(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [*LEASES, *ROADS]
    monkeypatch.setattr("lexgear.rankers.lexgear.features.concepts.MAX_DOCUMENTS", 4)
    learnt = Concepts.of(WordCounts.of(documents))
    table = learnt._table(WordCounts.of([documents[at] for at in (0, 6, 11, 17)])).toarray()
    strongest = np.linalg.svd(table)[2][: learnt.directions.shape[1]]
    assert learnt.directions @ learnt.directions.T == pytest.approx(strongest.T @ strongest, abs=5e-3)


@pytest.mark.parametrize("texts", [[], [[], []], [["one"]], [["a", "b"]] * 3])
def test_too_few_documents_give_no_directions(texts: list[list[str]]) -> None:
    counts = WordCounts.of(texts)
    assert Concepts.of(counts).vectors(counts).shape == (len(texts), 0)
