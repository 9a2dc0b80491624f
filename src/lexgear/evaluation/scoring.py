"""Values of measures, one per query, from a run and its labels.

Every query of the labels has a value for every measure. A query that the run does not rank and a query without any
relevant document (at the measure's threshold; for nDCG, without any grade above 0) count as 0, as with
`trec_eval -c`: means are over all queries of the labels. Coverage is the exception, see `coverage.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.measures import Measure
from lexgear.trec import Qrels, Run, ranking

Values: TypeAlias = dict[str, float]
"""query id → value."""

GEAR_DEPTH = 30
"""Rank to which GEAR's authors looked: their number of beams."""

HIGHEST_EXPONENT = 15
"""Gains are passed to trec_eval as grades, and it allocates an array as long as the highest: 2^15 is still cheap."""


def score(run: Run, qrels: Qrels, measures: Iterable[Measure]) -> dict[Measure, Values]:
    """Return the value of every measure for every query of the labels, in their order.

    >>> score({"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1}}, [Measure("RR")])
    {RR: {'q': 0.5}}
    """
    measures = list(dict.fromkeys(measures))
    order = {query: ranking(run.get(query, {})) for query in qrels}
    values = _score_with_ir_measures([m for m in measures if m.name != "mrr_gear"], order, qrels)
    for measure in measures:
        if measure.name == "mrr_gear":
            values[measure] = {
                query: mrr_gear(order[query], {name for name, grade in row.items() if grade >= measure.rel})
                for query, row in qrels.items()
            }
    return {measure: values[measure] for measure in measures}


def mean_values(runs: Sequence[Values]) -> Values:
    """Return the mean over several runs of one system for each query."""
    return {query: sum(one[query] for one in runs) / len(runs) for query in runs[0]}


def mrr_gear(documents: Sequence[str], relevant: set[str]) -> float:
    """Return the mean of 1/rank over the relevant documents among the first 30, or 0 if there are none.

    >>> mrr_gear(["a", "b"], {"a", "b"})
    0.75
    """
    found = [1 / rank for rank, name in enumerate(documents[:GEAR_DEPTH], start=1) if name in relevant]
    return sum(found) / len(found) if found else 0.0


def _score_with_ir_measures(
    measures: Sequence[Measure], order: Mapping[str, Sequence[str]], qrels: Qrels
) -> dict[Measure, Values]:
    import ir_measures

    # pytrec_eval breaks ties by descending id and reads 32-bit scores: it gets the rank instead of the score. Empty
    # rankings are left out, because Judged in ir-measures 0.4.3 divides by their length.
    run = {query: {name: -float(rank) for rank, name in enumerate(names)} for query, names in order.items() if names}
    # Negative grades (trec_eval's "not judged") are as irrelevant as 0.
    labels = {query: {name: max(grade, 0) for name, grade in row.items()} for query, row in qrels.items() if row}
    gains = {grade: 2**grade - 1 for row in labels.values() for grade in row.values()}
    names = {measure: _to_ir_measures(measure, gains) for measure in measures}
    found: dict[Any, Values] = {name: {} for name in names.values()}
    # In separate calls, because ir-measures 0.4.3 confuses nDCG with and without gains if one call has both.
    for exponential in (True, False):
        asked = {name for measure, name in names.items() if measure.exponential == exponential}
        for metric in ir_measures.iter_calc(asked, labels, run) if asked and labels else ():
            found[metric.measure][metric.query_id] = metric.value
    return {measure: {query: found[name].get(query, 0.0) for query in qrels} for measure, name in names.items()}


def _to_ir_measures(measure: Measure, gains: Mapping[int, int]) -> Any:
    import ir_measures

    if measure.exponential:
        if max(gains, default=0) > HIGHEST_EXPONENT:
            raise InputError(
                f"grades up to {max(gains)} are too high for exponential gain",
                code=ErrorCode.INVALID_ARGUMENT,
                remedy="measure nDCG, which has linear gain",
                grade=max(gains),
            )
        # ir-measures' own exponential gain (gdeval) needs Perl and gives five decimals; tests compare the two.
        name = ir_measures.nDCG(gains=gains)
        return name if measure.cutoff is None else name @ measure.cutoff
    return ir_measures.parse_measure(repr(measure))
