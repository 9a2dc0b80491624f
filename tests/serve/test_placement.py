"""Counts of documents by place of the law are those of the documents themselves, which are not read for them."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Collection, Document
from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.index.catalogue import Catalogue
from lexgear.rankers.words.bm25 import BM25
from lexgear.serve.placement import DocumentPlacement

SAMPLE = sample_cases()
ARTICLE = next(node for node in SAMPLE.law if node.kind == "article")
DOCUMENTS = (
    *SAMPLE.documents[:30],
    replace(SAMPLE.documents[30], charges=("盗窃罪", "诈骗罪", "盗窃罪")),
    Document("article", {"text": "一条法律。"}, node=ARTICLE.id),
    Document("unplaced", {"fact": "提到现金的一份文书。"}),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    collection = replace(SAMPLE, documents=DOCUMENTS[:20], queries=(), qrels={}, pools={})
    index = train(collection, BM25(), tmp_path_factory.mktemp("placement") / "index")
    index.add(DOCUMENTS[20:])
    index.remove([DOCUMENTS[2].id, DOCUMENTS[25].id])
    return index


def test_places_and_counts_are_those_of_the_live_documents(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = list(index.stored.catalogue.documents())
    monkeypatch.delattr(Catalogue, "documents")
    placement = DocumentPlacement.of(index)
    below: dict[str, set[str]] = {}
    for document in documents:
        for path in placement.paths(document, index.law):
            for step in path:
                below.setdefault(step.id, set()).add(document.id)
    assert placement.below == {place: tuple(sorted(ids)) for place, ids in below.items()}
    assert placement.articles == {"article": ARTICLE.id}
    assert placement.unplaced == sum(not (document.charges or document.node) for document in documents)
    charges = Counter(charge for document in documents for charge in set(document.charges))
    assert placement.facets["charge"] == charges
    assert placement.facets["level"] == Counter(document.level for document in documents if document.level)
    assert placement.facets["date"] == Counter(document.date[:4] for document in documents if document.date)
    assert list(placement.facets["charge"].values()) == sorted(charges.values(), reverse=True)


def test_articles_stand_in_the_order_of_the_law_whatever_their_ids(tmp_path: Path) -> None:
    statutes = sample_statutes()
    articles = tuple(Document(str(1000 - at), one.sections, node=one.node) for at, one in enumerate(statutes.documents))
    index = train(Collection("articles", "fr", articles, law=statutes.law), BM25(), tmp_path / "index")
    below = DocumentPlacement.of(index).below
    assert [below[root.id] for root in index.law.roots] == [tuple(one.id for one in articles)]


def test_a_catalogue_of_an_earlier_version_has_no_column_of_law_nodes(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = index.stored.catalogue.nodes()
    monkeypatch.setattr(Catalogue, "_has_column", lambda catalogue, name: name != "node")
    assert index.stored.catalogue.nodes() == nodes == {"article": ARTICLE.id}
