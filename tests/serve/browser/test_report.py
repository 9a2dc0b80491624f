"""From facts to a report in a file: compare, pick three cases, put them in order, export, open it again."""

from pathlib import Path

import docx
import pytest
from playwright.sync_api import Browser, Page, expect

from lexgear.api import Index
from lexgear.corpus.records import Query
from lexgear.wording.translations import LANGUAGES, texts
from report.writers.test_docx import texts_of
from serve.browser.conftest import opened
from serve.browser.test_answer import ask, hits
from serve.browser.test_results import findings


def exported(page: Page, to: Path) -> Path:
    with page.expect_download() as download:
        page.locator("#make").click()
    download.value.save_as(to)
    return to


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_cases_are_compared_picked_ordered_and_exported(
    browser: Browser, address: str, unseen: list[Query], index: Index, tmp_path: Path, language: str
) -> None:
    with opened(browser, address, accept_downloads=True) as page:
        page.goto(f"/?lang={language}")
        ask(page, unseen[0].text)
        first, second, third, *_ = (case for case, _ in hits(page))

        page.locator(f'[data-compare="{second}"]').click()
        expect(page.locator("#compare-title")).to_be_focused()
        assert page.locator("#left mark[id^=left-]").count() == page.locator("#right mark[id^=right-]").count() > 0
        page.locator("#left-1 a.pair").click()
        expect(page.locator("#right-1")).to_be_in_viewport()
        page.locator("[data-close]").click()
        expect(page.locator(f'[data-compare="{second}"]')).to_be_focused()

        for case in (first, second, third):
            page.locator(f'[data-case="{case}"] input[name=pick]').check()
        expect(page.locator("#picked-count")).to_have_text("3")
        page.locator("#make-report").click()
        listed = page.locator("#picked-cases > li")
        expect(listed).to_have_count(3)
        assert findings(page) == []
        page.locator("#up-2").click()
        expect(listed.nth(1)).to_have_attribute("data-case", third)
        page.locator("#up-1").click()
        expect(listed.nth(0)).to_have_attribute("data-case", third)

        page.locator("#use-0").select_option("distinguished")
        page.locator("#remark-0").fill("数额悬殊 <b>&</b>")
        page.locator("#use-1").select_option("referred")
        assert page.locator("#use-1 option[value=followed]").count() == 0  # only guiding cases are followed
        assert texts("reading", language)("report.followed") == page.locator("#use-hint").inner_text()
        page.locator("#r-title").fill("某某盗窃案")
        page.locator("#r-court").fill("四川省碧川区人民法院")
        page.locator("#r-by").fill("王法官助理")
        page.locator("#r-disputes").fill("是否入户？\n数额几何？")
        assert page.locator("#r-language").input_value() == language
        written = texts_of(docx.Document(str(exported(page, tmp_path / "report.docx"))))

    say = texts("report", language)
    assert written[:2] == [say("title"), "某某盗窃案"]
    order = (third, first, second)
    documents = [index.stored.catalogue.document(case) for case in order]
    titles = [f"{say('numbered', number=at)}{one.title}" for at, one in enumerate(documents, start=1)]
    assert [text for text in written if text in titles] == titles
    for dispute in ("是否入户？", "数额几何？", "王法官助理", "数额悬殊 <b>&</b>"):
        assert dispute in written
    assert written.count(say("use.distinguished")) == written.count(say("use.referred")) == 3
    for document in documents:
        sections = "\n".join(document.sections.values())
        quoted = [text for text in written if len(text) > 15 and text in sections]
        assert quoted, document.id


def test_a_report_for_print_keeps_to_its_own_policy(
    browser: Browser, address: str, unseen: list[Query], tmp_path: Path
) -> None:
    with opened(browser, address, accept_downloads=True) as page:
        page.goto("/?lang=en")
        ask(page, unseen[0].text)
        page.locator("input[name=pick]").first.check()
        page.locator("#make-report").click()
        page.locator("#r-format").select_option("html")
        file = exported(page, tmp_path / "report.html")
    with browser.new_context() as context:
        page = context.new_page()
        wrong: list[str] = []
        page.on("console", lambda message: wrong.append(message.text))
        page.goto(file.as_uri())
        assert page.locator("h1").inner_text() == "Similar-case search report"
        assert page.locator("blockquote").count() > 0
        assert page.locator("main").evaluate("one => getComputedStyle(one.querySelector('h1')).textAlign") == "center"
        assert not wrong
