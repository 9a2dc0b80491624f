"""The page says what the API says, whole without a script and in parts with htmx."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from lexgear.corpus.records import Collection
from lexgear.law.charge_book import charge_book
from lexgear.serve.page.views.judgment import _unsure
from lexgear.wording.translations import LANGUAGES, texts
from serve.page.conftest import FACTS, HTMX
from serve.page.seen import Seen, seen


def asked(client: TestClient, target: str = "", **fields: Any) -> Seen:
    headers = {**HTMX, "HX-Target": target} if target else {}
    return seen(client.post("/search", data={"text": FACTS, **fields}, headers=headers))


def shown(page: Seen) -> list[tuple[int, str, float]]:
    """Rank, id and score of the hits, by rank."""
    hits = page.all("article", class_="hit")
    return sorted(
        (int(hit.attributes["data-rank"]), hit.attributes["data-case"], float(hit.attributes["data-score"]))
        for hit in hits
    )


def test_the_form_asks_for_facts_and_says_what_is_served(browser: TestClient) -> None:
    page = seen(browser.get("/"))
    assert len(page.all("h1")) == 1
    assert page.one("form", id="ask").attributes["method"] == "post"
    assert page.one("label", for_="text").text
    assert "160" in page.one("section", class_="about").text
    assert len(page.all("button", name="example")) == 3


@pytest.mark.parametrize("target", ["", "answer", "precedents"])
def test_hits_are_those_of_the_api(browser: TestClient, target: str) -> None:
    page = asked(browser, target)
    api = browser.post("/api/v1/search", json={"text": FACTS, "k": 10}).json()
    assert shown(page) == [(hit["rank"], hit["id"], hit["score"]) for hit in api["hits"]]
    assert bool(page.all("html")) == (target == "")


def test_the_judgment_is_that_of_the_api(browser: TestClient) -> None:
    page = asked(browser)
    api = browser.post("/api/v1/judge", json={"text": FACTS}).json()
    names = [charge["name"] for charge in api["charges"] if charge["probability"] or charge["share"]]
    assert [one.attributes["data-charge"] for one in page.all("li", data_charge="")] == names
    walk = [step["place"] for step in api["walk"]]
    assert sorted(one.attributes["data-node"] for one in page.all("li", data_node="")) == sorted(walk)
    for charge, one in zip(api["charges"], page.all("li", data_charge=""), strict=False):
        assert f"{100 * charge['probability']:.1f}%" in one.text or charge["probability"] < 0.001
        assert {"likely": "very likely"}.get(charge["grade"], charge["grade"].replace("_", " ")) in one.text
    probabilities = {charge["path"][-1]: charge["probability"] for charge in api["charges"]}
    numbers = {one.attributes["data-node"]: one.text for one in page.all("li", data_node="")}
    assert all(f"{100 * probabilities[node]:.1f}%" in numbers[node] for node in probabilities.keys() & numbers.keys())


@pytest.mark.parametrize("text", [FACTS, "张某持刀拦住路人，抢走手机一部。", "王某与邻居争吵，互相推搡，致其倒地。"])
def test_the_page_is_uncertain_only_if_no_charge_applies(browser: TestClient, text: str) -> None:
    page = asked(browser, text=text)
    applies = any("applies" in one.attributes["class"].split() for one in page.all("li", data_charge=""))
    assert applies != bool(page.all("p", id="unsure"))


@pytest.mark.parametrize(
    ("language", "note", "remark"),
    [
        ("zh", "行为日期：2010年3月5日。 行为之后相关法律有修改", "2011年5月1日有修改（刑法修正案（八））"),
        ("fr", "Date des faits\xa0: 5 mars 2010. La loi a changé", "Modifiée le 1er mai 2011 (刑法修正案（八）)"),
        ("en", "Date of the act: 2010-03-05. The law changed", "Changed on 2011-05-01 (刑法修正案（八）)"),
    ],
)
def test_the_page_says_that_the_law_changed_after_the_act(
    browser: TestClient, language: str, note: str, remark: str
) -> None:
    told = {"text": f"2010年3月5日，{FACTS}"}
    page = seen(browser.post("/search", data=told, headers={"Accept-Language": language}))
    assert note in page.one("p", id="in-force").text
    assert remark in [one.text for one in page.all("span", class_="under remark")]


def test_what_matters_is_marked_in_the_text_and_says_why(browser: TestClient) -> None:
    page = asked(browser)
    assert page.one("div", id="marked").text == FACTS
    likely = [
        one
        for one in browser.post("/api/v1/judge", json={"text": FACTS}).json()["charges"]
        if one["grade"] != "unlikely"
    ]
    words = {part["text"] for one in likely for part in one["expressions"]}
    marked = [one for one in page.all("mark", title="") if one.attributes["class"].startswith("word")]
    assert marked
    assert {one.text for one in marked} <= words
    assert all("is an expression typical of" in one.attributes["title"] for one in marked)
    charges = {part["text"] for one in likely for part in one["rationale"]}
    sentences = [one for one in page.all("mark", title="") if one.attributes["class"].startswith("sentence")]
    assert sentences
    assert {one.text for one in sentences} <= charges
    assert all("supports" in one.attributes["title"] for one in sentences)


def test_a_hit_stands_in_one_group_and_groups_follow_the_best_hit(browser: TestClient) -> None:
    page = asked(browser, shown="30", grouped="1")
    order = [one for one in page.elements if "data-group" in one.attributes or "data-rank" in one.attributes]
    groups: dict[str, list[int]] = {}
    for one in order:
        if "data-group" in one.attributes:
            current = groups.setdefault(one.attributes["data-group"], [])
        else:
            current.append(int(one.attributes["data-rank"]))
    assert sorted(rank for ranks in groups.values() for rank in ranks) == list(range(1, 31))
    assert all(ranks == sorted(ranks) for ranks in groups.values())
    assert [ranks[0] for ranks in groups.values()] == sorted(ranks[0] for ranks in groups.values())


def test_the_parts_of_a_score_add_up(browser: TestClient) -> None:
    page = asked(browser)
    api = browser.post("/api/v1/search", json={"text": FACTS, "k": 1}).json()["hits"][0]
    first = next(one for one in page.all("article") if one.attributes["data-rank"] == "1")
    for part in ("charge", "content", "words"):
        written = f"{api['explanation'][part]:.2f}".replace("-", "\N{MINUS SIGN}")
        assert written in first.text
    assert f"{api['score']:.2f}" in first.text


def test_an_example_is_asked_with_one_click_and_filled_in(browser: TestClient) -> None:
    whole = seen(browser.post("/search", data={"text": "", "example": "1"}))
    text = whole.one("textarea").text
    assert text.strip()
    assert whole.all("article", class_="hit")
    part = seen(browser.post("/search", data={"example": "1"}, headers={**HTMX, "HX-Target": "answer"}))
    assert part.one("textarea", hx_swap_oob="true").text == text


def test_facts_are_in_no_address_and_reloading_begins_again(browser: TestClient) -> None:
    page = asked(browser)
    for one in page.elements:
        for name in ("href", "action", "formaction", "hx-get", "hx-post"):
            assert "翻墙" not in one.attributes.get(name, "")
            assert "%E7%BF%BB%E5%A2%99" not in one.attributes.get(name, "")
    assert browser.get("/search", follow_redirects=False).headers["Location"] == "/"


def test_lines_are_as_they_were_typed(browser: TestClient) -> None:
    page = seen(browser.post("/search", data={"text": "\n翻墙进入商店。\r\n拿走现金五千元。\0"}))
    kept = "\n翻墙进入商店。\n拿走现金五千元。\ufffd"
    assert page.one("div", id="marked").text == kept
    assert page.one("textarea").text == f"\n{kept}"  # a browser drops the first line break
    assert page.one("form", id="again")
    assert [one.attributes["value"] for one in page.all("input", name="text")] == [kept]


def test_an_index_that_cannot_judge_shows_no_judgment(words_browser: TestClient) -> None:
    page = asked(words_browser)
    assert shown(page)
    assert not page.all(id="judgment-title")
    assert not page.all(id="walk")
    assert page.one("div", id="marked").text == FACTS


def test_statutes_have_places_in_place_of_charges_and_no_empty_boxes(statutes_browser: TestClient) -> None:
    page = asked(statutes_browser, text="Mon voisin a planté une haie trop haute, que faire ?")
    assert shown(page)
    assert page.one("html").attributes["lang"] == "fr"
    assert not page.all(id="penalties")
    assert not page.all(id="filters")
    assert not page.all("p", class_="meta")
    assert "None" not in page.one("body").text
    by_place = asked(statutes_browser, text="Mon voisin a planté une haie trop haute, que faire ?", grouped="1")
    groups = [one.attributes["data-group"] for one in by_place.all("section", data_group="")]
    assert all(name.startswith(("Titre", "Chapitre", "Livre")) for name in groups)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("好", "too_short"),
        ("今天天气很好，我们去公园散步，然后回家吃饭看电视。", "not_a_case"),
        ("asdf qwer zxcv uiop", "not_a_case"),
    ],
)
def test_what_is_unsure_is_said_in_a_plain_word(browser: TestClient, text: str, code: str) -> None:
    assert browser.post("/api/v1/judge", json={"text": text}).json()["note"]["code"] == code
    assert asked(browser, text=text).one("p", id="unsure").text.startswith("Uncertain.")
    in_chinese = seen(browser.post("/search", data={"text": text}, headers={"Accept-Language": "zh"}))
    assert not re.search("[a-z]", in_chinese.one("p", id="unsure").text)


def test_who_writes_in_another_language_is_told_that_of_the_collection(browser: TestClient) -> None:
    page = asked(browser, text="zqxw vkjh")
    assert "The collection is in 中文." in page.one("div", id="nothing").text


def test_reasons_are_factors_and_elements_and_never_lists_of_words(browser: TestClient) -> None:
    page = asked(browser)
    first = next(one for one in page.all("article") if one.attributes["data-rank"] == "1")
    assert "both:" in first.text
    assert "Elements of 盗窃罪" in first.text
    book = charge_book()["盗窃罪"]
    assert book.conduct in first.text
    assert len(page.all("svg", class_="score-bar")) == len(page.all("article"))
    assert any(part in first.text for part in ("same charge", "similar facts", "same wording"))
    assert "score" not in page.all("details", class_="why")[0].text.split("Parts of the score")[0]


def test_hits_keep_the_order_of_their_ranks_unless_grouped(browser: TestClient) -> None:
    ranks = [int(one.attributes["data-rank"]) for one in asked(browser).all("article", class_="hit")]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_short_question_to_statutes_is_not_asked_for_facts(language: str) -> None:
    for has_cases, name in ((True, "note.too_short"), (False, "note.too_short_articles")):
        context: Any = SimpleNamespace(t=texts("page", language), has_cases=has_cases)
        judgment: Any = SimpleNamespace(charges=[], walk=[], note=SimpleNamespace(code="too_short", matter=None))
        assert _unsure(context, judgment) == texts("page", language)(name)


def test_the_date_of_the_act_is_that_of_the_form(browser: TestClient) -> None:
    page = asked(browser, act_date="2010-03-05")
    assert "Date of the act: 2010-03-05." in page.one("p", id="in-force").text
    assert page.one("input", id="act-date").attributes["value"] == "2010-03-05"


@pytest.mark.parametrize(
    ("language", "said"),
    [("zh", "行为日期：2010年3月。"), ("fr", "Date des faits\xa0: mars 2010."), ("en", "Date of the act: 2010-03.")],
)
def test_the_date_of_an_act_may_be_a_month(browser: TestClient, language: str, said: str) -> None:
    told = {"text": f"2010年3月，{FACTS}"}
    page = seen(browser.post("/search", data=told, headers={"Accept-Language": language}))
    assert said in page.one("p", id="in-force").text


def test_a_guiding_case_is_called_one_and_can_be_asked_for(browser: TestClient, hostile_browser: TestClient) -> None:
    assert not asked(browser).all("span", class_="authority")
    page = asked(hostile_browser, authority="guiding")
    assert [one[1] for one in shown(page)] == ["bare"]
    assert page.one("span", class_="authority").text == "guiding case"
    assert page.one("input", name="authority", checked="").attributes["value"] == "guiding"


def test_a_sentence_is_shown_for_its_keyword_or_as_similar_but_not_twice(
    browser: TestClient, collection: Collection
) -> None:
    asked = {"text": collection.documents[5].sections["fact"]}
    similar = [one.text for one in seen(browser.post("/search", data=asked)).all("q", class_="theirs")]
    keywords = {found[0] for quote in similar if (found := re.search("[\u4e00-\u9fff]{4}", quote))}
    assert keywords
    for keyword in keywords:
        page = seen(browser.post("/search", data={**asked, "keywords": keyword}))
        quoted = {one.text for one in page.all("q", class_="theirs")} - {*re.findall("[^。；]+[。；]?", asked["text"])}
        hits = [hit.text for hit in page.all("article", class_="hit")]
        assert max((hit.count(quote) for hit in hits for quote in quoted), default=1) == 1, keyword


def test_cases_of_the_pending_court_and_of_those_above_it_say_so(browser: TestClient, collection: Collection) -> None:
    (case,) = browser.post("/api/v1/search", json={"text": FACTS, "k": 1}).json()["hits"]
    page = asked(browser, court=case["court"])
    first = page.all("article", class_="hit")[0]
    assert f"this court {case['court']}" in first.text
    courts = {one.id: one.court for one in collection.documents}
    own = [one for _, one, _ in shown(page) if courts[one] == case["court"]]
    assert len(page.all("span", data_court="own")) == len(own)
    assert not asked(browser).all("span", class_="court-tag")
