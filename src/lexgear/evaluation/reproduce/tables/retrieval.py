"""Tables of retrieval: every system under every measure, paired tests, the paper's values, and what each row took."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexgear.evaluation.comparison import Evaluation, Key, compare
from lexgear.evaluation.evaluate import score_runs
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.notes import Note
from lexgear.evaluation.reproduce.plots import intervals
from lexgear.evaluation.reproduce.recipe import Recipe
from lexgear.evaluation.reproduce.report import Cell, Draw, Table, format_cell
from lexgear.evaluation.reproduce.study import Study, SystemRun, SystemRuns
from lexgear.evaluation.reproduce.tables.cost import cost_table
from lexgear.evaluation.scope import Scope
from lexgear.evaluation.scoring import Values, mean_values
from lexgear.evaluation.tables import marks_caption
from lexgear.trec import Run, read_run

POOL_MEASURES = ("nDCG(dcg='exp-log2')@10", "RR")


@dataclass(frozen=True)
class _Comparison:
    """The systems of a recipe, and how they are scored and labelled."""

    recipe: Recipe
    study: Study
    runs: SystemRuns
    labels: Mapping[str, str]
    """system → name of its row."""

    def evaluate(self, scope: Scope, measures: Sequence[Measure], peers: Mapping[str, Run] | None = None) -> Evaluation:
        """Return the means over seeds for each query, tested against the baseline."""
        values: dict[Key, Values] = {}
        notes: list[Note] = []
        runs = {system.name: [one.run for one in seeds] for system, seeds in self.runs.items()}
        runs |= {name: [run] for name, run in (peers or {}).items()}
        for name, seeds in runs.items():
            scored = [score_runs({name: run}, scope, measures) for run in seeds]
            for measure in measures:
                values[name, measure] = mean_values([one[name, measure] for one, _ in scored])
            notes += scored[0][1]
        baseline = self.recipe.baseline if self.recipe.baseline in runs and len(runs) > 1 else None
        return compare(values, baseline, notes)


def retrieval_tables(
    recipe: Recipe,
    study: Study,
    runs: SystemRuns,
    peers: Mapping[str, Run],
    command: Callable[[Sequence[str]], str],
) -> tuple[list[Table], Draw | None]:
    """Return the main table; if there are pools, tables within them and over judged documents; and what rows took."""
    comparison = _Comparison(recipe, study, runs, {system.name: row_label(seeds) for system, seeds in runs.items()})
    labels = comparison.labels
    measures = parse_measures(recipe.measures, study.collection.relevant_from)
    found = comparison.evaluate(study_scope(study), measures)
    tables = [_main_table(comparison, found), *_pool_tables(comparison, peers), _interval_table(found, labels)]
    tables.append(cost_table(runs, study, found, labels, command))
    main = measures[-1]
    points = {
        labels[system]: (cell.mean, cell.low, cell.high)
        for system in found.systems
        if (cell := found.cells.get((system, main)))
    }
    title = f"{study.collection.name}: {main!r}, mean over {len(study.queries)} queries with 95% intervals"
    return tables, lambda path: intervals(path, title, points)


def study_scope(study: Study) -> Scope:
    """Return the labels of a study's queries, without their own judgments."""
    return Scope(
        {query.id: study.collection.qrels[query.id] for query in study.queries},
        own={query.id: query.own_documents for query in study.queries if query.own_documents},
    )


def row_label(seeds: Sequence[SystemRun]) -> str:
    """Return the name of a row: the ranker's own label, with † if it was not trained to a plateau."""
    label = str(seeds[0].facts["label"])
    settled = "steps" not in seeds[0].facts or all(one.facts.get("settled") for one in seeds)
    return label if settled else f"{label} †"


def table_notes(found: Evaluation, labels: Mapping[str, str]) -> list[str]:
    """Return the lines below a table: the meaning of ‡, and what was left out."""
    marks = marks_caption(found, "‡", labels.get(found.baseline or ""))
    return [*marks, *(str(note.renamed(labels)) for note in found.notes)]


