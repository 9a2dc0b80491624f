"""Tables of retrieval: every system under every measure, paired tests, the paper's values, and what each row took."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Collection as Ids
from dataclasses import dataclass
from pathlib import Path

from lexgear.corpus.records import Collection
from lexgear.evaluation.comparison import SIGNIFICANT, Evaluation, Key, compare
from lexgear.evaluation.evaluate import score_runs
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.notes import Note
from lexgear.evaluation.reproduce.plots import intervals
from lexgear.evaluation.reproduce.recipe import Recipe, System
from lexgear.evaluation.reproduce.report import Cell, Draw, Table, format_cell
from lexgear.evaluation.reproduce.results import Results, SystemResult, start_of
from lexgear.evaluation.reproduce.study import ALL, JUDGED, POOL_MEASURES, POOLS, Study
from lexgear.evaluation.reproduce.tables.cost import cost_table
from lexgear.evaluation.scoring import Values, mean_values
from lexgear.evaluation.tables import marks_caption
from lexgear.trec import Run, read_run

NOT_A_PLATEAU = "†: not trained to a plateau of its validation MRR, or nothing to validate on"
MRR = (
    "RR is the mean reciprocal rank of the first relevant document; mrr_gear is the MRR of the code that the paper's "
    "authors released, and what the paper reports as MRR is printed there; its authors released no code for BSARD, so "
    "that value is printed under RR"
)


@dataclass(frozen=True)
class _Comparison:
    """The systems of a recipe, and how they are scored and labelled."""

    recipe: Recipe
    study: Study
    results: Results
    labels: Mapping[str, str]
    """system → name of its row."""

    def evaluate(
        self, scope: str, measures: Sequence[Measure], peers: Mapping[str, Run] | None = None, queries: Ids[str] = ()
    ) -> Evaluation:
        """Return the means over seeds for each query, tested against the baseline; `queries` restricts them."""
        values: dict[Key, Values] = {}
        notes: list[Note] = []
        for system, seeds in self.results.systems.items():
            for measure in measures:
                values[system.name, measure] = mean_values([one.scopes[scope].values[measure] for one in seeds])
            notes += seeds[0].scopes[scope].notes
            notes += [Note(system.note, (system.name,))] if system.note else []
        for name, run in (peers or {}).items():
            scored, said = score_runs({name: run}, self.study.scopes()[scope], measures)
            values, notes = values | scored, notes + said
        if queries:
            values = {key: {query: row[query] for query in queries if query in row} for key, row in values.items()}
        compared = {name for name, _ in values}
        baseline = self.recipe.baseline if self.recipe.baseline in compared and len(compared) > 1 else None
        return compare(values, baseline, notes)


def retrieval_tables(
    recipe: Recipe,
    study: Study,
    results: Results,
    peers: Mapping[str, Run],
    command: Callable[[Sequence[str]], str],
) -> tuple[list[Table], Draw | None]:
    """Return the main table; paired tests of some systems against all others and their ablations; if there are pools,
    tables within them and over judged documents; and what rows took."""
    runs = results.systems
    comparison = _Comparison(recipe, study, results, {system.name: row_label(seeds) for system, seeds in runs.items()})
    labels = comparison.labels
    measures = parse_measures(recipe.measures, study.collection.relevant_from)
    found = comparison.evaluate(ALL, measures)
    tables = [_main_table(comparison, found), *_test_tables(comparison, found), *_pool_tables(comparison, peers)]
    tables += [_interval_table(found, labels), cost_table(runs, study, found, labels, command)]
    main = measures[-1]
    points = {
        labels[system]: (cell.mean, cell.low, cell.high)
        for system in found.systems
        if (cell := found.cells.get((system, main)))
    }
    title = f"{study.collection.name}: {main!r}, mean over {len(study.queries)} queries with 95% intervals"
    return tables, lambda path: intervals(path, title, points)


def row_label(seeds: Sequence[SystemResult]) -> str:
    """Return the name of a row: the ranker's own label, with † if it was not trained to a plateau."""
    label = str(seeds[0].facts["label"])
    settled = "steps" not in seeds[0].facts or all(one.facts.get("settled") for one in seeds)
    return label if settled else f"{label} †"


