"""Training queries are stored with document ids."""

from pathlib import Path

from lexgear.corpus.records import Collection, Document, Query
from lexgear.rankers.lexgear.features.training_queries import TrainingQueries

QUERIES = (
    Query("q1", "翻墙进入商店", split="train", own_documents=("d3",)),
    Query("q2", "持刀威胁店主", split="train"),
)
COLLECTION = Collection(
    "small",
    "zh",
    tuple(Document(f"d{number}", {"text": "现金"}) for number in range(4)),
    QUERIES,
    {"q1": {"d2": 3, "d0": 1, "d3": 3}, "q2": {"d1": 2}},
    relevant_from=2,
    source={"never_train_on": "d3 gone"},
)


def test_answers_are_the_relevant_documents_without_own_judgments() -> None:
    small_collection = TrainingQueries.of(COLLECTION, QUERIES)
    assert [question.answers for question in small_collection.questions] == [("d2",), ("d1",)]
    assert small_collection.questions[0].words == ("翻墙", "进入", "商店")
    assert small_collection.barred == {"d3", "gone"}
    assert [question.id for question in small_collection.only(QUERIES[1:]).questions] == ["q2"]


def test_saved_training_queries_are_loaded_unchanged(tmp_path: Path) -> None:
    small_collection = TrainingQueries.of(COLLECTION, QUERIES)
    small_collection.save(tmp_path)
    assert TrainingQueries.load(tmp_path) == small_collection
