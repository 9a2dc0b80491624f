"""From a recipe to its report: run every system and seed it names, then make the table or figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile

from lexgear.corpus.records import Collection
from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.reproduce.overrides import changes_any, check_overrides, read_overrides
from lexgear.evaluation.reproduce.recipe import Profile, Recipe, Recipes, System, recipes
from lexgear.evaluation.reproduce.report import Draw, Report, Table
from lexgear.evaluation.reproduce.results import Results, SystemResult
from lexgear.evaluation.reproduce.study import Study
from lexgear.evaluation.reproduce.tables.datasets import datasets_table
from lexgear.evaluation.reproduce.tables.figures import ablation_figure, convergence_figure, coverage_figure
from lexgear.evaluation.reproduce.tables.learning_curve import (
    curve_sizes,
    learning_curve_figure,
    with_drawn_queries,
)
from lexgear.evaluation.reproduce.tables.retrieval import retrieval_tables
from lexgear.evaluation.reproduce.tables.timing import timing_table
from lexgear.progress import Progress, silent
from lexgear.trec import Run

NO_CHECKPOINT = "checkpoint not available"
FIGURES = {"ablation": ablation_figure, "coverage": coverage_figure, "convergence": convergence_figure}


@dataclass(frozen=True)
class RecipeRequest:
    """A recipe with the data to apply it to and the options chosen."""

    recipe: Recipe
    collections: Sequence[Collection]
    """The collection to work on; for statistics of data sets, several."""
    runs: Path
    """Directory of the runs, shared by all recipes."""
    results: Path
    """Directory of the values per query, from which tables are built."""
    systems: Sequence[str] = ()
    """The systems to run; empty for all of the recipe."""
    seeds: int = 0
    """Runs per system; 0 for as many as the data set's profile states."""
    only_seed: int | None = None
    """The only seed to run; None for all."""
    finished: bool = False
    """True to run nothing: tables are built from the results there are, and say what is missing."""
    backbones: Sequence[str] = ()
    """`SYSTEM=DIRECTORY` texts."""
    assignments: Sequence[str] = ()
    """`SYSTEM.key=value` texts."""
    peers: Mapping[str, Run] = field(default_factory=dict)
    """Published runs to show in the same tables."""
    summariser: str = ""
    """Directory or hub name of a language model that summarises, for the table of rationales."""
    data: Sequence[str] = ()
    """The collections as the user named them."""
    recipes: Recipes = field(default_factory=recipes)

    def command(self, systems: Sequence[str] = ()) -> str:
        """Return the command that makes the report, or only the rows of some systems, with the options they need."""
        rows = [self.recipes.system(name) for name in systems or self.recipe.systems]
        data = "".join(f" --data {name}" for name in self.data or [one.name for one in self.collections])
        only = f" --systems {','.join(systems or self.systems)}" if systems or self.systems else ""
        seeds = f" --seeds {self.seeds}" if self.seeds else ""
        seeds += f" --seed {self.only_seed}" if self.only_seed is not None else ""
        changes = "".join(f" --backbone {text}" for text in self.backbones if changes_any(rows, text))
        changes += "".join(f" --set {text}" for text in self.assignments if changes_any(rows, text))
        return f"lexgear reproduce {self.recipe.name}{data}{only}{seeds}{changes}"

    def profile(self) -> Profile:
        """Return the profile of the data set with the settings that the user gives."""
        profile = self.recipes.profile(self.collections[0])
        return replace(profile, overrides=read_overrides(self.backbones, self.assignments))

    def selected_systems(self) -> list[System]:
        """Return the systems to run in the order of the recipe; those that need gold charges only if there are any."""
        if unknown := [name for name in self.systems if name not in self.recipe.systems]:
            raise InputError(
                f"{self.recipe.name} has no system {unknown[0]!r}",
                code=ErrorCode.UNKNOWN_NAME,
                remedy=f"choose from {', '.join(self.recipe.systems)}",
                name=unknown[0],
            )
        wanted = self.systems or self.recipe.systems
        systems = [self.recipes.system(name) for name in self.recipe.systems if name in wanted]
        labelled = any(query.charges for query in self.collections[0].queries)
        return [system for system in systems if labelled or not system.name.startswith("gold_charge")]


def run_recipe(request: RecipeRequest, out: Path, progress: Progress = silent) -> Report:
    """Make the report of a recipe in a directory, with the runs it is based on; runs on disk are reused."""
    from lexgear.model.device import limited_threads

    systems = [request.recipes.system(name) for name in request.recipe.systems]
    check_overrides(request.profile(), systems)
    out.mkdir(parents=True, exist_ok=True)
    with limited_threads(request.profile().threads):
        tables, draw = _make_tables(request, out, progress)
    recipe, names = request.recipe, ", ".join(collection.name for collection in request.collections)
    today = datetime.now(UTC).date().isoformat()
    about = {"data": names, "command": f"`{request.command()}`", "date": today, "software": _versions()}
    report = Report(recipe.name, recipe.title, tables, draw, about)
    report.write(out)
    return report


