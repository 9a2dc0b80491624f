"""Screenshots for the documentation, taken from the served sample: `python -m tools.screenshots`.

`sh tools/browser.sh` installs the browser. Sizes are fixed, animations are off and the report has a fixed date, so that
pictures change only if the page does.
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
TALL = {"width": 1280, "height": 960}
PHONE = {"width": 390, "height": 844}
SHEET = {"width": 794, "height": 1123}
"""A4 at 96 dots per inch."""
MAX_BYTES = 300_000
"""Maximum size of a picture in bytes."""
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
AT = datetime(2026, 3, 2, 9, 30, tzinfo=timezone(timedelta(hours=8)))


def main() -> None:
    """Take all screenshots."""
    OUT.mkdir(parents=True, exist_ok=True)
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    chromium = shutil.which(os.environ.get("LEXGEAR_CHROMIUM", "chromium"))
    with _service() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--disable-gpu", *root])
        for language in ("zh", "en"):
            _search_answer(browser, address, language)
        _side_panel(browser, address)
        _phone(browser, address)
        _report(browser)
        browser.close()


def _search_answer(browser: Browser, address: str, language: str) -> None:
    """Take the judgment and the annotated facts; in Chinese also the precedents."""
    with _open(browser, address, language, viewport=TALL) as page:
        _save(page, f"answer-{language}", above="body")
    if language == "zh":
        with _open(browser, address, language) as page:
            page.locator("details.why > summary").first.click()
            _save(page, f"precedents-{language}", above="#precedents-title")


def _side_panel(browser: Browser, address: str) -> None:
    """Take a comparison and the report form."""
    with _open(browser, address, "zh") as page:
        page.locator("[data-compare]").first.click()
        page.locator("#compare-title").wait_for()
        _save(page, "compare-zh", above=".columns")
        page.locator("[data-close]").click()
        for box in page.locator("input[name=pick]").all()[:3]:
            box.check()
        page.locator("#make-report").click()
        page.locator("#report-title").wait_for()
        page.locator("#use-0").select_option("referred")
        page.locator("#use-1").select_option("referred")
        page.locator("#use-2").select_option("distinguished")
        _save(page, "report-form-zh", above="#report-title")


def _phone(browser: Browser, address: str) -> None:
    with _open(browser, address, "zh", viewport=PHONE, color_scheme="dark") as page:
        _save(page, "telephone-zh", above="#judgment-title")


def _report(browser: Browser) -> None:
    """Take the first page of a report."""
    index = Index.load(INDEX)
    text = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元，次日被抓获，如实供述。"
    uses = ("referred", "referred", "distinguished")
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
        _save(page, "report-zh")


@contextmanager
def _open(browser: Browser, address: str, language: str, **look: Any) -> Iterator[Page]:
    """Open the page and search with its first example."""
    seen = {"viewport": WINDOW, "locale": LOCALES[language], "reduced_motion": "reduce", **look}
    with browser.new_context(base_url=address, **seen) as context:
        page = context.new_page()
        page.goto(f"/?lang={language}")
        page.locator("[data-example='0']").click()
        page.locator("#answer-title").wait_for()
        page.wait_for_function("!document.querySelector('[aria-busy]')")
        yield page


def _save(page: Page, name: str, above: str = "") -> None:
    """Save a screenshot, scrolled to the element `above`."""
    if above:
        page.locator(above).evaluate("one => scrollTo(0, scrollY + one.getBoundingClientRect().top - 24)")
    page.evaluate("document.activeElement.blur()")
    path = OUT / f"{name}.png"
    size = len(page.screenshot(path=path, animations="disabled", caret="hide"))
    print(f"{path}: {size:,} bytes")
    if size > MAX_BYTES:
        raise SystemExit(f"{path} is larger than {MAX_BYTES:,} bytes")


@contextmanager
def _service() -> Iterator[str]:
    """Serve the sample in a separate process and yield its address."""
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
