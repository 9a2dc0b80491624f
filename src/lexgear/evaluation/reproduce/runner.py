"""From a recipe to its report: run every system and seed it names, then make the table or figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile

from lexgear.corpus.records import Collection
from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.reproduce.recipe import Recipe, Recipes, System, recipes
from lexgear.evaluation.reproduce.report import Draw, Report, Table
from lexgear.evaluation.reproduce.study import Study, SystemRun, SystemRuns
from lexgear.evaluation.reproduce.tables.datasets import datasets_table
from lexgear.evaluation.reproduce.tables.figures import ablation_figure, convergence_figure, coverage_figure
from lexgear.evaluation.reproduce.tables.retrieval import retrieval_tables
from lexgear.evaluation.reproduce.tables.timing import timing_table
from lexgear.progress import Progress, silent
from lexgear.trec import Run

FIGURES = {"ablation": ablation_figure, "coverage": coverage_figure, "convergence": convergence_figure}


@dataclass(frozen=True)
class RecipeRequest:
    """A recipe with the data to apply it to and the options chosen."""

    recipe: Recipe
    collections: Sequence[Collection]
    """The collection to work on; for statistics of data sets, several."""
    runs: Path
    """Directory of the runs, shared by all recipes."""
    systems: Sequence[str] = ()
    """The systems to run; empty for all of the recipe."""
    seeds: int = 0
    """Runs per system; 0 for as many as the data set's profile states."""
    peers: Mapping[str, Run] = field(default_factory=dict)
    """Published runs to show in the same tables."""
    summariser: str = ""
    """Directory or hub name of a language model that summarises, for the table of rationales."""
    data: Sequence[str] = ()
    """The collections as the user named them."""
    recipes: Recipes = field(default_factory=recipes)

    def command(self, systems: Sequence[str] = ()) -> str:
        """Return the command that makes the report, or only the rows of some systems."""
        data = "".join(f" --data {name}" for name in self.data or [one.name for one in self.collections])
        only = f" --systems {','.join(systems or self.systems)}" if systems or self.systems else ""
        seeds = f" --seeds {self.seeds}" if self.seeds else ""
        return f"lexgear reproduce {self.recipe.name}{data}{only}{seeds}"

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
    out.mkdir(parents=True, exist_ok=True)
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

        return rationale_report_tables(collection, request.recipes, request.summariser, progress), None
    study = Study(collection, request.recipes.profile(collection.name), request.recipes, request.runs)
    if not study.queries:
        raise InputError(
            f"{collection.name} has no labelled test query",
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="choose other data",
            name=collection.name,
        )
    if recipe.kind == "time":
        return timing_table(recipe, study, request.selected_systems(), progress)
    runs = _run_systems(request, study, out, progress)
    if recipe.kind == "retrieval":
        return retrieval_tables(recipe, study, runs, request.peers, request.command)
    return FIGURES[recipe.kind](recipe, study, runs)


def _run_systems(request: RecipeRequest, study: Study, out: Path, progress: Progress) -> SystemRuns:
    wanted = [
        (system, seed) for system in request.selected_systems() for seed in range(study.seeds(system, request.seeds))
    ]
    runs: dict[System, list[SystemRun]] = {}
    (out / "runs").mkdir(exist_ok=True)
    for number, (system, seed) in enumerate(wanted):
        part = _part_of(progress, number, len(wanted), f"{system.name} seed {seed}")
        runs.setdefault(system, []).append(study.run(system, seed, part))
        copyfile(study.run_path(system, seed), out / "runs" / f"{system.name}-{seed}.trec")
    progress(1000 * len(wanted), 1000 * len(wanted), "")
    return runs


def _part_of(progress: Progress, before: int, count: int, name: str) -> Progress:
    """Return the progress callback of one task among several."""

    def report(done: int, total: int | None, note: str = "") -> None:
        progress(1000 * before + (1000 * done // total if total else 0), 1000 * count, f"{name} {note}")

    report(0, 1)
    return report


def _versions() -> str:
    from importlib.metadata import version

    return ", ".join(f"{name} {version(name)}" for name in ("lexgear", "torch", "numpy"))
