"""One call from runs and labels to everything a table shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lexgear.corpus.store import CollectionLabels, find_collection_labels, read_document_charges, select_split
from lexgear.errors import InputError
from lexgear.evaluation.comparison import Evaluation, compare
from lexgear.evaluation.coverage import Charges
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.scope import Scope, read_scope
from lexgear.evaluation.scoring import Values, score
from lexgear.trec import Qrels, Run, read_run

DEFAULT_MEASURES = ("nDCG@10", "R@10", "R@20", "MRR", "MAP")


def evaluate(
    runs: Mapping[str, Run],
    scope: Scope,
    measures: Sequence[Measure],
    *,
    baseline: str | None = None,
    charges: Charges | None = None,
) -> Evaluation:
    """Scores every run within the scope and tests each against the baseline; coverage needs `charges`."""
    if baseline is not None and baseline not in runs:
        raise InputError(f"no run {baseline!r} to compare with", remedy=f"one of {', '.join(runs)}")
    inside, labels, notes = scope.apply(runs)
    plain = [measure for measure in measures if not measure.name.startswith("coverage")]
    values: dict[tuple[str, Measure], Values] = {}
    for system, run in inside.items():
        scored = score(run, labels, plain)
        for measure in measures:
            values[system, measure] = (
                scored[measure] if measure in scored else _covered(system, run, labels, measure, charges)
            )
    return compare(values, baseline, [*notes, *_without_value(values, len(labels))])


def read_systems(paths: Iterable[Path]) -> dict[str, Run]:
    """Runs in the order given, by the name of their file; by their path where two share a name."""
    paths = list(dict.fromkeys(paths))
    stems = [path.stem for path in paths]
    return {path.stem if stems.count(path.stem) == 1 else str(path): read_run(path) for path in paths}


@dataclass(frozen=True, slots=True)
class Request:
    """What a user asks to be measured, as files."""

    runs: Sequence[Path]
    """The first is the system; the second, where there is one, the baseline it is tested against."""
    labels: Path
    """TREC qrels, or a collection directory."""
    measures: Sequence[str] = DEFAULT_MEASURES
    pools: Path | None = None
    exclude: Path | None = None
    judged: bool = False
    ranked: bool = False
    relevant_from: int | None = None
    split: str | None = None
    """Only the collection's queries of this split."""


def evaluate_files(request: Request) -> Evaluation:
    """Measures runs against labels.

    Labels that lie in a collection directory bring along its lowest relevant grade, the charges for coverage,
    and the queries' own judgments, which are left out.
    """
    about = find_collection_labels(request.labels)
    if about is None and request.labels.is_dir():
        problem = "not a collection directory"
        raise InputError(problem, file=request.labels, remedy="name a qrels file or a collection")
    scope = read_scope(
        request.labels if about is None else about.qrels,
        pools=request.pools,
        exclude=request.exclude,
        judged=request.judged,
        ranked=request.ranked,
    )
    if about is not None:
        scope = replace(scope, own=_all_own(scope.own, about))
    if request.split is not None:
        scope = replace(scope, queries=_queries_of(request.split, about, request.labels))
    default = 1 if about is None else about.relevant_from
    measures = parse_measures(request.measures, request.relevant_from or default)
    charges = None
    if about is not None and any(measure.name == "coverage" for measure in measures):
        gold = {query.id: query.charges for query in about.queries}
        charges = Charges(gold, read_document_charges(about.directory))
    systems = read_systems(request.runs)
    baseline = [*systems][1] if len(systems) > 1 else None
    return evaluate(systems, scope, measures, baseline=baseline, charges=charges)


def _all_own(given: Mapping[str, Collection[str]], about: CollectionLabels) -> dict[str, set[str]]:
    """The judgments to leave out: those a user names and those the collection knows, as in a search."""
    own = {query.id: set(query.own_documents) for query in about.queries}
    return {query: own.get(query, set()).union(given.get(query, ())) for query in {**own, **given}}


def _queries_of(split: str, about: CollectionLabels | None, labels: Path) -> set[str]:
    if about is None:
        raise InputError(
            "no collection beside it to say which queries are of a split",
            file=labels,
            remedy="name the collection directory",
        )
    return {query.id for query in select_split(about.queries, split, about.directory)}


def _covered(system: str, run: Run, labels: Qrels, measure: Measure, charges: Charges | None) -> Values:
    if measure.name == "coverage_judgment" and (charges is None or not charges.judgments):
        raise InputError(
            f"{measure} needs the charges that each system predicts, and a run holds none",
            remedy="hand them to `evaluate` in Python as Charges(…, judgments=…), or measure coverage instead",
        )
    if charges is None:
        raise InputError(
            f"{measure} needs the charges of queries and documents",
            remedy="name the collection directory in place of a qrels file, or leave the measure out",
        )
    covered = charges.score(system, run, measure)
    return {query: covered[query] for query in labels if query in covered}


def _without_value(values: Mapping[tuple[str, Measure], Values], queries: int) -> Iterable[str]:
    """Says how many queries a mean leaves out: nothing is relevant there, or no charge is known."""
    missing: dict[tuple[Measure, int], list[str]] = {}
    for (system, measure), per_query in values.items():
        missing.setdefault((measure, queries - len(per_query)), []).append(system)
    for (measure, count), systems in missing.items():
        if count:
            want = "gold charge or judgment" if measure.name.startswith("coverage") else "relevant document"
            yield f"{measure}: {count} of {queries} queries left out, no {want} ({', '.join(systems)})"
