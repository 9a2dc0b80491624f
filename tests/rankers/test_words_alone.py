"""`lexgear` without a generator, on cases and on statutes."""

from pathlib import Path

import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Collection
from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.evaluation.experiment import experiment
from lexgear.evaluation.measures import parse_measures
from lexgear.rankers.lexgear.features.past_questions import SCALE
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.words.bm25 import BM25
from lexgear.settings import configure


def words_alone(collection: Collection, where: Path) -> Index:
    return train(collection, Lexgear(configure(LexgearSettings, backbone="")), where)


def test_cases_are_found_and_judged_without_a_generator(tmp_path: Path) -> None:
    collection = sample_cases()
    index = words_alone(collection, tmp_path / "index")
    unseen = [query for query in collection.queries if query.split == "test"]
    right = [index.judge(query.text).charges[0].name in query.charges for query in unseen[:20]]
    assert sum(right) >= 18
    loaded = Index.load(tmp_path / "index")
    assert loaded.rank(unseen[:3], 10) == index.rank(unseen[:3], 10)


def test_articles_are_found_by_past_questions(tmp_path: Path) -> None:
    collection = sample_statutes()
    index = words_alone(collection, tmp_path / "index")
    assert isinstance(index.ranker, Lexgear)
    asked = [query for query in collection.queries if query.split == "train"][:5]
    for query in asked:
        facts = index.ranker.inference.read(query.text)
        answered = [name for name, grade in collection.qrels[query.id].items() if grade >= collection.relevant_from]
        _, best = index.ranker.inference.features.past_questions.scores(facts.words)
        names = [document.id for document in collection.documents]
        assert all(best[names.index(name)] > 0.99 * SCALE for name in answered)
    test = [query for query in collection.queries if query.split == "test"]
    measures = parse_measures(["R@10"], collection.relevant_from)
    table = experiment(collection, {"BM25": [BM25()]}, measures, queries=test, fitted={"lexgear": index.ranker})
    ours, words = (table.cells[system, measures[0]].mean for system in ("lexgear", "BM25"))
    assert ours > words


def test_gear_requires_a_generator() -> None:
    from lexgear.errors import InputError
    from lexgear.rankers.generative.gear_settings import GearSettings

    with pytest.raises(InputError, match="epochs"):
        configure(GearSettings, epochs=0)
