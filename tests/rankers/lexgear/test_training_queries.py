"""What training queries say of documents is kept by id."""

from pathlib import Path

from lexgear.corpus.records import Collection, Document, Query
from lexgear.rankers.lexgear.training_queries import Lessons

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


def test_a_question_is_answered_by_what_is_relevant_to_it_but_not_by_its_own_judgment() -> None:
    lessons = Lessons.of(COLLECTION, QUERIES)
    assert [question.answers for question in lessons.questions] == [("d2",), ("d1",)]
    assert lessons.questions[0].words == ("翻墙", "进入", "商店")
    assert lessons.barred == {"d3", "gone"}
    assert [question.id for question in lessons.only(QUERIES[1:]).questions] == ["q2"]


def test_lessons_come_back_from_disk(tmp_path: Path) -> None:
    lessons = Lessons.of(COLLECTION, QUERIES)
    lessons.save(tmp_path / "lessons.json")
    assert Lessons.load(tmp_path / "lessons.json") == lessons