def pool_note(collection: Collection) -> str:
    """Return the line that says which documents are ranked."""
    pool = collection.source.get("pool", "all of the data set")
    return f"candidates: {len(collection.documents):,} documents ({pool})"


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
    study, labels, results = comparison.study, comparison.labels, comparison.results
    paper = dict(study.recipes.paper.get(study.profile.paper or study.collection.name, {}))
    rows: list[list[Cell]] = []
    for system, seeds in results.systems.items():
        means = (_marked_mean(found, system.name, measure) for measure in found.measures)
        rows.append([labels[system.name], start_of(seeds[0].facts), *means])
        if reported := paper.pop(system.name.replace("gear-paper", "gear"), None):
            values = [reported.get(measure.written()) for measure in found.measures]
            rows.append([f"… as the paper reports ({system.label})", None, *values])
    rows += [[system.label, reason, *(None for _ in found.measures)] for system, reason in results.absent.items()]
    notes = [*table_notes(found, labels), pool_note(study.collection)]
    if {"RR", "mrr_gear"} <= {measure.name for measure in found.measures}:
        notes.append(MRR)
    if caveat := study.collection.source.get("caveat"):
        notes.append(f"{study.collection.name}: {caveat}")
    notes.append(NOT_A_PLATEAU)
    if study.profile.folds:
        notes.append(
            f"{study.profile.folds} folds over the queries: documents are learnt once per seed, queries in each fold"
        )
    if comparison.recipe.paper_seeds and any(system.drawn for system in results.systems):
        notes.append(f"the paper averages {comparison.recipe.paper_seeds} runs; the last table states our seeds")
    notes += [f"{labels[one.name]}: {reason}" for one, reason in results.missing.items() if one in results.systems]
    title = f"{comparison.recipe.title}: {study.collection.name}, {len(study.queries)} queries"
    return Table(title, ["system", "start", *map(repr, found.measures)], rows, notes)


def _test_tables(comparison: _Comparison, found: Evaluation) -> list[Table]:
    """Return two tables per system that the recipe tests: its advantage over every other system, as the paper tests
    GEAR, and over its own ablations. Each table has a correction of its own."""
    tables = []
    for system in comparison.results.systems:
        if system.name not in comparison.recipe.tested:
            continue
        ablations = [one.name for one in comparison.results.systems if one.variant_of is system]
        others = [name for name in found.systems if name != system.name and name not in ablations]
        for names, title in ((others, "against every other system"), (ablations, "against its ablations")):
            if names:
                tables.append(_test_table(comparison, found, system, names, title))
    return tables


def _test_table(comparison: _Comparison, found: Evaluation, system: System, others: Sequence[str], title: str) -> Table:
    labels = comparison.labels
    tested = compare({key: row for key, row in found.values.items() if key[0] in (system.name, *others)}, system.name)
    rows = [
        [labels[name], *(_marked_advantage(tested, name, measure) for measure in tested.measures)] for name in others
    ]
    note = (
        f"{system.label} minus the row, difference of the means; ‡: p < {SIGNIFICANT} in a paired two-sided t-test, "
        f"Bonferroni-corrected for {tested.comparisons} comparisons"
    )
    return Table(f"{system.label} {title}", ["against", *map(repr, tested.measures)], rows, [note])


def _marked_advantage(tested: Evaluation, other: str, measure: Measure) -> str | None:
    cell = tested.cells.get((other, measure))
    if cell is None or cell.difference is None:
        return None
    ours = -cell.difference.mean
    return f"{'−' if ours < 0 else '+'}{format_cell(abs(ours))}{'‡' if cell.difference.significant else ''}"


def _pool_tables(comparison: _Comparison, peers: Mapping[str, Run]) -> list[Table]:
    """Return tables within the official pools and over judged documents, if the collection has pools."""
    scopes = comparison.study.scopes()
    if POOLS not in scopes:
        return []
    complete = {name: run for name, run in peers.items() if scopes[POOLS].qrels.keys() <= run.keys()}
    common = [name for name in scopes[JUDGED].qrels if all(name in run for run in peers.values())]
    return [
        _pool_table("within the official pools", comparison, POOLS, complete, list(scopes[POOLS].qrels)),
        _pool_table(f"over the judged documents of {len(common)} queries", comparison, JUDGED, peers, common),
    ]


def _pool_table(
    where: str, comparison: _Comparison, scope: str, peers: Mapping[str, Run], queries: Sequence[str]
) -> Table:
    measures = parse_measures(POOL_MEASURES, comparison.study.collection.relevant_from)
    found = comparison.evaluate(scope, measures, peers, queries)
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
    title = "Means with 95% bootstrap intervals"
    if found.baseline:
        title += f", and differences from {labels[found.baseline]}"
    return Table(title, columns, rows, for_machines=True)


def _marked_mean(found: Evaluation, system: str, measure: Measure) -> str | None:
    cell = found.cells.get((system, measure))
    if cell is None:
        return None
    return format_cell(cell.mean) + ("‡" if cell.difference and cell.difference.significant else "")
