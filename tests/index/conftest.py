"""Checksums are tested on the index that the tests of the service share."""

from serve.conftest import collection, words_dir

__all__ = ["collection", "words_dir"]
