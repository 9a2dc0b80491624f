"""A real browser before a service that really runs: whatever goes wrong in it fails the test."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from lexgear.api import train
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.rankers.words.bm25 import BM25
from lexgear.serve.app import create_app
from lexgear.serve.settings import ServeSettings
from serve.running import running

CHROMIUM = shutil.which(os.environ.get("LEXGEAR_CHROMIUM", "chromium"))
SLOWEST = 20_000
"""Milliseconds for one thing to happen, on a machine with much else to do."""
WATCH = "window.violations = []; addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective))"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Let go of after each file: as long as it is there, its event loop runs, and no other test may run one."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: sh tools/browser.sh installs it")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    arguments = ["--disable-gpu", "--disable-dev-shm-usage", *(["--no-sandbox"] if is_root else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        expect.set_options(timeout=SLOWEST)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address(index_dir: Path) -> Iterator[str]:
    with running(create_app(index_dir, ServeSettings(deadline=60))) as address:
        yield address


@pytest.fixture(scope="session")
def french_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Statutory articles, by words alone."""
    directory = tmp_path_factory.mktemp("french") / "index"
    train(sample_statutes(), BM25(), directory)
    with running(create_app(directory)) as address:
        yield address


class Watched:
    """Problems of a page while it is open: none may occur."""

    def __init__(self, page: Page, host: str) -> None:
        self.page, self.host = page, host
        self.wrong: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("request", self._asked)
        page.add_init_script(WATCH)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.wrong.append(f"console: {message.text}")

    def _asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in {"data", "blob"} and parts.netloc != self.host:
            self.wrong.append(f"request to {request.url}")

    def check(self) -> None:
        violations: Any = self.page.evaluate("window.violations")
        assert not violations
        assert not self.wrong


@contextmanager
def opened(browser: Browser, address: str, **context: Any) -> Iterator[Page]:
    """A page that was opened with nothing kept from before, and closed with nothing gone wrong."""
    with browser.new_context(base_url=address, **{"viewport": {"width": 1280, "height": 900}, **context}) as inside:
        inside.set_default_timeout(SLOWEST)
        page = inside.new_page()
        watched = Watched(page, urlsplit(address).netloc)
        yield page
        watched.check()
