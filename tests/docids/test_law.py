"""Law IDs: documents hang under their charges or under the headings of their article."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.corpus.records import Collection, Document
from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.docids.ids import DocIds
from lexgear.docids.law import SHAPES, law_ids
from lexgear.docids.trie import NAMES
from lexgear.errors import InputError
from lexgear.law.tree import LawTree, TreeBuilder

CHARGES = ("fraud", "arson", "robbery", "theft", "bribery")
"""Charges of the small code below, in law order; only chapter 3 has a section, with an article beside it."""


def small_code() -> LawTree:
    builder = TreeBuilder()
    part = builder.add(builder.add(None, "law", "code"), "part", "2")
    chapters = [builder.add(part, "chapter", number) for number in ("3", "5", "8")]
    section = builder.add(chapters[0], "section", "1")
    for parent, article, charge in [
        (chapters[0], "100", "arson"),
        (section, "200", "fraud"),
        (chapters[1], "263", "robbery"),
        (chapters[1], "264", "theft"),
        (chapters[2], "385", "bribery"),
    ]:
        builder.add(builder.add(parent, "article", article), "charge", charge)
    return builder.tree()


def cases(*charges: tuple[str, ...], law: LawTree | None = None) -> Collection:
    documents = (Document(f"d{position}", charges=names) for position, names in enumerate(charges))
    return Collection("cases", "zh", tuple(documents), law=law or small_code())


def articles(law: LawTree, *nodes: str) -> Collection:
    return Collection("articles", "fr", tuple(Document(f"on {node}", node=node) for node in nodes), law=law)


def printed(ids: DocIds, position: int) -> list[str]:
    return [ids.format_id(leaf) for leaf in ids.trie.leaves_of(position).tolist()]


@pytest.mark.parametrize("shape", ["natural", "fixed"])
def test_document_725_of_the_papers_figure_has_the_two_ids_printed_there(shape: str) -> None:
    builder = TreeBuilder()  # as in the figure, the article stands for the charge
    chapter = builder.add(builder.add(builder.add(None, "law", "cn-criminal"), "part", "2"), "chapter", "5")
    for article in ("263", "267", "269"):
        builder.add(chapter, "charge", article)
    documents = (Document("809", charges=("269",)), Document("725", charges=("267", "269")))
    ids = law_ids(Collection("figure", "zh", documents, law=builder.tree()), shape=shape)
    assert printed(ids, 0) == ["0-2-5-269-809"]
    assert printed(ids, 1) == ["0-2-5-267-725", "0-2-5-269-725"]
    first, second = ids.document_paths(1)
    assert first[-1] == second[-1] == ids.names.index("725")


def test_absent_levels_are_left_out_filled_or_all_dropped() -> None:
    collection = cases(("fraud",), ("theft",))
    both = [[printed(law_ids(collection, shape=shape), position)[0] for position in (0, 1)] for shape in SHAPES]
    assert both == [
        ["0-2-3-1-200-fraud-d0", "0-2-5-264-theft-d1"],
        ["0-2-3-1-200-fraud-d0", "0-2-5-dummy-264-theft-d1"],
        ["0-fraud-d0", "0-theft-d1"],
    ]


def test_only_places_that_lead_to_a_document_are_in_the_tree_unless_the_whole_law_is_wanted() -> None:
    collection = cases(("theft",), ("robbery", "theft"))
    assert law_ids(collection).kinds.count("charge") == 2
    assert law_ids(collection, whole_law=True).kinds.count("charge") == 5
    whole = law_ids(collection, whole_law=True, shape="flat")
    assert [whole.node_name(child).rsplit("/")[-1] for child in whole.trie.children(0)] == list(CHARGES)
    assert [int(whole.trie.child_count[child]) for child in whole.trie.children(0)] == [0, 0, 1, 2, 0]


def test_siblings_stand_in_law_order_whatever_the_order_of_the_documents() -> None:
    ids = law_ids(cases(("bribery",), ("theft",), ("robbery",), ("arson",)))
    part = ids.trie.children(0)[0]
    assert [ids.node_name(chapter) for chapter in ids.trie.children(part)] == ["code/2/3", "code/2/5", "code/2/8"]
    charges = [name for name, kind in zip(ids.names, ids.kinds, strict=False) if kind == "charge"]
    assert [name.rsplit("/")[-1] for name in charges] == ["arson", "robbery", "theft", "bribery"]


@pytest.mark.parametrize("shape", SHAPES)
def test_documents_without_a_charge_the_law_knows_hang_under_uncharged_and_are_counted(shape: str) -> None:
    ids = law_ids(cases((), ("theft",), ("witchcraft",), ("theft", "heresy")), shape=shape)
    assert ids.uncharged == 2
    assert ids.unknown_charges == ("heresy", "witchcraft")
    assert [len(ids.document_paths(position)) for position in range(4)] == [1, 1, 1, 1]
    last = ids.trie.children(0)[-1]
    assert (ids.node_name(last), ids.node_kind(last)) == ("uncharged", "uncharged")
    assert [printed(ids, position)[0].split("-")[1] for position in (0, 2)] == ["uncharged", "uncharged"]


def test_a_charge_named_twice_gives_one_id_and_one_that_stands_in_two_codes_two() -> None:
    assert len(law_ids(cases(("theft", "theft"))).document_paths(0)) == 1
    builder = TreeBuilder()
    for code in ("old", "new"):
        builder.add(builder.add(None, "law", code), "charge", "theft")
    assert printed(law_ids(cases(("theft",), law=builder.tree())), 0) == ["0-old-theft-d0", "0-new-theft-d0"]


def test_an_article_hangs_under_the_headings_above_it_in_a_forest_under_its_code() -> None:
    builder = TreeBuilder()
    civil, penal = (builder.add(None, "law", code) for code in ("civil", "penal"))
    nodes = [builder.add(builder.add(civil, "book", "1"), "article", "144"), builder.add(penal, "article", "1")]
    ids = law_ids(articles(builder.tree(), *nodes))
    assert [printed(ids, position) for position in (0, 1)] == [["0-civil-1-on civil/1/144"], ["0-penal-on penal/1"]]
    assert ids.uncharged == 0


def test_articles_beside_sub_headings_get_a_node_of_their_own_before_these() -> None:
    builder = TreeBuilder()
    code = builder.add(None, "law", "code")
    chapter = builder.add(code, "chapter", "1")
    nodes = [builder.add(chapter, "article", "2"), builder.add(code, "article", "1")]
    ids = law_ids(articles(builder.tree(), *nodes, chapter, code))
    assert [printed(ids, position)[0] for position in range(4)] == [
        "0-1-on code/1/2",
        "0-here-on code/article-1",
        "0-here-on code/1",
        "0-here-on code",
    ]
    assert [ids.node_kind(child) for child in ids.trie.children(0)] == ["here", "chapter"]


@st.composite
def collections(draw: st.DrawFn) -> Collection:
    """Draw cases and articles under the small code, some with charges that the law does not contain."""
    law = small_code()
    known = st.sampled_from([*CHARGES, "witchcraft"])
    charges = draw(st.lists(st.lists(known, max_size=5), max_size=20))
    nodes = draw(st.lists(st.sampled_from(["", "", *law.nodes]), min_size=len(charges), max_size=len(charges)))
    rows = enumerate(zip(charges, nodes, strict=True))
    documents = (Document(f"d{position}", charges=tuple(names), node=node) for position, (names, node) in rows)
    return Collection("any", "zh", tuple(documents), law=law)


@given(collection=collections(), shape=st.sampled_from(SHAPES), whole_law=st.booleans())
def test_every_document_is_found_under_its_charges_and_nowhere_else(
    collection: Collection, shape: str, whole_law: bool
) -> None:
    ids = law_ids(collection, shape=shape, whole_law=whole_law)
    trie, law = ids.trie, collection.law
    for position, document in enumerate(collection.documents):
        wanted = {node.id for node in law.of_kind("charge") if node.number in document.charges}
        if document.node:
            wanted.add(law[document.node].parent or "")
        found = []
        for leaf in trie.leaves_of(position).tolist():
            assert ids.node_name(leaf) == document.id
            steps = [node for node in trie.ancestry(leaf)[:-1] if ids.node_kind(node) not in {"here", "dummy"}]
            found.append(ids.node_name(steps[-1]) if steps else "")
        root = {"code": ""}  # the single code is the root itself
        assert sorted(found) == sorted({root.get(node, node) for node in wanted} or {"uncharged"})


@given(collection=collections(), shape=st.sampled_from(SHAPES), whole_law=st.booleans())
def test_documents_and_law_symbols_never_meet_among_the_children_of_one_node(
    collection: Collection, shape: str, whole_law: bool
) -> None:
    ids = law_ids(collection, shape=shape, whole_law=whole_law)
    trie = ids.trie
    for node in trie.internal_nodes.tolist():
        below = trie.children(node)
        assert len({ids.node_kind(child) == "document" for child in below}) <= 1
    law = trie.symbol[trie.internal_nodes[1:]]
    assert sorted(law.tolist()) == list(range(ids.law_symbols))
    assert (trie.symbol[trie.leaf_mask] == ids.law_symbols + trie.document[trie.leaf_mask]).all()
    if shape == "fixed":
        assert len(set(trie.depth[trie.leaf_mask].tolist())) <= 1


def test_the_chinese_sample_hangs_under_its_46_charges() -> None:
    sample = sample_cases()
    by_shape = {shape: law_ids(sample, shape=shape) for shape in SHAPES}
    assert {shape: [len(level) for level in ids.trie.levels()] for shape, ids in by_shape.items()} == {
        "natural": [1, 1, 6, 11 + 21, 23 + 21, 713 + 25, 764],  # sections or articles, articles or charges, …
        "fixed": [1, 1, 6, 11 + 4, 44, 46, 713 + 764],
        "flat": [1, 46, 713 + 764],
    }
    for ids in by_shape.values():
        assert ids.kinds.count("charge") == 46
        assert (ids.uncharged, ids.unknown_charges, ids.document_count) == (0, (), 1200)
        counts = [len(ids.document_paths(position)) for position in range(1200)]
        assert counts == [len(document.charges) for document in sample.documents]


def test_the_french_sample_hangs_under_its_books_titles_and_chapters() -> None:
    ids = law_ids(sample_statutes())
    assert Counter(ids.kinds) == {"book": 4, "title": 13, "chapter": 17, "here": 4}
    assert np.count_nonzero(ids.trie.leaf_mask) == ids.document_count == 89
    assert printed(ids, 4) == ["0-1-2-1-a005"]
    fixed = law_ids(sample_statutes(), shape="fixed")
    assert set(fixed.trie.depth[fixed.trie.leaf_mask].tolist()) == {4}


def test_without_documents_or_a_law_there_is_a_tree_all_the_same() -> None:
    assert law_ids(Collection("none", "zh", ())).trie.node_count == 1
    for shape in SHAPES:
        ids = law_ids(Collection("no law", "zh", (Document("a"), Document("b"))), shape=shape)
        assert [printed(ids, position) for position in (0, 1)] == [["0-uncharged-a"], ["0-uncharged-b"]]


def test_ids_saved_and_loaded_are_the_same(tmp_path: Path) -> None:
    ids, file = law_ids(cases(("theft",), (), ("heresy", "arson"))), tmp_path / "docids.npz"
    ids.save(file)
    loaded = DocIds.load(file)
    assert all(np.array_equal(getattr(ids.trie, name), getattr(loaded.trie, name)) for name in NAMES)
    for name in ("names", "law_symbols", "kinds", "uncharged", "unknown_charges"):
        assert getattr(ids, name) == getattr(loaded, name)
    ids.trie.save(file)
    with pytest.raises(InputError, match=r"docids\.npz: not a file of document IDs"):
        DocIds.load(file)


def test_a_shape_nobody_knows_is_refused() -> None:
    with pytest.raises(InputError, match=r"'round'.*natural, fixed, flat"):
        law_ids(cases(), shape="round")


@given(collection=collections(), whole_law=st.booleans())
def test_with_room_no_symbol_of_the_law_depends_on_the_documents_and_no_place_in_the_tree_changes(
    collection: Collection, whole_law: bool
) -> None:
    roomy = law_ids(collection, whole_law=whole_law, reserve_symbols=True)
    bare = law_ids(Collection("bare", "zh", (), law=collection.law), reserve_symbols=True)
    assert roomy.names[: roomy.law_symbols] == bare.names
    assert roomy.kinds == bare.kinds
    narrow = law_ids(collection, whole_law=whole_law)
    nodes = range(narrow.trie.node_count)
    assert [roomy.node_name(node) for node in nodes] == [narrow.node_name(node) for node in nodes]
    assert roomy.trie.parent.tolist() == narrow.trie.parent.tolist()
    for kind in ("charge", "chapter", "uncharged"):
        assert roomy.nodes_of(kind).tolist() == [node for node in nodes if narrow.node_kind(node) == kind]
