"""From a recipe to its report: every system and seed it names, then the table or figure they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile

from lexgear.corpus.records import Collection
from lexgear.errors import InputError
from lexgear.evaluation.reproduce.dataset_statistics import datasets_table
from lexgear.evaluation.reproduce.figures import ablation, convergence, coverage_figure
from lexgear.evaluation.reproduce.rationale_alternatives import Make
from lexgear.evaluation.reproduce.rationale_study import rationale_tables
from lexgear.evaluation.reproduce.recipe import Recipe, Recipes, System, recipes
from lexgear.evaluation.reproduce.report import Draw, Grid, Report
from lexgear.evaluation.reproduce.retrieval import Trials, retrieval_tables
from lexgear.evaluation.reproduce.study import Made, Study
from lexgear.evaluation.reproduce.timing import timing_table
from lexgear.progress import Progress, silent
from lexgear.rankers.generative.query_writing import QueryWritingRanker
from lexgear.trec import Run

FIGURES = {"ablation": ablation, "coverage": coverage_figure, "convergence": convergence}


@dataclass(frozen=True)
class Order:
    """What is wanted of a recipe."""

    recipe: Recipe
    collections: Sequence[Collection]
    """The one that is worked on; for statistics any number of them."""
    runs: Path
    """Where runs are kept, for whichever recipe needs them next."""
    systems: Sequence[str] = ()
    """Only these; all of the recipe where none is named."""
    seeds: int = 0
    """As many as the data set's profile says where 0."""
    peers: Mapping[str, Run] = field(default_factory=dict)
    """Published runs to stand beside ours."""
    summariser: str = ""
    """Directory or hub name of a language model that summarises, for the table of rationales."""
    data: Sequence[str] = ()
    """The collections as somebody typed them."""
    book: Recipes = field(default_factory=recipes)

    def command(self, systems: Sequence[str] = ()) -> str:
        """What one types for it, or for some of its rows alone."""
        data = "".join(f" --data {name}" for name in self.data or [one.name for one in self.collections])
        only = f" --systems {','.join(systems or self.systems)}" if systems or self.systems else ""
        seeds = f" --seeds {self.seeds}" if self.seeds else ""
        return f"lexgear reproduce {self.recipe.name}{data}{only}{seeds}"

    def chosen(self) -> list[System]:
        """The systems of the recipe that are wanted, in its order."""
        if unknown := [name for name in self.systems if name not in self.recipe.systems]:
            problem = f"{self.recipe.name} has no system {unknown[0]!r}"
            raise InputError(problem, remedy=f"one of {', '.join(self.recipe.systems)}")
        wanted = self.systems or self.recipe.systems
        known = [self.book.system(name) for name in self.recipe.systems if name in wanted]
        labelled = any(query.charges for query in self.collections[0].queries)
        return [system for system in known if labelled or not system.name.startswith("gold_charge")]


def cook(order: Order, out: Path, progress: Progress = silent) -> Report:
    """The report of a recipe, in a directory with the runs it rests on; whatever is made already is used."""
    tables, draw = _made(order, out, progress)
    recipe, names = order.recipe, ", ".join(collection.name for collection in order.collections)
    today = datetime.now(UTC).date().isoformat()
    about = {"data": names, "command": f"`{order.command()}`", "date": today, "software": _versions()}
    report = Report(recipe.name, recipe.title, tables, draw, about)
    report.write(out)
    return report


def _made(order: Order, out: Path, progress: Progress) -> tuple[list[Grid], Draw | None]:
    recipe, [collection, *_] = order.recipe, order.collections
    out.mkdir(parents=True, exist_ok=True)
    if recipe.kind == "datasets":
        return [datasets_table(order.collections)], None
    if recipe.kind == "rationale":
        return _rationales(order, progress), None
    study = Study(collection, order.book.profile(collection.name), order.book, order.runs)
    if not study.queries:
        raise InputError(f"{collection.name} has no labelled test query", remedy="choose other data")
    if recipe.kind == "time":
        return timing_table(recipe, study, order.chosen(), progress)
    trials = _trials(order, study, out, progress)
    if recipe.kind == "retrieval":
        return retrieval_tables(recipe, study, trials, order.peers, order.command)
    return FIGURES[recipe.kind](recipe, study, trials)


def _trials(order: Order, study: Study, out: Path, progress: Progress) -> Trials:
    """Every system with every seed; runs are left in the report's own directory too."""
    wanted = [(system, seed) for system in order.chosen() for seed in range(study.seeds(system, order.seeds))]
    trials: dict[System, list[Made]] = {}
    (out / "runs").mkdir(exist_ok=True)
    for done, (system, seed) in enumerate(wanted):
        part = _part(progress, done, len(wanted), f"{system.name} seed {seed}")
        trials.setdefault(system, []).append(study.made(system, seed, part))
        copyfile(study.run_of(system, seed), out / "runs" / f"{system.name}-{seed}.trec")
    progress(1000 * len(wanted), 1000 * len(wanted), "")
    return trials


def _part(progress: Progress, before: int, count: int, name: str) -> Progress:
    """The progress of one of many."""

    def move(done: int, total: int | None, note: str = "") -> None:
        progress(1000 * before + (1000 * done // total if total else 0), 1000 * count, f"{name} {note}")

    move(0, 1)
    return move


def _rationales(order: Order, progress: Progress) -> list[Grid]:
    """With queries written by the query generator of DSI-QG, and summaries where a language model is given."""
    from lexgear.model.text_generation.summariser import load_summariser

    [collection, *_] = order.collections
    summarise = load_summariser(order.summariser, collection.language) if order.summariser else None
    generate = _query_writer(order, progress)
    judge = _judge(collection.language)
    return rationale_tables(collection, generate=generate, summarise=summarise, judge=judge, progress=progress)


def _query_writer(order: Order, progress: Progress) -> Make:
    """One query for each text, by a generator that DSI-QG trains on the collection."""
    [collection, *_] = order.collections
    ranker = order.book.system("dsi_qg").made(0, order.book.profile(collection.name)).fit(collection, progress)
    if not isinstance(ranker, QueryWritingRanker) or (writer := ranker.writer) is None:
        raise TypeError("the system dsi_qg writes no queries")
    settings = ranker.settings
    sampling = replace(settings.sampling(), count=1)

    def written(texts: Sequence[str]) -> list[str]:
        return [query for [query] in writer.write(ranker.tokens, texts, settings.tokens, sampling)]

    return written


def _judge(language: str) -> Callable[[str], Mapping[str, float]] | None:
    """The charges by the base model that ships, where there is one that knows any."""
    from lexgear.judgment.base_judge import shipped_judge
    from lexgear.pretraining.base import shipped_base

    def judged(text: str) -> Mapping[str, float]:
        return {charge.name: charge.probability for charge in shipped_judge(language).judge(text).charges}

    return judged if shipped_base(language) else None


def _versions() -> str:
    from importlib.metadata import version

    return ", ".join(f"{name} {version(name)}" for name in ("lexgear", "torch", "numpy"))
