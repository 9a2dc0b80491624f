"""Fixtures: the index of the ranker tests."""

from rankers.conftest import index, ranker, sample, unseen

__all__ = ["index", "ranker", "sample", "unseen"]
