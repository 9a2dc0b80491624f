"""Shared set-up of the tests: one thread per worker, and the marker of slow tests."""

import os

import pytest
from hypothesis import settings

os.environ["OMP_NUM_THREADS"] = "1"  # the workers of pytest-xdist would compete for the cores otherwise
settings.register_profile("without-clock", deadline=None)  # on a busy machine any example may take long
settings.load_profile("without-clock")

SLOW_FIXTURES = {"address", "client", "clone", "index_dir", "ranker", "trained"}
"""Fixtures that train a ranker or start a service; every test that requests one is slow."""
SLOW = (
    "commands/test_annotate.py::test_a_sheet_is_drawn_and_scored",
    "commands/test_serve.py",
    "commands/test_train.py",
    "commands/test_tune.py",
    "corpus/datasets/test_lecard.py",
    "corpus/datasets/test_stard.py",
    "corpus/extraction/test_judgments.py::test_nearly_all_real_judgments",
    "evaluation/reproduce",
    "evaluation/test_tuning.py",
    "faults",
    "index/test_update.py",
    "index/test_store.py::test_a_flipped_bit_in_any_byte_of_the_manifest",
    "judgment",
    "model/encoder",
    "model/test_t5.py::test_a_loaded_checkpoint",
    "model/text_generation",
    "pretraining",
    "rankers",
    "rationale/test_extract.py::test_no_text_is_too_odd_or_too_long",
    "rationale/test_extract.py::test_ten_megabytes",
    "rationale/test_extract.py::test_the_sample_read_word_by_word",
    "rationale/test_sentences.py::test_ten_megabytes",
    "report/writers",
    "serve/browser",
    "serve/test_workers.py",
    "test_extending.py",
    "training/objectives",
)
"""Tests that train, serve, drive a browser, or read a whole data set or very long texts, by the start of their id."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests, and start the longest file first so that the other workers fill the time beside it."""
    for item in items:
        if is_slow(item):
            item.add_marker("slow")
    items.sort(key=lambda item: item.path.name != "test_readme.py")


def is_slow(item: pytest.Item) -> bool:
    """Return whether a test is listed as slow or requests a slow fixture."""
    listed = item.nodeid.removeprefix("tests/").startswith(SLOW)
    return listed or not SLOW_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
