"""A text or a case beside a case."""

from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from lexgear.corpus.records import Collection, Query
from lexgear.privacy.masking import Masked
from lexgear.privacy.neutral import neutralise
from lexgear.serve.comparing.sentence_matching import best_pairs, sentences_of, words_of


def compare(client: TestClient, **asked: str) -> Any:
    answer = client.post("/api/v1/compare", json=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_text_beside_its_first_hit_shows_what_they_share_where_it_stands(
    client: TestClient, unseen: list[Query]
) -> None:
    matches = 0
    for query in unseen[:8]:
        hit = client.post("/api/v1/search", json={"text": query.text, "k": 1}).json()["hits"][0]
        case = client.get(f"/api/v1/cases/{hit['id']}").json()
        beside = compare(client, text=query.text, **{"with": hit["id"]})
        matches += len(beside["matches"])
        for match in beside["matches"]:
            left, right = match["left"], match["right"]
            assert query.text[left["start"] : left["end"]] == left["text"]
            assert case["sections"][right["section"]][right["start"] : right["end"]] == right["text"]
            assert all(word in left["text"].lower() for word in match["words"])
        for part in beside["right"]["rationale"]:
            assert case["sections"][part["section"]][part["start"] : part["end"]] == part["text"]
        for part in beside["left"]["rationale"]:
            assert query.text[part["start"] : part["end"]] == part["text"]
        assert beside["right"]["charges"] == case["charges"]
        assert beside["penalty"] == {"left": None, "right": case["penalty"]["kind"], "same": None}
        assert not {*beside["words"]["shared"]} & {*beside["words"]["left_only"]}
    assert matches >= 8


def test_a_case_beside_itself_is_the_same_in_everything(client: TestClient, collection: Collection) -> None:
    document = collection.documents[3]
    beside = compare(client, case=document.id, **{"with": document.id})
    assert beside["left"] == beside["right"]
    assert beside["charges"] == {"shared": list(document.charges), "left_only": [], "right_only": []}
    assert beside["penalty"]["same"] is True
    assert beside["words"]["left_only"] == beside["words"]["right_only"] == []
    assert beside["factors"]["shared"]
    assert [beside["factors"][name] for name in ("different", "left_only", "right_only")] == [[], [], []]
    assert all(match["score"] == 1 and match["left"] == match["right"] for match in beside["matches"])


def test_charges_and_articles_of_a_text_are_the_models_opinion_and_say_so(
    client: TestClient, collection: Collection
) -> None:
    theft = next(one for one in collection.documents if one.charges == ("盗窃罪",))
    beside = compare(client, text=theft.sections["fact"], **{"with": theft.id})
    assert beside["left"]["judged"]
    assert not beside["right"]["judged"]
    assert "盗窃罪" in beside["charges"]["shared"]
    assert "刑法264" in beside["articles"]["shared"]
    vague = compare(client, text="今天天气很好。", **{"with": theft.id})
    assert vague["left"]["charges"] is None
    assert vague["left"]["note"]["code"] == "too_short"
    assert vague["articles"]["shared"] is None


@pytest.mark.parametrize("asked", [{}, {"text": "翻墙", "case": "c0001"}])
def test_either_a_text_or_a_case_is_compared(client: TestClient, asked: dict[str, str]) -> None:
    answer = client.post("/api/v1/compare", json={**asked, "with": "c0002"})
    assert answer.status_code == 422
    assert answer.json()["where"] == [
        {"field": "body", "code": "usage", "problem": "either text or case, and not both", "parameters": {}}
    ]


def test_sentences_pair_by_what_is_rare_and_each_once() -> None:
    facts, other_facts = (
        "他撬开收银柜拿走现金。第二天他来到公园散步。",
        "被告人撬开收银柜。次日来到公园。被告人在公园散步。",
    )
    left = sentences_of({"text": facts}, {"text": Masked(facts)}, "zh")
    right = sentences_of({"fact": other_facts}, {"fact": Masked(other_facts)}, "zh")
    pairs = [(one.text, other.text) for one, other, _, _ in best_pairs(left, right, lambda word: 1.0)]
    assert len(pairs) == 2
    assert ("他撬开收银柜拿走现金。", "被告人撬开收银柜。") in pairs
    assert len({other for _, other in pairs}) == 2
    assert list(best_pairs(left, [], lambda word: 1.0)) == []


def test_thousands_of_short_sentences_alike_are_compared_without_comparing_each_pair() -> None:
    """2,000 sentences of one word on both sides took 20 seconds: the words of four million pairs were compared."""
    text = "被告人。" * 2000
    left = sentences_of({"text": text}, {"text": Masked(text)}, "zh")
    assert len(left) == 2000

    class Words(dict[str, str]):
        compared = 0

        def keys(self) -> Any:
            Words.compared += 1
            return super().keys()

    counted = [replace(one, words=Words(one.words)) for one in left]
    assert list(best_pairs(counted, left, lambda word: 1.0)) == []
    assert Words.compared < 100


def test_sentences_do_not_pair_by_names() -> None:
    facts, other_facts = "赵某去公园。", "赵某在市场。"
    left = sentences_of({"text": facts}, {"text": neutralise(facts, "zh")}, "zh")
    right = sentences_of({"fact": other_facts}, {"fact": neutralise(other_facts, "zh")}, "zh")
    assert [one.text for one in (*left, *right)] == [facts, other_facts]
    assert not left[0].words.keys() & right[0].words.keys()


def test_french_is_compared_by_stems_and_shown_as_it_stands() -> None:
    assert words_of("L'employeur licencie", "fr") == {"employeur": "employeur", "licenc": "licencie"}
