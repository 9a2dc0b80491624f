"""The list of results as it is used all day: seen at once, ordered, exported, kept in the browser if one wishes."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from lexgear.corpus.records import Query
from lexgear.wording.translations import LANGUAGES
from serve.browser.conftest import opened
from serve.browser.test_answer import ask, hits

SCREEN = {"width": 1280, "height": 800}
UNCERTAIN = "王某与邻居因琐事争吵，互相推搡，致其倒地，手机损坏，后王某拿走对方的物品离开。"
AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
FINDINGS = "axe.run().then(found => found.violations.map(one => `${one.id}: ${one.nodes[0].html}`))"
WATCH_SHIFTS = """window.shift = 0;
new PerformanceObserver(list => { for (const one of list.getEntries()) if (!one.hadRecentInput) shift += one.value; })
  .observe({type: 'layout-shift', buffered: true});"""


def findings(page: Page) -> list[str]:
    """Findings of axe-core on a page."""
    page.evaluate(AXE)
    found: list[str] = page.evaluate(FINDINGS)
    return found


def test_the_first_precedent_is_seen_without_scrolling_and_nothing_jumps(
    browser: Browser, address: str, unseen: list[Query]
) -> None:
    for text in (unseen[0].text, UNCERTAIN):
        with opened(browser, address, viewport=SCREEN, locale="zh-CN") as page:
            page.add_init_script(WATCH_SHIFTS)
            page.goto("/")
            ask(page, text)
            assert page.evaluate("scrollY") == 0
            first = page.locator("article.hit").first.bounding_box()
            assert first is not None
            assert first["y"] + min(first["height"], 200) < SCREEN["height"]
            shares = page.locator("#walk > li.branch, #walk ul > li.branch").locator("visible=true")
            assert shares.count() <= 12
            page.wait_for_timeout(200)
            assert page.evaluate("shift") < 0.1


def test_axe_finds_nothing_on_the_form_and_on_the_results(browser: Browser, address: str, unseen: list[Query]) -> None:
    for look in ({"color_scheme": "light"}, {"color_scheme": "dark"}):
        with opened(browser, address, viewport=SCREEN, locale="zh-CN", **look) as page:
            page.goto("/")
            assert findings(page) == []
            ask(page, unseen[0].text)
            page.locator("#read > summary").click()
            page.locator("details.why > summary").first.click()
            page.locator("[data-facet=level] > summary").click()
            assert findings(page) == []
            page.locator("#open-records").click()
            page.locator("#keep-records").check()
            assert findings(page) == []


def test_words_of_the_law_are_not_broken_into_fragments(browser: Browser, address: str, unseen: list[Query]) -> None:
    """In the narrow tree, what stands beside a long word in capitals moves to the next line."""
    lines = """(one, name) => {
        one.textContent = name;
        Object.assign(one.style, {flex: "none", justifySelf: "start", whiteSpace: "nowrap"});
        one.parentElement.style.width = `${one.getBoundingClientRect().width + 30}px`;
        const line = one.getBoundingClientRect().height;
        Object.assign(one.style, {flex: "", justifySelf: "", whiteSpace: ""});
        return one.getBoundingClientRect().height / line;
    }"""
    with opened(browser, address, viewport=SCREEN, locale="fr-FR") as page:
        page.goto("/")
        ask(page, unseen[0].text)
        node = page.locator("#walk .branch:not(.leaf) > .branch-row .node").locator("visible=true").last
        assert node.evaluate(lines, "CAUTIONNEMENT") == 1


def test_order_and_groups_are_choices(browser: Browser, address: str, unseen: list[Query]) -> None:
    with opened(browser, address, viewport=SCREEN, locale="en-GB") as page:
        page.goto("/")
        ask(page, unseen[0].text)
        ranked = hits(page)
        page.locator("#sort").select_option("date")
        expect(page.locator("#sort")).to_be_focused()
        dates = page.locator("article.hit time").evaluate_all("all => all.map(one => one.dateTime)")
        assert dates == sorted(dates, reverse=True)
        page.locator("#sort").select_option("relevance")
        expect(page.locator("article.hit").first).to_have_attribute("data-rank", "1")
        page.locator("#grouped").check()
        expect(page.locator("section.group").first).to_be_visible()
        assert sorted(hits(page)) == sorted(ranked)
        with page.expect_download() as download:
            page.locator("#export-csv").click()
        rows = Path(download.value.path()).read_text("utf-8-sig").splitlines()[1:]
        assert [row.split('","')[2] for row in rows] == [case for case, _ in ranked]


def test_a_reload_keeps_the_facts_and_nothing_else_is_kept(browser: Browser, address: str, unseen: list[Query]) -> None:
    with opened(browser, address, viewport=SCREEN, locale="en-GB") as page:
        page.goto("/")
        page.locator("#keywords").fill("被告人")
        page.locator("#act-date").fill("yesterday")
        page.locator("#text").fill(unseen[0].text)
        page.locator("#go").click()
        assert page.locator("#act-date:invalid").count() == 1  # the browser says so, and nothing is sent
        page.locator("#act-date").fill("2019年3月12日")
        ask(page, unseen[0].text)
        expect(page.locator("input[name=act_date][form=again]")).to_have_value("2019-03-12")
        found = hits(page)
        assert unseen[0].text[:10] not in page.url
        page.reload()
        expect(page.locator("article.hit").first).to_be_visible()
        expect(page.locator("#text")).to_have_value(unseen[0].text)
        expect(page.locator("#keywords")).to_have_value("被告人")
        assert hits(page) == found
        ask(page, unseen[0].text * 4)  # the form grows over several lines, and its button moves
        expect(page.locator("input[name=asked]")).to_have_value(unseen[0].text * 4)
        page.emulate_media(media="print")
        expect(page.locator("#go")).to_be_hidden()
        expect(page.locator("article.hit").last).to_be_visible()
        page.emulate_media(media="screen")
        assert page.evaluate("localStorage.length") == 0
        expect(page.locator("[data-judge]").first).to_be_hidden()


def test_records_are_kept_in_the_browser_if_one_wishes_and_erased_with_one_click(
    browser: Browser, address: str, unseen: list[Query]
) -> None:
    with opened(browser, address, viewport=SCREEN, locale="en-GB") as page:
        page.goto("/")
        page.locator("#open-records").click()
        page.locator("#keep-records").check()
        page.locator("[data-close-records]").click()
        ask(page, unseen[0].text)
        cases = [case for case, _ in hits(page)]
        page.locator("[data-judge='1']").first.click()
        page.locator("[data-judge='0']").nth(1).click()
        page.locator("[data-mark]").nth(2).click()
        page.locator("[data-note]").nth(2).fill("compare with our case")
        page.locator("#save-search").click()
        page.reload()
        expect(page.locator("[data-judge='1']").first).to_have_attribute("aria-pressed", "true")
        expect(page.locator("[data-note]").nth(2)).to_have_value("compare with our case")
        page.locator("#open-records").click()
        expect(page.locator("#history-list > li")).to_have_count(1)
        expect(page.locator("#saved-list > li")).to_have_count(1)
        expect(page.locator("#marks-list > li")).to_contain_text("compare with our case")
        files: dict[str, str] = {}
        page.on("download", lambda one: files.update({one.suggested_filename: Path(one.path()).read_text("utf-8")}))
        page.locator("#export-feedback").click()
        page.wait_for_timeout(500)
        query = json.loads(files["queries.jsonl"])
        assert query["text"] == unseen[0].text
        assert files["qrels.trec"].splitlines() == [f"{query['id']} 0 {cases[0]} 1", f"{query['id']} 0 {cases[1]} 0"]
        page.locator("#erase-records").click()
        assert page.evaluate("[localStorage.length, sessionStorage.getItem('lexgear.search')]") == [0, None]
        expect(page.locator("#keep-records")).not_to_be_checked()


@pytest.mark.matrix
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [360, 390, 768, 1024, 1280, 1920])
def test_every_language_at_every_width(
    browser: Browser, address: str, unseen: list[Query], language: str, width: int
) -> None:
    for scheme in ("light", "dark"):
        with opened(browser, address, viewport={"width": width, "height": 800}, color_scheme=scheme) as page:
            page.goto(f"/?lang={language}")
            assert findings(page) == []
            ask(page, unseen[0].text)
            page.locator("details.why > summary").first.click()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert findings(page) == []
