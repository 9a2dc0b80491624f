from collections import Counter
from pathlib import Path

import pytest

from fingerprints import first_tenth_last
from lexgear.corpus.datasets.servicepublic import read_servicepublic
from lexgear.corpus.records import Collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.evaluation.scope import unseen_queries
from lexgear.files import write_jsonl
from lexgear.progress import silent
from shared_data import SHARED, needs_shared

PATH = ["Partie législative", "Livre Ier : Le bail"]


def test_questions_with_incomplete_labels_are_for_training_alone(tmp_path: Path) -> None:
    article = {"code": "Code civil", "path": PATH, "text": "Le bail."}
    write_jsonl(tmp_path / "articles.jsonl", [{"id": "1", "number": "L1", **article}])
    asked = {"articles": ["1"], "extra": "Oui, selon l'article L1."}
    lost = {**asked, "rebuilt": False}
    write_jsonl(
        tmp_path / "questions.train.jsonl",
        [
            {"id": "F1", "question": "Bail ?", **asked, "rebuilt": True},
            {"id": "F2", "question": "Loyer ?", **lost},
            {"id": "F3", "question": "Caution ?", **lost, "articles": ["1", "2"]},
        ],
    )
    write_jsonl(tmp_path / "questions.test.jsonl", [{"id": "F4", "question": "Congé ?", **lost}])
    skipped = SkippedRecords()
    collection = read_servicepublic(tmp_path, skipped, silent)
    assert [(query.id, query.text, query.split, query.incomplete_labels) for query in collection.queries] == [
        ("F1", "Bail ?", "train", False),
        ("F2", "Loyer ?", "train", True),
    ]
    assert collection.qrels == {"F1": {"1": 1}, "F2": {"1": 1}}
    [document] = collection.documents
    assert (document.title, document.node) == ("Code civil, art. L1", "Code civil/législative/1/L1")
    assert list(skipped.counts()) == [("an article that answers it is not in the corpus", 2)]


@pytest.fixture(scope="module")
def collection() -> Collection:
    skipped = SkippedRecords()
    read = read_servicepublic(SHARED / "servicepublic", skipped, silent)
    assert not skipped.entries
    return read


@needs_shared
def test_the_benchmark_has_57281_articles_of_38_codes_and_204_plus_675_plus_68_questions(
    collection: Collection,
) -> None:
    law, documents = collection.law, collection.documents
    assert (len(documents), len(law.roots)) == (57281, 38)
    assert len({document.node for document in documents}) == 57281
    assert {law[document.node].kind for document in documents} == {"article"}
    assert Counter((query.split, query.incomplete_labels) for query in collection.queries) == {
        ("train", False): 204,
        ("train", True): 675,
        ("test", False): 68,
    }
    assert first_tenth_last(documents) == [("1", 1398, "ec0b4436"), ("10", 115, "6ba1ba39"), ("57281", 284, "a8722808")]
    assert first_tenth_last(collection.queries) == [
        ("F10892", 75, "e0f9e8ee"),
        ("F3019", 72, "c1a463be"),
        ("F34800", 33, "09059175"),
    ]
    assert len(unseen_queries(collection.qrels, collection.queries)) == 20
