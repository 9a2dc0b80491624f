"""Tables of retrieval: every system under every measure, paired tests, the paper's own rows, and what each row cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from lexgear.evaluation.comparison import Evaluation, compare
from lexgear.evaluation.evaluate import score_runs
from lexgear.evaluation.experiment import mean_values
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.notes import Note
from lexgear.evaluation.reproduce.plots import intervals
from lexgear.evaluation.reproduce.recipe import Recipe, Recipes, System
from lexgear.evaluation.reproduce.report import Cell, Draw, Grid, shown
from lexgear.evaluation.reproduce.study import Made, Study
from lexgear.evaluation.scope import Scope
from lexgear.evaluation.scoring import Values
from lexgear.evaluation.tables import marks_caption
from lexgear.trec import Run

Trials = Mapping[System, Sequence[Made]]
"""Of each system, what every seed gave."""


def retrieval_tables(
    recipe: Recipe, study: Study, trials: Trials, peers: Mapping[str, Run], command: Callable[[Sequence[str]], str]
) -> tuple[list[Grid], Draw | None]:
    """The main table; for collections with pools also within these and over judged documents; and what rows cost."""
    collection, recipes = study.collection, study.recipes
    measures = parse_measures(recipe.measures, collection.relevant_from)
    labels = {query.id: collection.qrels[query.id] for query in study.queries}
    own = {query.id: query.own_documents for query in study.queries if query.own_documents}
    corpus = _evaluated(recipe, trials, Scope(labels, own=own), measures)
    named = {system.name: label(system, made) for system, made in trials.items()}
    grids = [_grid(f"{recipe.title}: {collection.name}, {len(labels)} queries", corpus, named, study, recipe)]
    if pools := {name: pool for name, pool in collection.pools.items() if name in labels}:
        within = parse_measures(["nDCG(dcg='exp-log2')@10", "RR"], collection.relevant_from)
        scope = Scope({name: labels[name] for name in pools}, pools=pools, own=own)
        whole = {name: run for name, run in peers.items() if scope.qrels.keys() <= run.keys()}
        grids.append(_peer_grid("within the official pools", recipe, trials, scope, within, named, whole))
        common = [name for name in labels if all(name in run for run in peers.values())]
        judged = Scope({name: labels[name] for name in common}, own=own, judged=True)
        title = f"over the judged documents of {len(common)} queries"
        grids.append(_peer_grid(title, recipe, trials, judged, within, named, peers))
    grids += [_intervals(corpus, named), costs(trials, study, recipes, corpus, command)]
    main = measures[-1]
    bars = {named[system]: corpus.cells[system, main] for system in corpus.systems if (system, main) in corpus.cells}
    points = {name: (cell.mean, cell.low, cell.high) for name, cell in bars.items()}
    title = f"{collection.name}: {main!r}, mean over {len(labels)} queries with 95% intervals"
    return grids, lambda path: intervals(path, title, points)


def label(system: System, made: Sequence[Made]) -> str:
    """What a row is called: what the ranker says of itself, and a † where it was not trained to a plateau."""
    facts = made[0].facts
    trained = "steps" in facts
    return f"{facts['label']}{'' if not trained or all(one.facts.get('settled') for one in made) else ' †'}"


def _evaluated(
    recipe: Recipe, trials: Trials, scope: Scope, measures: Sequence[Measure], peers: Mapping[str, Run] | None = None
) -> Evaluation:
    """The mean over seeds query by query, tested against the baseline."""
    values: dict[tuple[str, Measure], Values] = {}
    notes: list[Note] = []
    runs = {system.name: [one.run for one in made] for system, made in trials.items()}
    runs |= {name: [run] for name, run in (peers or {}).items()}
    for name, found in runs.items():
        scored = [score_runs({name: run}, scope, measures) for run in found]
        for measure in measures:
            values[name, measure] = mean_values([one[name, measure] for one, _ in scored])
        notes += scored[0][1]
    baseline = recipe.baseline if recipe.baseline in runs and len(runs) > 1 else None
    return compare(values, baseline, notes)


def _grid(title: str, found: Evaluation, named: Mapping[str, str], study: Study, recipe: Recipe) -> Grid:
    """Means with † for what differs from the baseline; below each row that has one, the paper's."""
    paper = study.recipes.paper.get(study.profile.paper or study.collection.name, {})
    rows: list[list[Cell]] = []
    for system in found.systems:
        rows.append([named[system], *(_marked(found, system, measure) for measure in found.measures)])
        if system in paper:
            told = [paper[system].get(measure.written()) for measure in found.measures]
            rows.append([f"… as the paper reports ({study.recipes.systems[system].label})", *told])
    return Grid(title, ["system", *map(repr, found.measures)], rows, _below(found, named, recipe, study))


