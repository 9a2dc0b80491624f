"""Random additions, removals, replacements and compactions give the rankings of the same documents in one segment."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.api import Index, train
from lexgear.api.training import save
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.sample.cases import sample_cases
from lexgear.index.segments import MERGE_FACTOR, merge_groups
from lexgear.rankers.base import Ranker
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.segmented import SegmentedRanker
from lexgear.rankers.words.bm25 import BM25
from lexgear.rankers.words.query_likelihood import QueryLikelihood
from lexgear.settings import configure

SAMPLE = sample_cases()
START = replace(SAMPLE, documents=SAMPLE.documents[:60], queries=(), qrels={}, pools={})
POOL = (
    *SAMPLE.documents[40:90],
    replace(SAMPLE.documents[90], charges=()),
    replace(SAMPLE.documents[91], charges=("盗窃罪", "诈骗罪")),
    Document("odd", {"fact": "提到现金的一份文书。"}),
)
QUERIES = [Query(query.id, query.text, own_documents=(SAMPLE.documents[3].id,)) for query in SAMPLE.queries[:3]]
RANKERS: dict[str, Ranker] = {
    "bm25": BM25(),
    "query_likelihood": QueryLikelihood(),
    "lexgear": Lexgear(configure(LexgearSettings, backbone="")),
}
steps = st.lists(
    st.one_of(st.sets(st.integers(0, len(POOL) - 1), min_size=1, max_size=12), st.just("compact"), st.just("load")),
    min_size=1,
    max_size=6,
)


@pytest.fixture(scope="module")
def trained() -> dict[str, Ranker]:
    return {name: type(ranker)(ranker.settings).fit(START) for name, ranker in RANKERS.items()}


@pytest.mark.parametrize("name", list(RANKERS))
@settings(max_examples=4)
@given(steps=steps, replaces=st.booleans())
def test_a_changed_index_ranks_like_one_of_the_same_documents(
    trained: dict[str, Ranker], name: str, steps: list[set[int] | str], *, replaces: bool
) -> None:
    ranker = trained[name]
    with TemporaryDirectory() as place:
        index = save(START, ranker, Path(place, "index"))
        documents = {document.id: document for document in START.documents}
        for step in steps:
            if step == "compact":
                index.compact()
            elif isinstance(step, str):
                index = Index.load(Path(place, "index"))
            else:
                change(index, documents, [POOL[at] for at in sorted(step)], replaces=replaces)
        index.stored.check()
        again = Index.load(Path(place, "index"))
        collection = Collection("some", "zh", tuple(documents.values()), law=SAMPLE.law)
        known = [document for document in START.documents if documents.get(document.id) == document]
        whole = ranker.with_documents(replace(collection, documents=tuple(known))).with_documents(collection)
        assert again.stored.catalogue.ids() == tuple(documents)
        for found in (index, again):
            assert found.rank(QUERIES, len(documents)) == whole.search(QUERIES, len(documents))
        hits = again.ranker.search_explained(QUERIES[0], 5)
        assert hits == whole.search_explained(QUERIES[0], 5)
        assert compacted_parts(again.ranker, Path(place, "one")) == compacted_parts(whole, Path(place, "other"))


def change(index: Index, documents: dict[str, Document], chosen: list[Document], *, replaces: bool) -> None:
    """Remove the chosen documents that are there, or replace them, and add the others."""
    there = [document for document in chosen if document.id in documents]
    others = [document for document in chosen if document.id not in documents]
    if replaces:
        newer = [replace(document, sections={"fact": f"{document.text[:80]}现金。"}) for document in there]
        index.add([*newer, *others], replace=True)
        for document in there:
            del documents[document.id]
        documents.update({document.id: document for document in [*newer, *others]})
        return
    if there:
        index.remove([document.id for document in there])
        for document in there:
            del documents[document.id]
    if others:
        index.add(others)
        documents.update({document.id: document for document in others})


def compacted_parts(ranker: Ranker, directory: Path) -> dict[str, bytes]:
    """Return the files of all live documents as one segment."""
    assert isinstance(ranker, SegmentedRanker)
    directory.mkdir()
    ranker.save_documents(directory)
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_documents_added_one_by_one_are_merged_now_and_then(tmp_path: Path) -> None:
    index = train(replace(START, documents=START.documents[:3]), BM25(), tmp_path / "index")
    sizes = []
    for document in START.documents[3:40]:
        index.add([document])
        sizes.append([segment.live for segment in index.stored.manifest.segments])
    assert max(map(len, sizes)) < 2 * MERGE_FACTOR
    assert sum(sizes[-1]) == 40
    assert any(len(after) < len(before) for before, after in pairwise(sizes))
    whole = BM25().fit(replace(START, documents=START.documents[:40]))
    assert index.rank(QUERIES, 40) == whole.search(QUERIES, 40)


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=40))
def test_only_the_last_segments_are_merged_and_few_remain(sizes: list[int]) -> None:
    groups = merge_groups(sizes, [0] * len(sizes))
    assert [at for group in groups for at in group] == list(range(len(sizes)))
    assert all(len(group) == 1 for group in groups[:-1])


def test_a_segment_whose_documents_were_mostly_removed_is_written_again(tmp_path: Path) -> None:
    index = train(replace(START, documents=START.documents[:9]), BM25(), tmp_path / "index")
    index.remove([document.id for document in START.documents[:4]])
    assert index.stored.manifest.segments[0].removed is not None
    index.remove([document.id for document in START.documents[4:6]])
    assert index.stored.manifest.segments[0].removed is None
    assert index.stored.manifest.segments[0].stored.documents == 3
