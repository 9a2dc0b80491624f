"""Reading in a browser: matches are walked through, cases are picked and cited, comparisons and overviews are used."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from lexgear.api import train
from lexgear.corpus.extraction.factors.comparison import stated_by_document
from lexgear.corpus.records import Collection, Document
from lexgear.law.shipped import chinese_criminal_law
from lexgear.rankers.words.bm25 import BM25
from lexgear.serve.app import create_app
from serve.browser.conftest import opened
from serve.browser.test_answer import ask, hits
from serve.browser.test_results import findings
from serve.running import running


def test_a_case_is_read_walked_through_picked_and_cited(browser: Browser, address: str, collection: Collection) -> None:
    with opened(browser, address, locale="zh-CN", permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto("/")
        page.locator("#keywords").fill("被告人")
        ask(page, next(one for one in collection.documents if len(stated_by_document(one)) > 3).sections["fact"])
        first = hits(page)[0][0]
        page.locator(f'[data-case="{first}"] .hit-head a').first.click()
        expect(page.locator("#case-title")).to_be_focused()
        assert "text=" not in page.url  # the facts are never part of an address
        for look in ("match", "keyword", "factor"):
            assert page.locator(f"mark.{look}").count() > 0
            expect(page.locator(f".match-bar .swatch.{look}")).to_be_visible()
        page.keyboard.press("n")
        expect(page.locator("#match-1")).to_have_class(re.compile("current"))
        page.locator("[data-step='1']").click()
        expect(page.locator("#match-2")).to_be_in_viewport()
        page.locator(".outline a").last.click()
        expect(page.locator("#part-defendants")).to_be_in_viewport()
        page.locator("[data-copy]").first.click()
        assert page.evaluate("navigator.clipboard.readText()") == page.locator("#citation").inner_text()
        page.locator("[data-pick]").click()
        expect(page.locator("[data-pick]")).to_have_attribute("aria-pressed", "true")
        page.locator("[data-close]").click()
        expect(page.locator(f'[data-case="{first}"] input.pick')).to_be_checked()
        expect(page.locator("#picked-count")).to_have_text("1")


def test_closing_remarks_of_a_verdict_are_as_wide_as_its_other_paragraphs(browser: Browser, address: str) -> None:
    widths = "all => all.map(one => one.getBoundingClientRect().width)"
    with opened(browser, address, locale="zh-CN") as page:
        page.goto("/cases/c0001")
        remarks = page.locator("p.para.aside").evaluate_all(widths)
        others = page.locator("p.para:not(.aside)").evaluate_all(widths)
        assert remarks
        assert min(remarks) >= 0.9 * max(others)


def test_a_printed_case_has_its_evidence(browser: Browser, tmp_path: Path) -> None:
    fact = "经审理查明：被告人李某入室盗窃手机一部。\n上述事实，有下列证据证实：\n1.被害人陈述，证实手机被盗。"
    case = Document("1", {"fact": fact, "verdict": "被告人李某犯盗窃罪，判处拘役四个月。"}, charges=("盗窃罪",))
    train(Collection("evidence", "zh", (case,), law=chinese_criminal_law()), BM25(), tmp_path / "index")
    with running(create_app(tmp_path / "index")) as address, opened(browser, address, locale="zh-CN") as page:
        page.goto("/cases/1")
        evidence = page.locator("details.part .para").last
        expect(evidence).to_be_hidden()
        page.emulate_media(media="print")
        expect(evidence).to_be_visible()


def similar_cases(collection: Collection) -> tuple[str, str]:
    """Return the first two cases of the commonest charge."""
    by_charge: dict[str, list[str]] = {}
    for one in collection.documents:
        by_charge.setdefault(one.charges[0], []).append(one.id)
    left, right, *_ = max(by_charge.values(), key=len)
    return left, right


def test_a_comparison_is_compact_on_a_telephone(browser: Browser, address: str, collection: Collection) -> None:
    left, right = similar_cases(collection)
    with opened(browser, address, locale="zh-CN", viewport={"width": 360, "height": 740}) as page:
        page.goto(f"/compare?case={left}&with={right}")
        for row in (".match-bar button", "tr[data-row=charges] td[data-label]"):
            places = [one.bounding_box() for one in page.locator(row).all()]
            assert len(places) == 2
            assert len({place["y"] for place in places if place}) == 1


def test_passages_of_two_cases_are_brought_side_by_side(browser: Browser, address: str, collection: Collection) -> None:
    left, right = similar_cases(collection)
    with opened(browser, address, locale="en-GB") as page:
        page.goto(f"/compare?case={left}&with={right}")
        page.locator("[data-step='1']").click()
        for side in ("left", "right"):
            expect(page.locator(f"#{side}-1")).to_be_in_viewport()
        assert page.locator("#left-1.current, #right-1.current").count() == 2


def test_a_bar_of_the_overview_narrows_it(browser: Browser, address: str) -> None:
    with opened(browser, address, locale="fr-FR", viewport={"width": 360, "height": 740}) as page:
        page.goto("/law")
        bar = page.locator("[data-chart=charge] a").first
        cases = bar.get_attribute("data-cases")
        bar.click()
        expect(page.locator("#chosen-count")).to_have_attribute("data-cases", cases or "")
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        page.locator("a.chip").click()
        expect(page.locator("#chosen-count")).to_have_count(0)


def test_axe_finds_nothing_on_the_pages_that_are_read(browser: Browser, address: str, french_address: str) -> None:
    pages = ("/cases/c0001", "/compare?case=c0001&with=c0002", "/law?level=basic", "/law/cn-criminal/2/5/264/盗窃罪")
    with opened(browser, address, locale="zh-CN") as page:
        for path in pages:
            page.goto(path)
            assert findings(page) == [], path
    with opened(browser, french_address, locale="fr-FR") as page:
        page.goto("/cases/a045")
        assert findings(page) == []
