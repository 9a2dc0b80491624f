"""Tests run side by side, a worker a core: threads of one must not fight those of another."""

import os

import pytest

os.environ["OMP_NUM_THREADS"] = "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest file first: it runs the whole demo on one core while the others fill the second."""
    items.sort(key=lambda item: item.path.name != "test_readme.py")
