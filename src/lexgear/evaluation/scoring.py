"""One value a query and measure, from a run and its labels.

Which queries have a value: those of the labels. A query that the run does not rank has the value 0. A query
without any relevant document (at the measure's threshold; for nDCG, without any grade above 0) has no value:
no system could do better or worse on it. trec_eval differs in both: it leaves out what is not ranked (unless
called with -c), and gives 0 where nothing is relevant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from lexgear.errors import InputError
from lexgear.evaluation.measures import Measure
from lexgear.trec import Qrels, Run, ranking

Values: TypeAlias = dict[str, float]
"""query id → value."""

GEAR_DEPTH = 30
"""How deep GEAR's authors looked: their number of beams."""

HIGHEST_EXPONENT = 15
"""Gains are handed to trec_eval as grades, and it counts in an array of that length: 2^15 is still cheap."""


def score(run: Run, qrels: Qrels, measures: Iterable[Measure]) -> dict[Measure, Values]:
    """The value of every measure for every query that has one (see above), in the order of the labels.

    >>> score({"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1}}, [Measure("MRR")])
    {MRR: {'q': 0.5}}
    """
    measures = list(dict.fromkeys(measures))
    order = {query: ranking(run.get(query, {})) for query in qrels}
    theirs = _by_ir_measures([m for m in measures if m.name != "mrr_gear"], order, qrels)
    values: dict[Measure, Values] = {}
    for measure in measures:
        relevant = {query: {name for name in row if row[name] >= measure.rel} for query, row in qrels.items()}
        values[measure] = {
            query: theirs[measure][query] if measure in theirs else mrr_gear(order[query], names)
            for query, names in relevant.items()
            if names
        }
    return values


def mrr_gear(documents: Sequence[str], relevant: set[str]) -> float:
    """Mean of 1/rank over the relevant documents among the first 30; 0 where there is none.

    >>> mrr_gear(["a", "b"], {"a", "b"})
    0.75
    """
    found = [1 / rank for rank, name in enumerate(documents[:GEAR_DEPTH], start=1) if name in relevant]
    return sum(found) / len(found) if found else 0.0


def _by_ir_measures(
    measures: Sequence[Measure], order: Mapping[str, Sequence[str]], qrels: Qrels
) -> dict[Measure, Values]:
    import ir_measures

    # pytrec_eval breaks ties by descending id and reads 32-bit scores: hand it the rank instead of the score.
    run = {query: {name: -float(rank) for rank, name in enumerate(names)} for query, names in order.items()}
    # Negative grades (trec_eval's "not judged") are as irrelevant as 0.
    labels = {query: {name: max(grade, 0) for name, grade in row.items()} for query, row in qrels.items() if row}
    gains = {grade: 2**grade - 1 for row in labels.values() for grade in row.values()}
    theirs = {measure: _their_name(measure, gains) for measure in measures}
    found: dict[Any, Values] = {their: {} for their in theirs.values()}
    # Apart, because ir-measures 0.4.3 mixes up nDCG with and without gains when both are asked for at once.
    for exponential in (True, False):
        asked = {their for ours, their in theirs.items() if (ours.name == "nDCG") == exponential}
        for metric in ir_measures.iter_calc(asked, labels, run) if asked and labels else ():
            found[metric.measure][metric.query_id] = metric.value
    return {measure: found[their] for measure, their in theirs.items()}


def _their_name(measure: Measure, gains: Mapping[int, int]) -> Any:
    import ir_measures

    if measure.name == "nDCG":
        if max(gains, default=0) > HIGHEST_EXPONENT:
            raise InputError(
                f"grades up to {max(gains)} are too high for exponential gain",
                remedy="measure nDCG_lin instead",
            )
        # ir-measures' own exponential gain (dcg="exp-log2") needs Perl and gives five decimals.
        their = ir_measures.nDCG(gains=gains)
    elif measure.name == "nDCG_lin":
        their = ir_measures.nDCG
    else:
        names = {"R": ir_measures.R, "P": ir_measures.P, "MRR": ir_measures.RR, "MAP": ir_measures.AP}
        their = names[measure.name](rel=measure.rel)
    return their if measure.cutoff is None else their @ measure.cutoff
