"""Fixtures shared with the tests of the service."""

from serve.conftest import collection, words_dir

__all__ = ["collection", "words_dir"]
