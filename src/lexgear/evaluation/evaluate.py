"""One call from runs and labels to everything a table shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lexgear.corpus.reading import read_object
from lexgear.corpus.store import read_queries
from lexgear.errors import InputError
from lexgear.evaluation.comparison import Evaluation, compare
from lexgear.evaluation.coverage import Charges
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.scope import Scope, read_scope
from lexgear.evaluation.scoring import Values, score
from lexgear.files import read_jsonl
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


def evaluate_files(request: Request) -> Evaluation:
    """Measures runs against labels.

    Labels that lie in a collection directory bring along its lowest relevant grade, the charges for coverage,
    and the queries' own judgments, which are left out.
    """
    home = request.labels if request.labels.is_dir() else request.labels.parent
    described = (home / "collection.json").exists()
    if request.labels.is_dir() and not described:
        raise InputError("not a collection directory", file=home, remedy="name a qrels file or a collection")
    scope = read_scope(
        home / "qrels.trec" if request.labels.is_dir() else request.labels,
        pools=request.pools,
        exclude=request.exclude,
        judged=request.judged,
        ranked=request.ranked,
    )
    measures = parse_measures(request.measures, request.relevant_from or 1)
    charges = None
    if described:
        default = int(read_object(home / "collection.json").get("relevant_from", 1))
        measures = parse_measures(request.measures, request.relevant_from or default)
        queries = read_queries(home / "queries.jsonl")
        scope = replace(scope, own=scope.own or {query.id: query.own for query in queries if query.own})
        if any(measure.name == "coverage" for measure in measures):
            rows = read_jsonl(home / "documents.jsonl")
            of_documents = {str(row["id"]): tuple(row.get("charges", ())) for _, row in rows}
            charges = Charges({query.id: query.charges for query in queries}, of_documents)
    systems = read_systems(request.runs)
    baseline = [*systems][1] if len(systems) > 1 else None
    return evaluate(systems, scope, measures, baseline=baseline, charges=charges)


def _covered(system: str, run: Run, labels: Qrels, measure: Measure, charges: Charges | None) -> Values:
    if charges is None:
        raise InputError(f"{measure} needs the charges of queries and documents", remedy="leave it out")
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
