"""Small indexes of the sample: Chinese with charges, French with an encoder, both with concepts and past questions."""

from dataclasses import replace
from pathlib import Path

from lexgear.api import Index, train
from lexgear.corpus.records import Collection
from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.settings import configure

FILTERS = {"zh": ["charge!=盗窃罪", "date>=2012"], "fr": ["text=bail"]}


def collection(language: str, documents: int = 100) -> Collection:
    """Return some documents of the sample, with the queries that one of them answers."""
    whole = sample_cases() if language == "zh" else sample_statutes()
    kept = whole.documents[:documents]
    ids = {document.id for document in kept}
    qrels = {
        query: grades
        for query, all_grades in whole.qrels.items()
        if (grades := {name: grade for name, grade in all_grades.items() if name in ids})
    }
    queries = tuple(replace(query, own_documents=(kept[7].id,)) for query in whole.queries if query.id in qrels)
    return replace(whole, documents=kept, queries=queries, qrels=qrels, pools={})


def trained(language: str, directory: Path) -> Index:
    backbone = {"backbone": ""} if language == "zh" else {}
    return train(collection(language), Lexgear(configure(LexgearSettings, **backbone)), directory)
