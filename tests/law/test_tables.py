from lexgear.law.tables import ArticleRow, tree_from_table


def row(id: str, number: str, *path: str, law: str = "民法典", source: str = "a") -> ArticleRow:
    return ArticleRow(id, law, source, number, path, f"第 {id} 条的内容")


def test_articles_with_the_same_headings_share_their_nodes() -> None:
    law, places = tree_from_table(
        [row("x", "第一条", "第一编 总则", "第一章 规定"), row("y", "第二条", "第一编 总则", "第一章 规定")]
    )
    assert places == {"x": "民法典/1/1/1", "y": "民法典/1/1/2"}
    assert [(node.kind, node.number, node.title) for node in law.path(law["民法典/1/1/2"])] == [
        ("law", "民法典", "民法典"),
        ("part", "1", "总则"),
        ("chapter", "1", "规定"),
        ("article", "2", ""),
    ]
    assert law["民法典/1/1/2"].text == "第 y 条的内容"


def test_an_article_without_a_path_hangs_under_the_law_itself() -> None:
    law, places = tree_from_table([row("x", "第十七条之一")])
    assert law[places["x"]].parent == "民法典"
    assert law[places["x"]].number == "17-1"


def test_an_empty_heading_is_no_level() -> None:
    _, places = tree_from_table([row("x", "第一条", "", "第一章 规定")])
    assert places["x"] == "民法典/1/1"


def test_a_node_may_hold_articles_beside_divisions() -> None:
    law, places = tree_from_table([row("x", "1", law="Code"), row("y", "2", "Titre I. Du bail", law="Code")])
    assert [node.kind for node in law.children(law["Code"])] == ["article", "title"]
    assert places == {"x": "Code/1", "y": "Code/title-1/2"}


def test_two_versions_of_a_law_are_two_trees_named_by_their_source() -> None:
    law, places = tree_from_table([row("x", "第一条", source="2017.md"), row("y", "第一条", source="2023.md")])
    assert [node.number for node in law.roots] == ["2017.md", "2023.md"]
    assert {node.title for node in law.roots} == {"民法典"}
    assert places["x"] != places["y"]


def test_two_headings_with_one_number_stay_two_divisions() -> None:
    law, _ = tree_from_table(
        [row("x", "1", "Livre III (successions)", law="C"), row("y", "2", "Livre III (contrats)", law="C")]
    )
    assert [node.title for node in law.of_kind("book")] == ["(successions)", "(contrats)"]