def _make_tables(request: RecipeRequest, out: Path, progress: Progress) -> tuple[list[Table], Draw | None]:
    recipe, [collection, *_] = request.recipe, request.collections
    if recipe.kind == "datasets":
        return [datasets_table(request.collections)], None
    if recipe.kind == "rationale":
        from lexgear.evaluation.reproduce.rationale.models import rationale_report_tables

        tables = rationale_report_tables(collection, request.recipes, request.profile(), request.summariser, progress)
        return tables, None
    study = Study(collection, request.profile(), request.recipes, request.runs, request.results)
    _check_data(recipe, study)
    if recipe.kind == "time":
        return timing_table(recipe, study, request.selected_systems(), progress)
    if recipe.kind == "learning-curve":
        return learning_curve_figure(recipe, study, _results_by_size(request, study, progress))
    results = _results(request, lambda _seed: study, progress)
    if not results.systems:
        raise InputError(
            f"no system of {recipe.name} is finished on {collection.name}",
            code=ErrorCode.FILE_MISSING,
            file=request.results,
            remedy="run some of them first",
        )
    _copy_runs(study, results, out)
    if recipe.kind == "retrieval":
        return retrieval_tables(recipe, study, results, request.peers, request.command)
    return FIGURES[recipe.kind](recipe, study, results)


def _check_data(recipe: Recipe, study: Study) -> None:
    """Raise an `InputError` if the recipe cannot be applied to the data."""
    problem = "" if study.queries else "has no labelled test query"
    if recipe.kind == "coverage" and not any(query.charges for query in study.queries):
        problem = "has no test query with charges"
    if problem:
        raise InputError(
            f"{study.collection.name} {problem}",
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="choose other data",
            name=study.collection.name,
        )


def _results(request: RecipeRequest, study_of: Callable[[int], Study], progress: Progress) -> Results:
    """Return the results of all systems and seeds; `study_of` returns the study of a seed.

    A system that cannot be trained on the data does not stop the others: what is missing says why.
    """
    found: dict[System, list[SystemResult]] = {}
    missing: dict[System, str] = {}
    wanted: list[tuple[System, int]] = []
    for system in request.selected_systems():
        if _lacks_checkpoint(request, system):
            missing[system] = NO_CHECKPOINT
        else:
            wanted += [(system, seed) for seed in _seeds(request, study_of(0), system)]
    for number, (system, seed) in enumerate(wanted):
        study, part = study_of(seed), _part_of(progress, number, len(wanted), f"{system.name} seed {seed}")
        try:
            result = study.finished_result(system, seed) if request.finished else study.result(system, seed, part)
        except InputError as error:
            if len(request.selected_systems()) == 1:
                raise
            missing[system] = str(error)
        else:
            found.setdefault(system, []).extend([result] if result else [])
    progress(1000 * len(wanted), 1000 * len(wanted), "")
    for system, count in Counter(system for system, _ in wanted).items():
        if (done := len(found.get(system, ()))) < count and system not in missing:
            missing[system] = f"{done} of {count} seeds finished" if done else "not finished"
    return Results({system: seeds for system, seeds in found.items() if seeds}, missing)


def _results_by_size(request: RecipeRequest, study: Study, progress: Progress) -> dict[int, Results]:
    """Return the results for each number of training queries of a learning curve."""
    sizes = curve_sizes(request.recipe, study.collection)
    found: dict[int, Results] = {}
    for number, size in enumerate(sizes):

        def study_of(seed: int, size: int = size) -> Study:
            return replace(study, collection=with_drawn_queries(study.collection, size, seed))

        part = _part_of(progress, number, len(sizes), f"{size} training queries:")
        found[size] = _results(request, study_of, part)
    return found


def _seeds(request: RecipeRequest, study: Study, system: System) -> Sequence[int]:
    if request.only_seed is not None:
        return [request.only_seed if system.drawn else 0]
    return range(study.seeds(system, request.seeds))


def _lacks_checkpoint(request: RecipeRequest, system: System) -> bool:
    """Return True for a system that is another one with a checkpoint of its own, and starts from a different one."""
    return bool(system.same_as) and system.make_ranker(0, request.profile()).starts_from_other_checkpoint()


def _copy_runs(study: Study, results: Results, out: Path) -> None:
    """Copy the runs that the results come from, as far as they are on this machine."""
    (out / "runs").mkdir(exist_ok=True)
    for system, seeds in results.systems.items():
        for one in seeds:
            if (run := study.run_path(system, one.seed)).exists():
                copyfile(run, out / "runs" / f"{system.name}-{one.seed}.trec")


def _part_of(progress: Progress, before: int, count: int, name: str) -> Progress:
    """Return the progress callback of one task among several."""

    def report(done: int, total: int | None, note: str = "") -> None:
        progress(1000 * before + (1000 * done // total if total else 0), 1000 * count, f"{name} {note}")

    report(0, 1)
    return report


def _versions() -> str:
    from importlib.metadata import version

    return ", ".join(f"{name} {version(name)}" for name in ("lexgear", "torch", "numpy"))