def _below(found: Evaluation, named: Mapping[str, str], recipe: Recipe, study: Study) -> list[str]:
    notes = notes_below(found, named)
    notes.append("†: not trained to a plateau of its validation MRR, or nothing to validate on")
    if study.profile.folds:
        notes.append(f"{study.profile.folds} folds over the queries: documents learnt once a seed, then taught by fold")
    fewer = [system for system in (study.recipes.systems[name] for name in found.systems) if system.drawn]
    if fewer and recipe.paper_seeds:
        notes.append(f"the paper averages {recipe.paper_seeds} runs; the seeds of each row stand in the last table")
    return notes


def notes_below(found: Evaluation, named: Mapping[str, str]) -> list[str]:
    """Return the lines below a table: the meaning of ‡, and what was left out."""
    marks = marks_caption(found, "‡", named.get(found.baseline or ""))
    return [*marks, *(str(note.renamed(named)) for note in found.notes)]


def _peer_grid(
    where: str,
    recipe: Recipe,
    trials: Trials,
    scope: Scope,
    measures: Sequence[Measure],
    named: Mapping[str, str],
    peers: Mapping[str, Run],
) -> Grid:
    found = _evaluated(recipe, trials, scope, measures, peers)
    rows = [
        [named.get(one, f"{one} (published run)"), *(_marked(found, one, m) for m in measures)] for one in found.systems
    ]
    return Grid(f"The same {where}", ["system", *map(repr, measures)], rows, notes_below(found, named))


def _intervals(found: Evaluation, named: Mapping[str, str]) -> Grid:
    """Every digit, for whoever wants to compute with it."""
    rows: list[list[Cell]] = []
    for (system, measure), cell in found.cells.items():
        row: list[Cell] = [named[system], repr(measure), cell.queries, cell.mean, cell.low, cell.high]
        versus = cell.difference
        rows.append([*row, *((versus.mean, versus.p, versus.p_bonferroni) if versus else (None, None, None))])
    columns = ["system", "measure", "queries", "mean", "low", "high", "difference", "p", "p after Bonferroni"]
    title = f"Means with 95% bootstrap intervals, and differences from {found.baseline}"
    return Grid(title, columns, rows, digits=True)


def costs(
    trials: Trials, study: Study, recipes: Recipes, found: Evaluation, command: Callable[[Sequence[str]], str]
) -> Grid:
    """What each row took: steps, tokens, last loss, what it knows by heart, seeds, and the command that makes it."""
    rows: list[list[Cell]] = []
    for system, made in trials.items():
        facts = made[0].facts
        loss = ", ".join(f"{name} {value:.3g}" for name, value in facts.get("loss", {}).items()) or None
        rows.append(
            [
                *(label(system, made), len(made), facts.get("steps"), facts.get("tokens"), loss),
                *(facts.get("indexing"), f"{sum(one.facts['seconds'] for one in made) / len(made):.1f}"),
                *(_expected(system, study, recipes, found), f"`{command([system.name])}`"),
            ]
        )
    columns = ["system", "seeds", "steps", "tokens", "last losses", "indexing accuracy", "seconds a seed"]
    notes = ["indexing accuracy: share of documents that their own indexing text finds first, 200 of them asked"]
    return Grid("What each row took", [*columns, "expected", "command"], rows, notes)


def _expected(system: System, study: Study, recipes: Recipes, found: Evaluation) -> str | None:
    """Whether a row is what it was when last measured."""
    known = dict(recipes.expected.get(study.collection.name, {}).get(system.name, {}))
    tolerance = known.pop("tolerance", 0.0)
    told = []
    for measure in found.measures:
        if (wanted := known.get(measure.written())) is not None:
            off = abs(found.cells[system.name, measure].mean - wanted) > tolerance
            told.append(f"{measure.written()} {shown(wanted)} ± {shown(tolerance)}: {'OFF' if off else 'holds'}")
    return ", ".join(told) or None


def _marked(found: Evaluation, system: str, measure: Measure) -> str | None:
    cell = found.cells.get((system, measure))
    if cell is None:
        return None
    return shown(cell.mean) + ("‡" if cell.difference and cell.difference.significant else "")


def read_peers(directory: Path | None) -> dict[str, Run]:
    """Published runs, `NAME.run` or `NAME.trec` each."""
    from lexgear.trec import read_run

    paths = sorted([*directory.glob("*.run"), *directory.glob("*.trec")]) if directory else []
    return {path.stem: read_run(path) for path in paths}
