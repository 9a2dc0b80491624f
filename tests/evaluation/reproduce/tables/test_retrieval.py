"""Tables of the retrieval report."""

import pytest

from lexgear.evaluation.comparison import compare
from lexgear.evaluation.measures import parse_measures
from lexgear.evaluation.reproduce.tables.retrieval import _interval_table


@pytest.mark.parametrize(
    ("baseline", "title"),
    [
        ("bm25", "Means with 95% bootstrap intervals, and differences from BM25"),
        (None, "Means with 95% bootstrap intervals"),
    ],
)
def test_means_name_the_row_that_they_are_compared_with_if_there_is_one(baseline: str | None, title: str) -> None:
    [measure] = parse_measures("R@1")
    values = {("bm25", measure): {"1": 0.5, "2": 0.0}, ("gear", measure): {"1": 0.25, "2": 0.5}}
    found = compare(values, baseline)
    assert _interval_table(found, {"bm25": "BM25", "gear": "GEAR"}).title == title
