"""Adding and removing documents, compared with reading the same documents from the start."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.corpus.records import Collection, Document
from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.errors import InputError
from lexgear.rankers.base import Ranker
from lexgear.rankers.baselines.gold_charge import GoldChargePopular, GoldChargeRandom
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.words.bm25 import BM25
from lexgear.rankers.words.query_likelihood import QueryLikelihood
from lexgear.settings import configure
from rankers.generative.test_gear import COLLECTION as SLICE
from rankers.small import COLLECTION as SMALL
from rankers.small import QUICK_LEXGEAR

CASES = replace(SLICE, source={"never_train_on": f"{SLICE.documents[3].id} late-2"})
OTHERS = tuple(replace(document, id=f"late-{at}") for at, document in enumerate(sample_cases().documents[-6:]))
POOL = (*CASES.documents, *OTHERS[:4], replace(OTHERS[4], charges=()), replace(OTHERS[5], charges=("盗窃罪", "诈骗罪")))


@pytest.fixture(scope="module")
def trained() -> Lexgear:
    """A `lexgear` in whose ranking every part of the score has a weight."""
    ranker = Lexgear(QUICK_LEXGEAR).fit(CASES)
    ranker.inference.weights = replace(
        ranker.inference.weights, generator=0.25, charge=2.0, content=0.5, past_questions=5.0
    )
    return ranker


@pytest.fixture(scope="module")
def statutes() -> Lexgear:
    return Lexgear(configure(LexgearSettings, backbone="")).fit(sample_statutes())


def from_the_start(ranker: Lexgear, collection: Collection) -> Lexgear:
    """Return a ranker with the same weights that reads all documents of the collection at once."""
    return ranker.with_documents(of(collection, [Document("unheard", {"text": "现金"})])).with_documents(collection)


def parts(ranker: Ranker, directory: Path) -> dict[str, bytes]:
    directory.mkdir()
    ranker.save_documents(directory)
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def of(collection: Collection, documents: Sequence[Document]) -> Collection:
    """Return the collection as an index knows it: without queries, labels and source."""
    return Collection(collection.name, collection.language, tuple(documents), law=collection.law)


steps = st.lists(st.sets(st.integers(0, len(POOL) - 1), min_size=1, max_size=40), min_size=1, max_size=4)


@settings(max_examples=8)
@given(steps)
def test_adding_and_removing_documents_gives_the_ranker_over_the_same_documents(
    trained: Lexgear, steps: list[set[int]]
) -> None:
    documents, ranker = list(CASES.documents), trained
    for step in steps:  # what is there goes, what is not comes
        chosen = [POOL[place] for place in sorted(step)]
        gone = {document.id for document in chosen if document in documents}
        documents = [document for document in documents if document.id not in gone]
        documents += [document for document in chosen if document.id not in gone]
        ranker = ranker.with_documents(of(CASES, documents))
    whole = from_the_start(trained, of(CASES, documents))
    with TemporaryDirectory() as place:
        assert parts(ranker, Path(place, "grown")) == parts(whole, Path(place, "whole"))
    queries = CASES.queries[:3]
    assert ranker.search(queries, len(documents)) == whole.search(queries, len(documents))
    assert ranker.search_explained(queries[0], 5) == whole.search_explained(queries[0], 5)


def test_with_documents_over_the_same_documents_changes_nothing(trained: Lexgear, tmp_path: Path) -> None:
    again = trained.with_documents(of(CASES, CASES.documents))
    assert parts(again, tmp_path / "again") == parts(trained, tmp_path / "trained")
    assert parts(from_the_start(trained, of(CASES, CASES.documents)), tmp_path / "new") == parts(
        trained, tmp_path / "old"
    )


def test_law_symbols_do_not_depend_on_the_documents(trained: Lexgear) -> None:
    bare = trained.with_documents(of(CASES, [replace(POOL[0], charges=())]))
    assert (
        bare.parts.ids.names[: bare.parts.ids.law_symbols] == trained.parts.ids.names[: trained.parts.ids.law_symbols]
    )
    [hits] = bare.search(CASES.queries[:1], 5)
    assert [hit.document for hit in hits] == [POOL[0].id]


def test_barred_judgments_are_ignored_even_if_they_are_added_later(trained: Lexgear) -> None:
    grown = trained.with_documents(of(CASES, POOL))
    lengths = dict(zip(grown.documents, grown.inference.features.words.facts().lengths, strict=True))
    assert lengths[CASES.documents[3].id] == lengths["late-2"] == 0
    assert lengths["late-1"] > 0


def test_an_article_that_is_removed_and_added_again_keeps_its_past_questions(statutes: Lexgear, tmp_path: Path) -> None:
    collection = sample_statutes()
    query = next(query for query in collection.queries if query.split == "train")
    [name, *_] = collection.qrels[query.id]
    others = [document for document in collection.documents if document.id != name]
    without = statutes.with_documents(of(collection, others))
    assert name not in [hit.document for hit in without.search([query], 200)[0]]
    back = without.with_documents(of(collection, collection.documents))
    assert parts(back, tmp_path / "back") == parts(statutes, tmp_path / "before")
    assert back.search([query], 200) == statutes.search([query], 200)
    scores = {hit.document: why.past_questions for hit, why in back.search_explained(query, 200) if why}
    assert scores[name] > 0
    assert scores == {hit.document: why.past_questions for hit, why in statutes.search_explained(query, 200) if why}


@pytest.mark.parametrize("kind", [BM25, QueryLikelihood, GoldChargePopular, GoldChargeRandom])
def test_with_documents_equals_fitting_for_rankers_without_training(kind: type[Ranker], tmp_path: Path) -> None:
    smaller = replace(SMALL, documents=SMALL.documents[1:])
    before = kind().fit(SMALL)
    gone = before.with_documents(of(SMALL, SMALL.documents[1:]))
    assert gone.search(SMALL.queries, 4) == kind().fit(smaller).search(SMALL.queries, 4)
    again = gone.with_documents(of(SMALL, SMALL.documents))
    assert parts(again, tmp_path / "again") == parts(before, tmp_path / "before")
    assert again.search(SMALL.queries, 4) == before.search(SMALL.queries, 4)


def test_gear_refuses_to_add_documents_without_training() -> None:
    with pytest.raises(InputError, match=r"gear memorises its documents.*train it again.*ranker lexgear"):
        Gear().with_documents(SMALL)
