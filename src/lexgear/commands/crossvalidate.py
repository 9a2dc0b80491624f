"""The `crossvalidate` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import counted, progress_bar

if TYPE_CHECKING:
    from lexgear.corpus.records import Collection
    from lexgear.rankers.base import Ranker


def crossvalidate(
    collection: Annotated[Path, typer.Argument(help="Collection directory whose queries have labels.")],
    run: Annotated[
        Path, typer.Option(help="TREC run to write, over all queries; with several repeats, a directory of runs.")
    ],
    index: Annotated[
        list[Path] | None,
        typer.Option(
            help="Index of the collection; saves indexing the documents again. Repeatable: each fold then uses the "
            "index that is best in cross-validation over its training folds."
        ),
    ] = None,
    ranker: Annotated[
        str | None,
        typer.Option(
            help="Name of a ranker; with an index of lexgear also charge_fusion and vector_fusion.",
            show_default="lexgear",
        ),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="Number of folds.")] = 4,
    repeats: Annotated[
        int, typer.Option(min=1, help="How many times the queries are divided into folds, with consecutive seeds.")
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the first division.")] = 0,
    choose_by: Annotated[
        str, typer.Option(help="Measure that chooses among several indexes, over all documents and official pools.")
    ] = "nDCG(dcg='exp-log2')@10",
    k: Annotated[int, typer.Option(min=1, help="Documents per query.")] = 1000,
    config: Annotated[Path | None, typer.Option(help="TOML file with settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="Setting as NAME=VALUE; repeatable.")] = None,
) -> None:
    """Search every query with a ranker trained on the queries of the other folds.

    For data sets without a split, such as LeCaRD: all queries then serve as test queries. `lexgear evaluate` averages
    the runs of several repeats per query.
    """
    from lexgear.corpus.store import load_collection
    from lexgear.evaluation.evaluate import RUN_SUFFIX
    from lexgear.evaluation.folds import LearnsFromQueries, cross_validate, fit_documents
    from lexgear.evaluation.measures import parse_measures
    from lexgear.evaluation.nested import NestedChoice
    from lexgear.rankers.registry import make_ranker
    from lexgear.trec import write_run

    if index and (config or set_):
        raise InputError(
            "an index has settings of its own", code=ErrorCode.USAGE, remedy="omit --config and --set, or --index"
        )
    runs = {run: seed} if repeats == 1 else {run / f"{seed + at}{RUN_SUFFIX}": seed + at for at in range(repeats)}
    if repeats > 1:
        _prepare_directory(run, set(runs))
    loaded = load_collection(collection)
    [measure] = parse_measures([choose_by], loaded.relevant_from)
    rankers = {str(one): _of_index(loaded, one, ranker) for one in index or ()}
    if not rankers:
        made = make_ranker(ranker or "lexgear", config, set_ or ())
        with progress_bar(f"Indexing {loaded.name}") as progress:
            rankers = {made.name: fit_documents(loaded, made, progress)}
    name = "+".join(dict.fromkeys(one.name for one in rankers.values()))
    for path, fold_seed in runs.items():
        nested = NestedChoice(rankers, measure, folds, fold_seed)
        learner: LearnsFromQueries = nested if len(rankers) > 1 else next(iter(rankers.values()))
        with progress_bar(f"Training {name} {folds} times") as progress:
            found = cross_validate(loaded, learner, folds, fold_seed, k, progress)
        write_run(path, found, name)
        print(f"{path}: {counted(len(found), 'query')}, none seen in training, {folds} folds, seed {fold_seed}")
        if nested.chosen:
            chosen = ", ".join(f"{one} {nested.chosen[one]}" for one in rankers)
            print(f"chosen on the training folds, out of {len(rankers)} indexes: {chosen}")


def _prepare_directory(directory: Path, runs: set[Path]) -> None:
    """Make the directory of the runs; raise an InputError if it holds other files, which would be averaged too."""
    if directory.exists() and (not directory.is_dir() or set(directory.iterdir()) - runs):
        raise InputError(
            "not an empty directory",
            code=ErrorCode.OUTPUT_OCCUPIED,
            file=directory,
            remedy="name a new directory for the runs of all repeats",
        )
    directory.mkdir(parents=True, exist_ok=True)


def _of_index(collection: Collection, directory: Path, name: str | None) -> Ranker:
    """Return the ranker of an index, or a plain fusion that uses its charge probabilities or its vectors."""
    from lexgear.api import Index
    from lexgear.rankers.lexgear.charge_fusion import ChargeFusion
    from lexgear.rankers.lexgear.ranker import Lexgear
    from lexgear.rankers.lexgear.vector_fusion import VectorFusion

    index = Index.load(directory)
    if set(index.stored.catalogue.ids()) != {document.id for document in collection.documents}:
        raise InputError(
            "the documents of the index are not those of the collection",
            code=ErrorCode.INVALID_ARGUMENT,
            file=directory,
        )
    stored = index.ranker
    fusions: dict[str, type[Lexgear]] = {fusion.name: fusion for fusion in (ChargeFusion, VectorFusion)}
    if name in (None, stored.name):
        return stored
    if name in fusions and isinstance(stored, Lexgear):
        return fusions[name].beside(stored)
    raise InputError(
        f"the index is of {stored.name}, not of {name}", code=ErrorCode.USAGE, remedy="omit --ranker or --index"
    )
