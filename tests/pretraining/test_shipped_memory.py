"""The base models that ship with the package recognise the texts they were trained on."""

import json
import lzma
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from lexgear.pretraining.base import Base, shipped_base
from lexgear.privacy.neutral import neutralise
from shared_data import SHARED, needs_shared

TRAINED_ON = {"lecard": {}, "cases-zh": {"source": "THUlawtech/LegalAttack"}, "cail2018": {"split": "train"}}
"""Data sets, with the fields of the records that the Chinese base model has learnt."""
ARTICLES = {"stard": "zh", "servicepublic": "fr", "bsard": "fr"}
"""Data sets of articles, all of which the base model of their language has learnt."""


@needs_shared
@pytest.mark.parametrize("name", TRAINED_ON)
def test_training_cases_are_known_with_their_names_and_without(name: str) -> None:
    """The others were held out of training."""
    facts = list(islice(facts_of(name, TRAINED_ON[name]), 300))
    known = [text for text in facts if base("zh").knows(text)]
    assert len(known) > 0.85 * len(facts)
    assert sum(base("zh").knows(neutralise(text, "zh").text) for text in known) > 0.95 * len(known)


@needs_shared
def test_test_cases_are_not_known() -> None:
    assert not any(map(base("zh").knows, facts_of("cail2018", {"split": "test"})))


@needs_shared
@pytest.mark.parametrize("name", ARTICLES)
def test_articles_are_known(name: str) -> None:
    articles = [row["text"] for row in islice(rows_of(f"{name}/articles.jsonl.xz"), 300)]
    assert all(map(base(ARTICLES[name]).knows, filter(None, articles)))


def base(language: str) -> Base:
    found = shipped_base(language)
    assert found is not None
    return found


def facts_of(name: str, fields: dict[str, str]) -> Iterator[str]:
    for row in rows_of(f"{name}/cases.jsonl.xz"):
        if fields.items() <= row.items() and (text := row.get("ajjbqk") or row.get("fact")):
            yield text


def rows_of(file: str) -> Iterator[dict[str, Any]]:
    with lzma.open(SHARED / file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
