from datetime import date

import pytest

from lexgear.errors import InputError
from lexgear.law.tree import LawNode, LawTree, TreeBuilder


def small_code() -> LawTree:
    builder = TreeBuilder()
    code = builder.add(None, "law", "code", "A code")
    part = builder.add(code, "part", "2", "Offences")
    article = builder.add(part, "article", "263", text="Whoever robs …")
    builder.add(article, "charge", "抢劫罪", "抢劫罪")
    builder.add(part, "article", "264")
    return builder.tree()


def test_an_id_is_the_path_of_numbers_from_the_code_down() -> None:
    assert list(small_code().nodes) == ["code", "code/2", "code/2/263", "code/2/263/抢劫罪", "code/2/264"]


def test_a_path_leads_from_the_code_to_the_node() -> None:
    tree = small_code()
    assert [node.kind for node in tree.path(tree["code/2/263/抢劫罪"])] == [
        "law",
        "part",
        "article",
        "charge",
    ]


def test_children_come_in_law_order_even_when_added_later() -> None:
    builder = TreeBuilder()
    code = builder.add(None, "law", "code")
    first, second = builder.add(code, "part", "1"), builder.add(code, "part", "2")
    builder.add(second, "article", "3")
    builder.add(first, "article", "1")
    tree = builder.tree()
    assert list(tree.nodes) == ["code", "code/1", "code/1/1", "code/2", "code/2/3"]
    assert [node.id for node in tree.children(tree["code"])] == ["code/1", "code/2"]


def test_a_section_and_an_article_of_one_number_keep_apart() -> None:
    builder = TreeBuilder()
    chapter = builder.add(None, "chapter", "1")
    ids = [builder.add(chapter, kind, "1") for kind in ("section", "article", "article", "article")]
    assert ids == ["1/1", "1/article-1", "1/article-1~2", "1/article-1~3"]


def test_rows_give_back_the_same_tree() -> None:
    tree = small_code()
    assert LawTree.from_rows(tree.to_rows()) == tree


def test_a_forest_holds_several_codes() -> None:
    other = LawTree.from_rows([{"id": "other", "kind": "law", "number": "other"}])
    forest = LawTree.forest(small_code(), other)
    assert [root.id for root in forest.roots] == ["code", "other"]
    assert len(forest) == len(small_code()) + 1


def test_a_subtree_is_the_node_and_all_under_it() -> None:
    tree = small_code()
    assert [node.id for node in tree.subtree(tree["code/2/263"])] == ["code/2/263", "code/2/263/抢劫罪"]


def test_nothing_of_a_tree_can_be_changed() -> None:
    tree = small_code()
    with pytest.raises(AttributeError):
        tree["code"].title = "Another"  # type: ignore[misc]


def test_unknown_repeated_and_orphaned_nodes_are_refused() -> None:
    with pytest.raises(InputError, match="no node 'nowhere'"):
        small_code()["nowhere"]
    builder = TreeBuilder()
    builder.add(None, "law", "code")
    with pytest.raises(InputError, match="appears twice"):
        builder.insert(LawNode("code", "law", "code"))
    with pytest.raises(InputError, match="before its parent"):
        builder.insert(LawNode("x/y", "article", "y", parent="x"))


@pytest.mark.parametrize(("field", "value"), [("parent", {}), ("parent", ["code"]), ("title", {}), ("number", 1.5)])
def test_a_row_of_the_wrong_shape_is_refused(field: str, value: object) -> None:
    with pytest.raises(InputError, match=f"the {field} of the law node 'code' is not a string"):
        LawTree.from_rows([{"id": "code", "kind": "law", "number": "code", field: value}])


def test_a_row_may_leave_out_or_empty_what_it_does_not_say() -> None:
    [node] = LawTree.from_rows([{"id": "code", "kind": "law", "number": 7, "title": None, "parent": ""}])
    assert node == LawNode("code", "law", "7")


def dated_code() -> LawTree:
    rows = [
        {"id": "code", "kind": "law", "number": "code"},
        {"id": "code/1", "kind": "article", "number": "1", "parent": "code", "in_force_until": "2015-10-31"},
        {"id": "code/1/a", "kind": "charge", "number": "a", "parent": "code/1"},
        {"id": "code/2", "kind": "article", "number": "2", "parent": "code", "in_force_from": "2015-11-01"},
    ]
    return LawTree.from_rows(rows)


@pytest.mark.parametrize(
    ("day", "ids"),
    [(date(2015, 10, 31), ["code", "code/1", "code/1/a"]), (date(2015, 11, 1), ["code", "code/2"])],
)
def test_the_law_as_of_a_day_has_only_what_was_in_force(day: date, ids: list[str]) -> None:
    law = dated_code().at(day)
    assert [node.id for node in law] == ids
    assert [node.id for node in law.subtree(law["code"])] == ids


def test_dates_are_written_and_read_and_a_law_without_dates_has_none() -> None:
    assert LawTree.from_rows(dated_code().to_rows()) == dated_code()
    assert not any({"in_force_from", "in_force_until"} & {*row} for row in small_code().to_rows())
    assert small_code().at(date(1900, 1, 1)) == small_code()


def test_a_node_with_an_invalid_date_is_refused() -> None:
    row = {"id": "code", "kind": "law", "number": "code", "in_force_from": "1 November"}
    with pytest.raises(InputError, match="the in_force_from of the law node 'code' is '1 November'"):
        LawTree.from_rows([row])
