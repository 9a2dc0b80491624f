"""Takes the pictures of the README from the served sample: `python -m tools.screenshots`, after `sh tools/browser.sh`.

Sizes are fixed, nothing moves, and the report has a fixed date, so that pictures change only where the page does.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from lexgear.api import Index
from lexgear.report.build import build_report
from lexgear.report.model import Entries
from lexgear.report.writers.html import to_html

INDEX = Path("build/sample-index")
OUT = Path("docs/img")
WINDOW = {"width": 1280, "height": 780}
TALL = {"width": 1280, "height": 1240}
TELEPHONE = {"width": 390, "height": 844}
SHEET = {"width": 794, "height": 1123}
"""A4 at 96 dots an inch."""
MOST = 300_000
"""Bytes of a picture."""
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
AT = datetime(2026, 3, 2, 9, 30, tzinfo=timezone(timedelta(hours=8)))


def main() -> None:
    """All pictures."""
    OUT.mkdir(parents=True, exist_ok=True)
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    chromium = shutil.which(os.environ.get("LEXGEAR_CHROMIUM", "chromium"))
    with _service() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--disable-gpu", *root])
        for language in ("zh", "en"):
            _answer(browser, address, language)
        _beside(browser, address)
        _on_a_telephone(browser, address)
        _printed(browser)
        browser.close()


def _answer(browser: Browser, address: str, language: str) -> None:
    """The judgment, the walk and the facts; and below them the precedents."""
    with _opened(browser, address, language, viewport=TALL) as page:
        _kept(page, f"answer-{language}", above="body")
    if language == "zh":
        with _opened(browser, address, language) as page:
            page.locator("details.why > summary").first.click()
            _kept(page, f"precedents-{language}", above="#precedents-title")


def _beside(browser: Browser, address: str) -> None:
    """A comparison, and the form of the report."""
    with _opened(browser, address, "zh") as page:
        page.locator("[data-compare]").first.click()
        page.locator("#compare-title").wait_for()
        _kept(page, "compare-zh", above=".columns")
        page.locator("[data-close]").click()
        for box in page.locator("input[name=pick]").all()[:3]:
            box.check()
        page.locator("#make-report").click()
        page.locator("#report-title").wait_for()
        page.locator("#use-0").select_option("followed")
        page.locator("#use-1").select_option("referred")
        page.locator("#use-2").select_option("distinguished")
        _kept(page, "report-form-zh", above="#report-title")


def _on_a_telephone(browser: Browser, address: str) -> None:
    with _opened(browser, address, "zh", viewport=TELEPHONE, color_scheme="dark") as page:
        _kept(page, "telephone-zh", above="#judgment-title")


def _printed(browser: Browser) -> None:
    """The first page of a report."""
    index = Index.load(INDEX)
    text = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元，次日被抓获，如实供述。"
    uses = ("followed", "referred", "distinguished")
    picked = [{"id": hit.document.id, "use": use} for hit, use in zip(index.search(text, 3), uses, strict=True)]
    entered = {"by": "王法官助理", "organisation": "四川省碧川区人民法院", "cases": picked, "k": 5}
    pending = {
        "title": "某某盗窃案",
        "court": "四川省碧川区人民法院",
        "disputes": ["是否属于入户盗窃？", "能否认定自首？"],
    }
    report = build_report(index, Entries.model_validate({"text": text, "at": AT, "pending": pending, **entered}))
    with browser.new_context(viewport=SHEET) as context:  # type: ignore[arg-type]
        page = context.new_page()
        page.set_content(to_html(report))
        _kept(page, "report-zh")


@contextmanager
def _opened(browser: Browser, address: str, language: str, **look: Any) -> Iterator[Page]:
    """The page with the answer to its first example."""
    seen = {"viewport": WINDOW, "locale": LOCALES[language], "reduced_motion": "reduce", **look}
    with browser.new_context(base_url=address, **seen) as context:
        page = context.new_page()
        page.goto(f"/?lang={language}")
        page.locator("[data-example='0']").click()
        page.locator("#answer-title").wait_for()
        page.wait_for_function("!document.querySelector('[aria-busy]')")
        yield page


def _kept(page: Page, name: str, above: str = "") -> None:
    """What the window shows, from some place on."""
    if above:
        page.locator(above).evaluate("one => scrollTo(0, scrollY + one.getBoundingClientRect().top - 24)")
    page.evaluate("document.activeElement.blur()")
    path = OUT / f"{name}.png"
    size = len(page.screenshot(path=path, animations="disabled", caret="hide"))
    print(f"{path}: {size:,} bytes")
    if size > MOST:
        raise SystemExit(f"{path} is larger than {MOST:,} bytes")


@contextmanager
def _service() -> Iterator[str]:
    """The address of the sample, served by a process of its own."""
    command = [sys.executable, "-c", "from lexgear.cli import main; main()", "serve", str(INDEX), "--sample"]
    with subprocess.Popen(
        [*command, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            lines = iter(process.stdout or ())
            yield next(match[0] for line in lines if (match := re.search(r"http://127\.0\.0\.1:\d+", line)))
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
