"""The base models that ship with the package recognise the texts they were trained on."""

import json
import lzma
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from lexgear.pretraining.base import shipped_base
from lexgear.privacy.neutral import neutralise
from shared_data import SHARED, needs_shared

TRAINED_ON = {"lecard": {}, "cases-zh": {"source": "THUlawtech/LegalAttack"}, "cail2018": {"split": "train"}}
"""Data sets, with the fields of the records that the Chinese base model has learnt."""


@needs_shared
@pytest.mark.parametrize("name", TRAINED_ON)
def test_most_training_cases_are_known_in_their_neutral_form(name: str) -> None:
    """A change of the neutraliser changes neutral texts: their fingerprints in `seen.npy` must follow."""
    base = shipped_base("zh")
    assert base is not None
    facts = [row.get("ajjbqk") or row["fact"] for row in islice(learnt_rows(name), 200)]
    known = sum(base.knows(neutralise(text, "zh").text) for text in facts)
    assert known > 0.85 * len(facts)


def learnt_rows(name: str) -> Iterator[dict[str, Any]]:
    with lzma.open(SHARED / name / "cases.jsonl.xz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if TRAINED_ON[name].items() <= row.items() and (row.get("ajjbqk") or row.get("fact")):
                yield row
