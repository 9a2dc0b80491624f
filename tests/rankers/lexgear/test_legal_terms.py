"""Everyday questions find articles that use the legal term instead."""

from dataclasses import replace
from pathlib import Path

import pytest

from lexgear.api import Index, train
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.sample.cases import sample_cases
from lexgear.files import read_json, write_json_list
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.lexgear.storage import WEIGHTS
from lexgear.rankers.lexgear.vector_fusion import VectorFusion
from lexgear.rankers.words.bm25 import BM25
from lexgear.settings import configure

ARTICLES = Collection(
    name="articles",
    language="fr",
    documents=(
        Document("guarantee", {"text": "Le preneur constitue une garantie locative de deux mois."}),
        Document("surety", {"text": "La caution est tenue si le débiteur ne paie pas. Elle peut récupérer les frais."}),
        Document("maintenance", {"text": "Le débiteur entretient les chemins qui longent son fonds."}),
    ),
)
QUESTION = Query("q", "Quand puis-je récupérer ma caution ?")


def words_alone(legal_terms: bool = True) -> Lexgear:
    return Lexgear(configure(LexgearSettings, backbone="", legal_terms=legal_terms)).fit(ARTICLES)


@pytest.fixture(scope="module")
def ranker() -> Lexgear:
    return words_alone()


def test_an_article_with_the_legal_term_is_found_and_the_explanation_names_both(ranker: Lexgear) -> None:
    found = {hit.document: (hit, why) for hit, why in ranker.search_explained(QUESTION, 3)}
    hit, why = found["guarantee"]
    assert why is not None and why.words == 0 and why.legal_terms > 0
    assert [(one.expression, one.term) for one in why.terms] == [
        ("récupérer caution", "garantie locative"),
        ("récupérer caution", "garantie"),  # the article has no "dépôt"
    ]
    assert why.terms[0].weight > why.terms[1].weight > 0
    assert why.legal_terms + why.charge + why.content + why.words == pytest.approx(hit.score, abs=1e-4)
    assert not found["surety"][1].terms  # type: ignore[union-attr]


def test_the_setting_switches_the_lexicon_off() -> None:
    found = dict(words_alone(legal_terms=False).search_explained(QUESTION, 3))
    assert all(why is not None and why.legal_terms == 0 and not why.terms for why in found.values())


def test_a_question_whose_words_are_in_no_article_is_answered_by_its_legal_terms(ranker: Lexgear) -> None:
    asked = Query("q", "Mon proprio ?")
    assert ranker.search([asked], 3)[0][0].document == "guarantee"
    assert words_alone(legal_terms=False).search([asked], 3) == [[]]


def test_bm25_reads_questions_as_they_are() -> None:
    [hits] = BM25().fit(ARTICLES).search([QUESTION], 3)
    assert [hit.document for hit in hits] == ["surety"]


def test_the_encoder_reads_a_question_followed_by_its_legal_terms(ranker: Lexgear) -> None:
    inputs = ranker.parts.inputs
    [read] = inputs.of_queries([QUESTION.text])
    assert read == f"{QUESTION.text} garantie locative, dépôt de garantie"
    assert inputs.of_query(QUESTION.text, inputs.rationale(QUESTION.text)) == read
    [document] = inputs.of_documents([Document("d", {"text": QUESTION.text})])
    assert document == QUESTION.text
    assert VectorFusion.beside(ranker).parts.inputs.of_queries([QUESTION.text]) == [QUESTION.text]


class Known(Lexgear):
    """A ranker whose base model has learnt every question."""

    def knows(self, text: str) -> bool:
        return True


def test_the_encoder_reads_questions_as_they_are_if_the_base_model_has_learnt_such() -> None:
    asked = replace(ARTICLES, queries=(replace(QUESTION, split="train"),), qrels={"q": {"guarantee": 1}})
    ranker = Known(configure(LexgearSettings, backbone="")).fit(asked)
    assert ranker.parts.inputs.of_queries([QUESTION.text]) == [QUESTION.text]
    assert ranker.inference.read(QUESTION.text).legal_terms


def test_names_are_removed_before_expressions_are_looked_up(ranker: Lexgear) -> None:
    plain, named = (Query("q", f"{name} veut récupérer sa caution") for name in ("M. Dupont", "M. Caution"))
    assert ranker.search([named], 3) == ranker.search([plain], 3)


def test_descriptions_of_cases_are_not_translated() -> None:
    cases = sample_cases()
    few = replace(cases, documents=cases.documents[:40], queries=(), qrels={})
    ranker = Lexgear(configure(LexgearSettings, backbone="")).fit(few)
    assert ranker.parts.inputs.legal_terms is None


def test_an_index_of_an_earlier_version_is_searched_as_before(tmp_path: Path) -> None:
    train(ARTICLES, Lexgear(configure(LexgearSettings, backbone="")), tmp_path / "index")
    [part] = (tmp_path / "index").rglob(WEIGHTS)
    loaded = Index.load(tmp_path / "index").ranker
    assert isinstance(loaded, Lexgear) and loaded.parts.inputs.appends_terms
    assert loaded.search([QUESTION], 3) == words_alone().search([QUESTION], 3)
    [weights] = read_json(part)
    del weights["legal_terms"]
    write_json_list(part, [weights])
    earlier = Lexgear.load(part.parent, loaded.settings)
    assert earlier.search([QUESTION], 3) == words_alone(legal_terms=False).search([QUESTION], 3)


def test_articles_are_indexed_without_a_warning_about_definitions_of_charges(ranker: Lexgear) -> None:
    assert not [note for note in ranker.training.notes if "B2" in note]
