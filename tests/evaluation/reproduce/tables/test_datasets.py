"""The table of data sets: counted from what was read, the paper's own numbers beside it."""

from dataclasses import replace

from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.evaluation.reproduce.report import Cell
from lexgear.evaluation.reproduce.tables.datasets import STATISTICS, datasets_table

SMALL = Collection(
    "lecardv2",
    "zh",
    documents=(
        Document("a", {"fact": "四个字符", "reasoning": "五"}, charges=("盗窃罪", "抢劫罪")),
        Document("b", {"text": "十个字符十个字符十个"}, charges=("盗窃罪",)),
        Document("c"),
    ),
    queries=(
        Query("q", "六个字符六个", split="test"),
        Query("r", "没有相关文书的问题"),
        Query("s", "两字", split="train"),
    ),
    qrels={"q": {"a": 2, "b": 1}, "s": {"a": 3, "c": 1}},
    pools={"q": ("a", "b"), "s": ("a", "b", "c")},
    relevant_from=2,
)


def column(table_column: int, collections: list[Collection]) -> dict[str, Cell]:
    return {str(row[0]): row[table_column] for row in datasets_table(collections).rows}


def test_every_statistic_is_counted_from_the_collection() -> None:
    assert column(1, [SMALL]) == dict(
        zip(STATISTICS, (8.0, 4.0, 1.5, 3, 1, 2.5, 2, 1, 2), strict=True)  # "四个字符\n五" has six characters
    )


def test_the_papers_column_stands_beside_its_own_data_sets_alone() -> None:
    table = datasets_table([SMALL, sample_statutes(), replace(SMALL, name="bsard-rebuilt")])
    assert table.columns == (
        ["statistic", "lecardv2", "lecardv2, paper", "sample-fr", "bsard-rebuilt", "bsard-rebuilt, paper"]
    )
    papers = {str(row[0]): (row[2], row[5]) for row in table.rows}
    assert papers["Avg. length per query"] == (558.18, 92.48)
    assert papers["Available candidates per query"] == (1390, 1612)
    assert any("relevant to some question" in note for note in table.notes)


def test_what_is_not_there_is_neither_counted_nor_hidden() -> None:
    table = datasets_table([SMALL])
    assert "lecardv2: 1 of 3 candidates have no text and are left out of that average." in table.notes
    assert "lecardv2: 1 of 3 candidates have no charge and are left out of that average." in table.notes
    articles = column(1, [sample_statutes()])
    assert articles["Avg. charges per candidate"] is None
    assert articles["Charges involved"] is None
    assert not [note for note in datasets_table([sample_statutes()]).notes if "charge and" in note]
