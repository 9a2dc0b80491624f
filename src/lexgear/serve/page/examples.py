"""Example texts for the start page: queries of the sample, or invented ones in the language of the index."""

from __future__ import annotations

from functools import cache

from lexgear.wording.translations import LANGUAGES, texts

SAMPLE = {"sample-zh": ("q005", "q002", "q014"), "sample-fr": ("q045", "q060", "q075")}
"""Test queries of the sample, which training has not seen."""
KEYS = ("first", "second", "third")


@cache
def examples(collection: str, language: str) -> tuple[str, ...]:
    """Return the example texts for a collection."""
    if collection in SAMPLE:
        return _of_sample(collection)
    entries = texts("examples", language if language in LANGUAGES else LANGUAGES[-1])
    return tuple(entries(key) for key in KEYS)


def _of_sample(collection: str) -> tuple[str, ...]:
    from lexgear.corpus.sample.cases import sample_cases
    from lexgear.corpus.sample.statutes import sample_statutes

    queries = (sample_cases() if collection == "sample-zh" else sample_statutes()).queries
    known = {query.id: query.text for query in queries if query.split == "test"}
    wanted = [name for name in SAMPLE[collection] if name in known] or list(known)[: len(KEYS)]
    return tuple(known[name] for name in wanted)
