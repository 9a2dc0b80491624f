"""The `crossvalidate` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import counted, progress_bar

if TYPE_CHECKING:
    from lexgear.rankers.base import Ranker


def crossvalidate(
    collection: Annotated[Path, typer.Argument(help="Collection directory whose queries have labels.")],
    run: Annotated[Path, typer.Option(help="TREC run to write, over all queries.")],
    index: Annotated[
        Path | None,
        typer.Option(help="Index of the collection; saves indexing the documents again."),
    ] = None,
    ranker: Annotated[
        str | None,
        typer.Option(
            help="Name of a ranker [default: lexgear]; with an index of lexgear also charge_fusion and vector_fusion."
        ),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="Number of folds.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the folds.")] = 0,
    k: Annotated[int, typer.Option(min=1, help="Documents per query.")] = 1000,
    config: Annotated[Path | None, typer.Option(help="TOML file with settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="Setting as NAME=VALUE; repeatable.")] = None,
) -> None:
    """Search every query with a ranker trained on the queries of the other folds.

    For data sets without a split, such as LeCaRD: all queries then serve as test queries.
    """
    from lexgear.api import Index
    from lexgear.corpus.store import load_collection
    from lexgear.evaluation.folds import cross_validate, fit_documents
    from lexgear.rankers.registry import make_ranker
    from lexgear.trec import write_run

    if index and (config or set_):
        raise InputError(
            "an index has settings of its own", code=ErrorCode.USAGE, remedy="omit --config and --set, or --index"
        )
    loaded = load_collection(collection)
    if index:
        stored = Index.load(index)
        chosen = _of_index(stored.ranker, ranker)
        if set(stored.stored.catalogue.ids()) != {document.id for document in loaded.documents}:
            raise InputError(
                "the documents of the index are not those of the collection",
                code=ErrorCode.INVALID_ARGUMENT,
                file=index,
            )
    else:
        chosen = make_ranker(ranker or "lexgear", config, set_ or ())
    with progress_bar(f"Training {chosen.name} {folds} times") as progress:
        known = chosen if index else fit_documents(loaded, chosen, progress)
        found = cross_validate(loaded, known, folds, seed, k, progress)
    write_run(run, found, chosen.name)
    print(f"{run}: {counted(len(found), 'query')}, none seen in training, {folds} folds, seed {seed}")


def _of_index(stored: Ranker, name: str | None) -> Ranker:
    """Return the ranker of an index, or a plain fusion that uses its charge probabilities or its vectors."""
    from lexgear.rankers.lexgear.charge_fusion import ChargeFusion
    from lexgear.rankers.lexgear.ranker import Lexgear
    from lexgear.rankers.lexgear.vector_fusion import VectorFusion

    fusions: dict[str, type[Lexgear]] = {fusion.name: fusion for fusion in (ChargeFusion, VectorFusion)}
    if name in (None, stored.name):
        return stored
    if name in fusions and isinstance(stored, Lexgear):
        return fusions[name].beside(stored)
    raise InputError(
        f"the index is of {stored.name}, not of {name}", code=ErrorCode.USAGE, remedy="omit --ranker or --index"
    )
