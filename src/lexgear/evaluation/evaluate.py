"""Evaluation of runs against labels: values per query, means, intervals and tests in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.comparison import Evaluation, Key, compare
from lexgear.evaluation.coverage import Charges
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.notes import Note
from lexgear.evaluation.scope import Labels, Scope, make_scope
from lexgear.evaluation.scoring import Values, mean_values, score
from lexgear.trec import Qrels, Run, read_run

DEFAULT_MEASURES = ("nDCG(dcg='exp-log2')@10", "R@10", "R@20", "RR", "AP")

RunSource: TypeAlias = Run | tuple[Run, ...] | Path | str
"""A run or its path; or several runs of one system, such as one per seed, or the directory of their files."""
Runs: TypeAlias = Run | Path | str | Mapping[str, RunSource] | Sequence[Path | str]
"""One run, runs by name, or paths; runs from paths are named after their files."""
RUN_SUFFIX = ".trec"
"""Suffix of the run files in a directory."""


def evaluate(
    runs: Runs,
    labels: Labels | Scope,
    measures: str | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    baseline: str | None = None,
) -> Evaluation:
    """Score runs against labels, and test each against the baseline.

    `labels` are qrels, a collection, or the path of either; `make_scope` adds restrictions such as a split or pools.
    Measures are written as in ir_measures. Measures without a threshold use the collection's lowest relevant grade. The
    value of a query is the mean over the runs of a system that has several.

    >>> result = evaluate({"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1}}, "RR, nDCG@10")
    >>> [f"{measure} {cell.mean:.3f}" for (_, measure), cell in result.cells.items()]
    ['RR 0.500', 'nDCG@10 0.631']
    """
    scope = labels if isinstance(labels, Scope) else make_scope(labels)
    systems = named_runs(runs)
    parsed = parse_measures(measures, scope.relevant_from)
    if baseline is not None and baseline not in systems:
        raise InputError(
            f"no run named {baseline!r} to compare with",
            code=ErrorCode.UNKNOWN_NAME,
            remedy=f"choose from {', '.join(systems)}",
            name=baseline,
        )
    single = {name: _single_names(name, len(several)) for name, several in systems.items()}
    flat = {one: run for name, several in systems.items() for one, run in zip(single[name], several, strict=True)}
    values, notes = score_runs(flat, scope, parsed)
    means = {
        (name, measure): mean_values([values[one, measure] for one in single[name]])
        for name in systems
        for measure in parsed
    }
    notes += [
        Note(f"mean of {len(several)} runs per query", (name,)) for name, several in systems.items() if several[1:]
    ]
    return compare(means, baseline, notes)


def _single_names(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name} {number}" for number in range(1, count + 1)]


def score_runs(
    runs: Mapping[str, Run], scope: Scope, measures: Sequence[Measure]
) -> tuple[dict[Key, Values], list[Note]]:
    """Return the values of every run per query, and notes on what was left out or counted as 0."""
    inside, labels, notes = scope.apply(runs)
    charge_measures = [measure for measure in measures if measure.name.startswith("coverage")]
    charges = _charges(scope, charge_measures)
    values: dict[Key, Values] = {}
    for system, run in inside.items():
        scored = score(run, labels, [measure for measure in measures if measure not in charge_measures])
        for measure in charge_measures if charges else ():
            covered = charges.score(system, run, measure) if charges else {}
            scored[measure] = {query: covered[query] for query in labels if query in covered}
        values |= {(system, measure): scored[measure] for measure in measures}
    notes += [*_without_relevant(labels, measures), *_without_charges(values, len(labels))]
    return values, notes


def named_runs(runs: Runs) -> dict[str, tuple[Run, ...]]:
    """Return the runs of each system by name, reading those given as paths.

    Runs from paths are named after their files, or by their whole path if two files share a name. A single run that
    is not a file is called `run`.
    """
    if isinstance(runs, str | Path):
        return named_runs([runs])
    if isinstance(runs, Mapping):
        sources: Mapping[str, Any] = {"run": runs} if _is_run(runs) else runs
        return {name: _read(source) for name, source in sources.items()}
    paths = [Path(path) for path in dict.fromkeys(runs)]
    stems = [path.stem for path in paths]
    return {path.stem if stems.count(path.stem) == 1 else str(path): _read(path) for path in paths}


def _read(source: RunSource) -> tuple[Run, ...]:
    if isinstance(source, tuple):
        return source
    if isinstance(source, Mapping):
        return (source,)
    path = Path(source)
    if not path.is_dir():
        return (read_run(path),)
    files = sorted(path.glob(f"*{RUN_SUFFIX}"))
    if not files:
        raise InputError(
            f"no run (*{RUN_SUFFIX}) in it",
            code=ErrorCode.FILE_MISSING,
            file=path,
            remedy="name a run file, or a directory with several runs of one system",
        )
    return tuple(map(read_run, files))


def _is_run(runs: Mapping[str, object]) -> bool:
    """Return True for a mapping query → document → score, False for a mapping name → run."""
    rows = list(runs.values())
    return all(isinstance(row, Mapping) and not any(isinstance(v, Mapping) for v in row.values()) for row in rows)


def _charges(scope: Scope, measures: Sequence[Measure]) -> Charges | None:
    """Return the charges that these measures need, or None if there are no such measures."""
    if not measures:
        return None
    if scope.load_charges is None:
        raise InputError(
            f"{measures[0]} needs the charges of queries and documents",
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="evaluate against a collection instead of a qrels file, or leave the measure out",
            name=repr(measures[0]),
        )
    charges = scope.load_charges()
    for measure in measures:
        if measure.name == "coverage_judgment" and not charges.judgments:
            raise InputError(
                f"{measure} needs the charges that each system predicts, and a run has none",
                code=ErrorCode.INVALID_ARGUMENT,
                remedy="give a Scope whose charges have judgments, or measure coverage instead",
                name=repr(measure),
            )
    return charges


def _without_relevant(labels: Qrels, measures: Sequence[Measure]) -> Iterable[Note]:
    """Yield how many queries count as 0 because nothing is relevant, for each threshold."""
    thresholds = {m.rel for m in measures if m.name != "Judged" and not m.name.startswith("coverage")}
    for rel in sorted(thresholds):
        if count := sum(all(grade < rel for grade in row.values()) for row in labels.values()):
            grade = f" of grade {rel} or more" if rel > 1 else ""
            yield Note(f"{count} of {len(labels)} queries have no relevant document{grade}, counted as 0")


def _without_charges(values: Mapping[Key, Values], queries: int) -> Iterable[Note]:
    """Yield how many queries the means of coverage leave out."""
    for (system, measure), per_query in values.items():
        if measure.name.startswith("coverage") and (count := queries - len(per_query)):
            text = f"{measure}: {count} of {queries} queries left out, no gold charge or judgment"
            yield Note(text, (system,))