def read_peers(directory: Path | None) -> dict[str, Run]:
    """Read published runs, `NAME.run` or `NAME.trec` each."""
    files = sorted([*directory.glob("*.run"), *directory.glob("*.trec")]) if directory else []
    return {file.stem: read_run(file) for file in files}


def _main_table(comparison: _Comparison, found: Evaluation) -> Table:
    """Return means with ‡ for significant differences, each row followed by the paper's if there is one."""
    study, labels = comparison.study, comparison.labels
    paper = study.recipes.paper.get(study.profile.paper or study.collection.name, {})
    rows: list[list[Cell]] = []
    for system in found.systems:
        rows.append([labels[system], *(_marked_mean(found, system, measure) for measure in found.measures)])
        if system in paper:
            values = [paper[system].get(measure.written()) for measure in found.measures]
            rows.append([f"… as the paper reports ({study.recipes.systems[system].label})", *values])
    notes = table_notes(found, labels)
    if caveat := study.collection.source.get("caveat"):
        notes.append(f"{study.collection.name}: {caveat}")
    notes.append("†: not trained to a plateau of its validation MRR, or nothing to validate on")
    if study.profile.folds:
        notes.append(
            f"{study.profile.folds} folds over the queries: documents are learnt once per seed, queries in each fold"
        )
    if comparison.recipe.paper_seeds and any(study.recipes.systems[name].drawn for name in found.systems):
        notes.append(f"the paper averages {comparison.recipe.paper_seeds} runs; the last table states our seeds")
    title = f"{comparison.recipe.title}: {study.collection.name}, {len(study.queries)} queries"
    return Table(title, ["system", *map(repr, found.measures)], rows, notes)


def _pool_tables(comparison: _Comparison, peers: Mapping[str, Run]) -> list[Table]:
    """Return tables within the official pools and over judged documents, if the collection has pools."""
    scope, collection = study_scope(comparison.study), comparison.study.collection
    pools = {name: pool for name, pool in collection.pools.items() if name in scope.qrels}
    if not pools:
        return []
    in_pools = Scope({name: scope.qrels[name] for name in pools}, pools=pools, own=scope.own)
    complete = {name: run for name, run in peers.items() if in_pools.qrels.keys() <= run.keys()}
    common = [name for name in scope.qrels if all(name in run for run in peers.values())]
    judged = Scope({name: scope.qrels[name] for name in common}, own=scope.own, judged=True)
    return [
        _pool_table("within the official pools", comparison, in_pools, complete),
        _pool_table(f"over the judged documents of {len(common)} queries", comparison, judged, peers),
    ]


def _pool_table(where: str, comparison: _Comparison, scope: Scope, peers: Mapping[str, Run]) -> Table:
    measures = parse_measures(POOL_MEASURES, comparison.study.collection.relevant_from)
    found = comparison.evaluate(scope, measures, peers)
    labels = {name: f"{name} (published run)" for name in peers} | dict(comparison.labels)
    rows = [[labels[one], *(_marked_mean(found, one, measure) for measure in measures)] for one in found.systems]
    return Table(f"The same {where}", ["system", *map(repr, measures)], rows, table_notes(found, labels))


def _interval_table(found: Evaluation, labels: Mapping[str, str]) -> Table:
    """Return every mean with all digits, for further computation."""
    rows: list[list[Cell]] = []
    for (system, measure), cell in found.cells.items():
        row: list[Cell] = [labels[system], repr(measure), cell.queries, cell.mean, cell.low, cell.high]
        versus = cell.difference
        rows.append([*row, *((versus.mean, versus.p, versus.p_bonferroni) if versus else (None, None, None))])
    columns = ["system", "measure", "queries", "mean", "low", "high", "difference", "p", "p after Bonferroni"]
    title = f"Means with 95% bootstrap intervals, and differences from {found.baseline}"
    return Table(title, columns, rows, for_machines=True)


def _marked_mean(found: Evaluation, system: str, measure: Measure) -> str | None:
    cell = found.cells.get((system, measure))
    if cell is None:
        return None
    return format_cell(cell.mean) + ("‡" if cell.difference and cell.difference.significant else "")
