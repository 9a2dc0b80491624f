"""Benchmarks started by hand, or on a machine without a browser."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.first_answer import first_answer


def test_growth_without_arguments_prints_its_usage() -> None:
    root = Path(__file__).parents[1]
    called = subprocess.run(
        [sys.executable, "-m", "bench.growth"], cwd=root, capture_output=True, text=True, check=False
    )
    assert (called.returncode, called.stderr) == (2, "usage: python -m bench.growth DIRECTORY [SIZE ...]\n")


def test_the_benchmark_of_the_page_is_skipped_without_playwright_or_chromium(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEXGEAR_CHROMIUM", "no-such-browser")
    assert list(first_answer()) == []
    assert capsys.readouterr().err == "first_answer is skipped: there is no Chromium (sh tools/browser.sh)\n"
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    assert list(first_answer()) == []
    assert capsys.readouterr().err == "first_answer is skipped: playwright is not installed\n"
