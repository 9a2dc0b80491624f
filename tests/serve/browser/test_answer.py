"""Facts pasted into the page: what is read there is what the API answers, and every click does what it says."""

import re
from itertools import pairwise
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from lexgear.corpus.records import Query
from lexgear.wording.translations import LANGUAGES, texts
from serve.browser.conftest import opened


def ask(page: Page, text: str) -> None:
    page.locator("#text").fill(text)
    page.locator("#go").click()
    expect(page.locator("#answer-title")).to_be_focused()


def hits(page: Page) -> list[tuple[str, float]]:
    """Cases and scores in the order of their ranks, whatever groups they stand in."""
    found = page.locator("article.hit").evaluate_all("all => all.map(one => ({...one.dataset}))")
    ranked = sorted(found, key=lambda one: int(one["rank"]))
    return [(one["case"], float(one["score"])) for one in ranked]


def api(address: str, path: str, **body: Any) -> Any:
    return httpx.post(f"{address}/api/v1/{path}", json=body, timeout=60).json()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_is_that_of_the_api_in_every_language(
    browser: Browser, address: str, unseen: list[Query], language: str
) -> None:
    text = unseen[0].text
    with opened(browser, address) as page:
        page.goto("/")
        if page.locator("html").get_attribute("lang", timeout=1000) != {"zh": "zh-CN"}.get(language, language):
            page.locator(f"[data-language={language}]").click()
        assert texts("page", language)("home.title") == page.locator("h1").inner_text()
        ask(page, text)
        shown = hits(page)
        judged = api(address, "judge", text=text)
        assert shown == [(hit["id"], hit["score"]) for hit in api(address, "search", text=text, k=len(shown))["hits"]]
        charges = page.locator("#charges > .charge")
        assert charges.first.get_attribute("data-charge") == judged["charges"][0]["name"]
        assert str(page.locator("#marked").text_content()).replace("\n", "") == text.replace("\n", "")
        assert page.locator("#marked mark").count() > 0


def test_the_walk_is_read_from_the_code_down_to_the_charge(browser: Browser, address: str, unseen: list[Query]) -> None:
    text = unseen[0].text
    judged = api(address, "judge", text=text)
    with opened(browser, address, locale="zh-CN") as page:
        page.goto("/")
        ask(page, text)
        best = judged["charges"][0]["path"]
        for above, below in pairwise(best[1:]):  # the code itself is the whole tree
            assert page.locator(f'[data-node="{above}"] [data-node="{below}"]').count() == 1
        leaf = page.locator(f'[data-node="{best[-1]}"] button.node')
        expect(leaf).to_be_visible()
        shares = {one["place"]: one["share"] for one in judged["walk"]}
        percent = page.locator(f'[data-node="{best[-1]}"] .percent').first.inner_text()
        assert abs(float(re.sub(r"[^\d.]", "", percent)) / 100 - shares[best[-1]]) < 0.01


def test_filters_and_nodes_narrow_what_is_shown_and_chips_widen_it_again(
    browser: Browser, address: str, unseen: list[Query]
) -> None:
    text = unseen[0].text
    with opened(browser, address, locale="en-GB") as page:
        page.goto("/")
        ask(page, text)
        before = hits(page)
        page.locator("[data-facet=level] > summary").click()
        page.locator("input[type=checkbox][name=level][value=intermediate]").check()
        expect(page.locator("[data-chip=level]")).to_have_count(1)
        expect(page.locator("input[type=checkbox][name=level][value=intermediate]")).to_be_focused()
        asked = {"text": text, "k": len(before), "filters": ["level=intermediate"]}
        assert hits(page) == [(hit["id"], hit["score"]) for hit in api(address, "search", **asked)["hits"]]
        page.locator("input[type=checkbox][name=level][value=basic]").check()
        expect(page.locator("[data-chip=level]")).to_have_count(2)
        both = {**asked, "filters": ["level=basic|intermediate"]}
        assert hits(page) == [(hit["id"], hit["score"]) for hit in api(address, "search", **both)["hits"]]
        page.locator("#keywords").fill("被告人 -自首")
        page.locator("#go").click()
        expect(page.locator("[data-chip=keywords]")).to_have_count(2)
        expect(page.locator("[data-chip=level]")).to_have_count(2)  # the facts are the same
        narrowed = {**both, "keywords": "被告人 -自首"}
        assert hits(page) == [(hit["id"], hit["score"]) for hit in api(address, "search", **narrowed)["hits"]]
        assert set(page.locator("article.hit .keyword-lines mark").all_inner_texts()) == {"被告人"}
        page.locator("#chips button[value=all]").click()
        expect(page.locator("[data-chip]")).to_have_count(0)
        expect(page.locator("#keywords")).to_have_value("")
        assert hits(page) == before
        node = "cn-criminal/2/5"
        at = page.locator(f'[data-node="{node}"] > .branch-row > button.node')
        if not at.count():
            at = page.locator("#walk li[data-node] li[data-node] button.node").first
            node = str(at.get_attribute("value"))
        at.click()
        expect(page.locator("[data-chip=node]")).to_be_visible()
        expect(at).to_have_attribute("aria-pressed", "true")
        below = api(address, "search", text=text, k=len(before), node=node)["hits"]
        assert hits(page) == [(hit["id"], hit["score"]) for hit in below]


def test_another_language_is_that_of_all_that_is_seen(browser: Browser, address: str, unseen: list[Query]) -> None:
    french, english = texts("page", "fr"), texts("page", "en")
    with opened(browser, address, locale="fr-FR") as page:
        page.goto("/")
        ask(page, unseen[0].text)
        page.locator("[data-language=en]").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        assert page.locator("#judgment-title").inner_text() == english("judgment.title")
        assert page.locator("#precedents-title").inner_text() == english("precedents.title")
        assert page.locator("#text").input_value() == unseen[0].text
        page.locator("article.hit .hit-title a").first.click()
        name = page.locator("#case-title").inner_text()
        page.locator("[data-language=fr]").click()
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        expect(page.locator("#case-title")).to_have_text(name)
        assert french("case.court") in page.locator("#about-case").inner_text()
        page.keyboard.press("Escape")
        assert page.locator("#judgment-title").inner_text() == french("judgment.title")


def test_names_are_shown_in_what_is_open_beside_the_search(browser: Browser, address: str, unseen: list[Query]) -> None:
    """A comparison, and a report whose entries stay."""
    with opened(browser, address, locale="en-GB") as page:
        page.goto("/")
        ask(page, unseen[0].text)
        page.locator("article.hit input.pick").first.check()
        page.locator("[data-compare]").first.click()
        expect(page.locator("#compare-title")).to_be_focused()
        page.locator("[data-names=shown]").click()
        expect(page.locator("[data-names=masked]")).to_be_visible()
        expect(page.locator("#left")).to_be_visible()
        page.locator("#again button").click()
        expect(page.locator("#picked-count")).to_have_text("1")
        page.locator("#make-report").click()
        page.locator("#r-disputes").fill("whether")
        page.locator("[data-names=masked]").click()
        expect(page.locator("[data-names=shown]")).to_be_visible()
        assert page.locator("#r-disputes").input_value() == "whether"
        expect(page.locator("#picked-cases > li")).to_have_count(1)
