"""The JSON holds all of a report, texts as they are."""

import json

import pytest

from lexgear.report.model import Report
from lexgear.report.writers.json import to_json


@pytest.mark.parametrize("name", ["report", "hostile", "bare"])
def test_the_report_comes_back_from_its_json(name: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(name)
    row = json.loads(to_json(report))
    assert row.pop("null_means") == {"zh": "检索未提供", "en": "not provided by the search"}[report.language]
    assert Report.model_validate(row) == report


def test_times_have_their_zone_and_absent_fields_are_null(bare: Report) -> None:
    row = json.loads(to_json(bare))
    assert row["search"]["at"].endswith(("Z", "+00:00"))
    assert row["cases"][0]["court"] is None
    assert to_json(bare).encode("utf-8")
