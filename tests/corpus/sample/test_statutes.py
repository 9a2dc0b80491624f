"""The French sample: its size, the places of its articles, and the difficulty of its questions."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter

import pytest

from lexgear.corpus.records import Collection
from lexgear.corpus.sample.statutes import question_gloss, sample_statutes
from lexgear.errors import InputError

FINGERPRINT = "92218431307defb18c4bb8453bd5c5a7b0a96a038125e7b3ddfe2bba11ae03c1"


@pytest.fixture(scope="module")
def sample() -> Collection:
    return sample_statutes()


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def runs(text: str, length: int) -> set[tuple[str, ...]]:
    spoken = words(text)
    return {tuple(spoken[start : start + length]) for start in range(len(spoken) - length + 1)}


def test_the_whole_sample_is_what_it_was_when_results_were_published(sample: Collection) -> None:
    rows = {
        "documents": [[doc.id, doc.title, doc.text, doc.node] for doc in sample.documents],
        "queries": [[query.id, query.text, query.split] for query in sample.queries],
        "qrels": sample.qrels,
        "law": sample.law.to_rows(),
    }
    canonical = json.dumps(rows, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(canonical.encode("utf-8")).hexdigest() == FINGERPRINT


def test_it_holds_89_articles_and_100_questions(sample: Collection) -> None:
    assert (sample.name, sample.language, sample.relevant_from) == ("sample-fr", "fr", 1)
    assert Counter(node.kind for node in sample.law) == {
        "law": 1,
        "book": 4,
        "title": 13,
        "chapter": 17,
        "article": 89,
    }
    assert [document.id for document in sample.documents] == [f"a{number:03}" for number in range(1, 90)]
    assert [query.id for query in sample.queries] == [f"q{number:03}" for number in range(1, 101)]
    assert Counter(query.split for query in sample.queries) == {"train": 60, "test": 40}


def test_it_says_that_it_is_invented(sample: Collection) -> None:
    assert sample.source["licence"] == "Apache-2.0"
    assert "invented" in sample.source["notes"]


def test_every_question_is_answered_by_one_to_four_articles_of_the_code(sample: Collection) -> None:
    articles = {document.id for document in sample.documents}
    assert list(sample.qrels) == [query.id for query in sample.queries]
    for grades in sample.qrels.values():
        assert 1 <= len(grades) <= 4
        assert grades.keys() <= articles
        assert set(grades.values()) == {1}
    assert sum(map(len, sample.qrels.values())) == 157


def test_the_questions_spread_over_the_whole_code(sample: Collection) -> None:
    asked = Counter(article for grades in sample.qrels.values() for article in grades)
    assert len(asked) == 89
    assert max(asked.values()) <= 4


def test_an_article_has_its_place_in_the_code(sample: Collection) -> None:
    document = sample.documents[32]
    path = sample.law.path(sample.law[document.node])
    assert document.title == "Dépôt de garantie"
    assert document.node == "fr-aubrelac/2/1/1/33"
    assert [(node.kind, node.number) for node in path] == [
        ("law", "fr-aubrelac"),
        ("book", "2"),
        ("title", "1"),
        ("chapter", "1"),
        ("article", "33"),
    ]
    assert path[2].title == "Du bail d'habitation"


def test_every_article_carries_the_text_of_its_node(sample: Collection) -> None:
    for document in sample.documents:
        node = sample.law[document.node]
        assert (document.text, document.title) == (node.text, node.title)
        assert 40 <= len(words(document.text)) <= 120


def test_the_code_is_as_uneven_as_real_ones(sample: Collection) -> None:
    below = {node.id: {child.kind for child in sample.law.children(node)} for node in sample.law}
    mixed = [node for node, kinds in below.items() if "article" in kinds and len(kinds) > 1]
    assert mixed == ["fr-aubrelac/1/3", "fr-aubrelac/2", "fr-aubrelac/2/1", "fr-aubrelac/3/2"]
    without_chapters = [node.id for node in sample.law.of_kind("title") if below[node.id] == {"article"}]
    assert len(without_chapters) == 7


def test_no_question_quotes_the_article_that_answers_it(sample: Collection) -> None:
    articles = {document.id: runs(f"{document.title} {document.text}", 6) for document in sample.documents}
    for query in sample.queries:
        for article in sample.qrels[query.id]:
            assert not runs(query.text, 6) & articles[article], (query.id, article)


def test_no_question_or_article_is_repeated(sample: Collection) -> None:
    assert len({query.text for query in sample.queries}) == 100
    assert len({document.text for document in sample.documents}) == 89
    assert len({document.title for document in sample.documents}) == 89


def test_every_question_has_an_english_gloss(sample: Collection) -> None:
    glosses = [question_gloss(query.id) for query in sample.queries]
    assert glosses[0] == "Parents cannot agree on their baby's surname"
    assert len(set(glosses)) == 100
    assert all(3 <= len(gloss.split()) <= 12 and gloss.isascii() for gloss in glosses)


def test_asking_for_an_unknown_question_names_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no question 'q101' \(questions are q001 to q100\)"):
        question_gloss("q101")
