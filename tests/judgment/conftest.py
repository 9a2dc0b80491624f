"""The judgment is tested on the index that the tests of the rankers share."""

from rankers.conftest import index, ranker, sample, unseen

__all__ = ["index", "ranker", "sample", "unseen"]
