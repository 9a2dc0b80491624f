from pathlib import Path
from typing import Any

import pytest

from lexgear.corpus.datasets.reader import Record
from lexgear.corpus.extraction.penalties import KINDS
from lexgear.corpus.field_values import LEVELS, drop_invalid_values
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError

FILE = Path("cases.jsonl")


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("level", "moon", "level 'moon' is not one of supreme"),
        ("date", "yesterday", "date 'yesterday' is not a valid date"),
        ("date", "2023-02-30", "date '2023-02-30' is not a valid date"),
        ("date", "20230228", "date '20230228' is not a valid date"),
        ("in_force_from", "2021", "in_force_from '2021' is not a valid date"),
        ("penalty", {"kind": "weird", "months": 3}, "penalty 'weird' is not one of death"),
        ("penalty", {"months": 3}, "penalty None is not one of death"),
    ],
)
def test_a_field_that_means_nothing_is_listed_and_the_rest_stays(field: str, value: Any, reason: str) -> None:
    skipped = SkippedRecords()
    assert drop_invalid_values(Record(FILE, 4, {"id": "a", "text": "甲", field: value}, skipped)) == {
        "id": "a",
        "text": "甲",
    }
    [skip] = skipped.entries
    assert (skip.line, skip.record) == (4, "a")
    assert skip.reason.startswith(reason)
    with pytest.raises(InputError, match=r"cases.jsonl:4: a: "):
        drop_invalid_values(Record(FILE, 4, {"id": "a", field: value}, SkippedRecords(strict=True)))


def test_a_defendant_loses_an_unknown_penalty_alone() -> None:
    people = [{"name": "甲", "penalty": {"kind": "weird"}}, {"name": "乙", "penalty": {"kind": "life"}}, "丙"]
    skipped = SkippedRecords()
    row = drop_invalid_values(Record(FILE, 1, {"id": "a", "defendants": people}, skipped))
    assert row["defendants"] == [{"name": "甲"}, *people[1:]]
    assert len(skipped.entries) == 1


def test_a_count_loses_an_unknown_penalty_alone() -> None:
    counts = [{"charge": "盗窃罪", "penalty": {"kind": "weird"}}, {"charge": "诈骗罪", "penalty": {"kind": "life"}}]
    skipped = SkippedRecords()
    row = drop_invalid_values(Record(FILE, 1, {"id": "a", "defendants": [{"name": "甲", "counts": counts}]}, skipped))
    assert row["defendants"] == [{"name": "甲", "counts": [{"charge": "盗窃罪"}, counts[1]]}]
    assert len(skipped.entries) == 1


def test_everything_a_judgment_can_say_passes() -> None:
    strict = SkippedRecords(strict=True)
    for level in (*LEVELS, "", None):
        for kind in KINDS:
            row = {"id": "a", "level": level, "date": "2024-02-29", "penalty": {"kind": kind}}
            assert drop_invalid_values(Record(FILE, 1, row, strict)) == row
