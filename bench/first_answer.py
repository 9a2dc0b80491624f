"""Time from a click on the page to the first precedent, in a browser: a new text, and then a new keyword.

`python -m bench.first_answer` runs it alone on the sample index, `python -m bench.first_answer INDEX` on another one.
It needs playwright and Chromium (`sh tools/browser.sh`); without them nothing is measured.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from bench.side_by_side import Measured
from bench.table import run_benchmarks
from lexgear.corpus.sample.cases import sample_cases

if TYPE_CHECKING:
    from playwright.sync_api import Page

INDEX = Path("build/sample-index")
TEXTS = 10
"""Texts that are measured, after one to warm up."""
KEYWORDS = ("自首", "如实供述", "入户", "持刀", "手机", "赔偿", "谅解", "现金", "被害人", "认罪")


def first_answer() -> Iterator[Measured]:
    """Measure both on an index of cases."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("first_answer is skipped: playwright is not installed", file=sys.stderr)
        return
    chromium = shutil.which(os.environ.get("LEXGEAR_CHROMIUM", "chromium"))
    if chromium is None:
        print("first_answer is skipped: there is no Chromium (sh tools/browser.sh)", file=sys.stderr)
        return
    index = Path(sys.argv[1]) if len(sys.argv) > 1 else INDEX
    texts = [query.text for query in sample_cases().queries[: 1 + TEXTS]]
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with _service(index) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--disable-gpu", *root])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{address}/?lang=zh")
        answers = [_milliseconds(page, "#text", text) for text in texts][1:]
        narrowed = [_milliseconds(page, "#keywords", word) for word in KEYWORDS]
        browser.close()
    where = f"{index}, 1280 x 800"
    yield Measured(
        "page_first_answer_ms", f"ms from the click to the first precedent of a new text; {where}", tuple(answers)
    )
    yield Measured("page_keyword_ms", f"ms from the click to the results of a new keyword; {where}", tuple(narrowed))


def _milliseconds(page: Page, field: str, value: str) -> float:
    page.locator(field).fill(value)
    page.evaluate("document.querySelector('#hit-1, #nothing')?.remove()")
    begun = time.perf_counter()
    page.locator("#go").click()
    page.locator("#answer:not([aria-busy]) :is(#hit-1, #nothing)").wait_for()
    return 1000 * (time.perf_counter() - begun)


@contextmanager
def _service(index: Path) -> Iterator[str]:
    """Serve an index in its own process and yield its address."""
    command = [sys.executable, "-c", "from lexgear.cli import main; main()", "serve", str(index), "--port", "0"]
    sample = ["--sample"] if index == INDEX else []
    with subprocess.Popen([*command, *sample], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            lines = iter(process.stdout or ())
            yield next(match[0] for line in lines if (match := re.search(r"http://127\.0\.0\.1:\d+", line)))
        finally:
            process.terminate()


if __name__ == "__main__":
    run_benchmarks((first_answer,), Console())
