"""Other ways to use the page: by keyboard, on a telephone, without script, with a file, over statutory articles."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from lexgear.api import train
from lexgear.corpus.records import Query
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.rankers.words.bm25 import BM25
from lexgear.serve.app import create_app
from serve.browser.conftest import opened
from serve.browser.test_answer import ask, hits
from serve.browser.test_results import findings
from serve.running import running
from serve.uploads.files import body, paragraph, pdf, word

WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def tab_to(page: Page, selector: str, most: int = 200) -> None:
    """Presses Tab until something has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached by keyboard")


def test_everything_is_done_by_keyboard_alone(
    browser: Browser, address: str, unseen: list[Query], tmp_path: Path
) -> None:
    with opened(browser, address, locale="en-GB", accept_downloads=True) as page:
        page.goto("/")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        tab_to(page, "#text")
        page.keyboard.insert_text(unseen[0].text)
        page.keyboard.press("Control+Enter")
        expect(page.locator("#answer-title")).to_be_focused()
        tab_to(page, "button.node")
        page.keyboard.press("Enter")
        expect(page.locator("#precedents-title")).to_be_focused()
        expect(page.locator("[data-chip=node]")).to_be_visible()
        tab_to(page, "input[name=pick]")
        page.keyboard.press("Space")
        expect(page.locator("#picked-count")).to_have_text("1")
        tab_to(page, "[data-compare]")
        page.keyboard.press("Enter")
        expect(page.locator("#compare-title")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("[data-compare]").first).to_be_focused()
        tab_to(page, "#make-report")
        page.keyboard.press("Enter")
        expect(page.locator("#report-title")).to_be_focused()
        tab_to(page, "#make")
        with page.expect_download() as download:
            page.keyboard.press("Enter")
        assert download.value.suggested_filename.endswith(".docx")


def test_nothing_scrolls_sideways_on_a_telephone(browser: Browser, address: str, unseen: list[Query]) -> None:
    with opened(browser, address, viewport={"width": 360, "height": 740}, locale="fr-FR") as page:
        page.goto("/")
        assert page.evaluate(WIDE) <= 0
        ask(page, unseen[0].text)
        page.locator(".to-filters").click()
        expect(page.locator("#filters")).to_be_focused()
        page.locator("[data-facet=year] > summary").click()
        page.locator("details.why > summary").first.click()
        assert page.evaluate(WIDE) <= 0
        page.locator("[data-compare]").first.click()
        expect(page.locator("#compare-title")).to_be_focused()
        assert page.evaluate(WIDE) <= 0
        page.locator("[data-close]").click()
        page.locator("input[name=pick]").first.check()
        page.locator("#make-report").click()
        expect(page.locator("#report-title")).to_be_focused()
        assert page.evaluate(WIDE) <= 0
        for path in ("/law", "/law/cn-criminal/2/5"):
            page.goto(path)
            assert page.evaluate(WIDE) <= 0


def test_forms_work_without_script(browser: Browser, address: str, unseen: list[Query]) -> None:
    with browser.new_context(base_url=address, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/?lang=en")
        page.locator("#text").fill(unseen[0].text)
        page.locator("#go").click()
        expect(page.locator("article.hit").first).to_be_visible()
        case = page.locator("article.hit").first.get_attribute("data-case")
        page.locator("input[name=pick]").first.check()
        page.locator("#make-report").click()
        assert page.locator("#picked-cases > li").get_attribute("data-case") == case
        assert page.url == f"{address}/report"


@pytest.mark.parametrize(
    ("name", "make"),
    [("facts.txt", str.encode), ("facts.docx", lambda t: word(body(paragraph(t)))), ("facts.pdf", lambda t: pdf([t]))],
)
def test_a_file_becomes_the_facts(browser: Browser, address: str, tmp_path: Path, name: str, make: object) -> None:
    facts = "被告人深夜翻墙进入商店，拿走现金。"
    assert callable(make)
    (tmp_path / name).write_bytes(make(facts))
    with opened(browser, address) as page:
        page.goto("/?lang=zh")
        page.locator("input[type=file]").set_input_files(tmp_path / name)
        expect(page.locator("#text")).to_have_value(facts)


def test_a_file_that_cannot_be_read_is_told_in_the_language_of_the_page(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    (tmp_path / "scan.pdf").write_bytes(pdf([""]))
    with browser.new_page(base_url=address) as page:  # the browser itself notes every refusal in its console
        page.goto("/?lang=fr")
        page.locator("input[type=file]").set_input_files(tmp_path / "scan.pdf")
        expect(page.locator("#problem")).to_contain_text("images de pages")
        page.wait_for_timeout(300)  # until the page has settled
        assert page.locator("#status").inner_text() == ""  # it said that the text stands in the form


def test_statutory_articles_have_no_court_and_no_penalties(browser: Browser, french_address: str) -> None:
    with opened(browser, french_address, locale="fr-FR") as page:
        page.goto("/")
        ask(page, sample_statutes().queries[0].text)
        assert len(hits(page)) > 3
        assert page.locator("#penalties").count() == 0
        assert not re.search("Tribunal|Cour |None|null|undefined", page.locator("#answer").inner_text())
        expect(page.locator("article.hit .place").first).to_contain_text("›")
        page.locator("article.hit .hit-title a").first.click()
        expect(page.locator("#case-title")).to_be_focused()
        assert page.locator("mark.common, mark.match").count() > 0
        assert re.search(r", art\. \S+", page.locator("#citation").inner_text())
        page.locator("[data-close]").click()
        page.locator("input[name=pick]").first.check()
        page.locator("#make-report").click()
        expect(page.locator("#report-title")).to_have_text("Rapport de recherche d’articles de loi")
        assert findings(page) == []
        page.goto("/law")
        page.locator("main a[href^='/law/']").first.click()
        expect(page.locator("main h1")).to_be_visible()


def test_a_removed_document_is_gone_within_seconds_and_its_link_says_so(browser: Browser, tmp_path: Path) -> None:
    directory = tmp_path / "index"
    index = train(sample_statutes(), BM25(), directory)
    removed = index.stored.catalogue.ids()[3]
    with running(create_app(directory)) as address, browser.new_page(base_url=address) as page:
        page.goto(f"/cases/{removed}?lang=fr")
        expect(page.locator("#case-title")).to_be_visible()
        before = page.locator("#index-version").get_attribute("data-sha256")
        index.remove([removed])
        for _ in range(60):
            page.wait_for_timeout(500)
            answer = page.goto(f"/cases/{removed}")
            if answer and answer.status == 410:
                break
        expect(page.locator("h1")).to_have_text("Ce document a été retiré de la collection.")
        assert page.locator("#index-version").get_attribute("data-sha256") != before
