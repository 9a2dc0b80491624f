"""The `crossvalidate` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.errors import InputError
from lexgear.terminal import progress_bar

if TYPE_CHECKING:
    from lexgear.rankers.base import Ranker


def crossvalidate(
    collection: Annotated[Path, typer.Argument(help="A collection directory whose queries have labels.")],
    run: Annotated[Path, typer.Option(help="TREC run to write, over all its queries.")],
    index: Annotated[
        Path | None,
        typer.Option(help="An index of the collection: its documents are not read again, only the learning is done."),
    ] = None,
    ranker: Annotated[
        str | None, typer.Option(help="As for lexgear train; an index of lexgear also serves charge_fusion.")
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="Parts; each is searched by a ranker trained on the others.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Of the dealing into folds.")] = 0,
    k: Annotated[int, typer.Option(min=1, help="How many documents a query.")] = 1000,
    config: Annotated[Path | None, typer.Option(help="TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting as key=value; repeatable.")] = None,
) -> None:
    """Search every query with a ranker that learnt from the other folds' queries alone.

    For data sets without a split, such as LeCaRD: the whole of its queries is then a test set.
    """
    from lexgear.api import Index
    from lexgear.corpus.store import load_collection
    from lexgear.evaluation.folds import cross_validate, fit_documents
    from lexgear.rankers.registry import make_ranker
    from lexgear.trec import write_run

    if index and (config or set_):
        raise InputError("an index has its settings already", remedy="leave out --config and --set")
    loaded = load_collection(collection)
    if index:
        stored = Index.load(index)
        chosen = _of_index(stored.ranker, ranker)
        if set(stored.stored.catalogue.ids()) != {document.id for document in loaded.documents}:
            raise InputError("the index holds other documents than the collection", file=index)
    else:
        chosen = make_ranker(ranker or "lexgear", config, set_ or ())
    with progress_bar(f"Training {chosen.name} {folds} times") as progress:
        known = chosen if index else fit_documents(loaded, chosen, progress)
        found = cross_validate(loaded, known, folds, seed, k, progress)
    write_run(run, found, chosen.name)
    print(f"{run}: {len(found):,} queries, each unseen in training, {folds} folds, seed {seed}")


def _of_index(stored: Ranker, name: str | None) -> Ranker:
    """The ranker of an index, or the fusion that walks as it does."""
    from lexgear.rankers.lexgear.charge_fusion import ChargeFusion
    from lexgear.rankers.lexgear.ranker import Lexgear

    if name in (None, stored.name):
        return stored
    if name == ChargeFusion.name and isinstance(stored, Lexgear):
        return ChargeFusion.beside(stored)
    raise InputError(f"the index is of {stored.name}, not of {name}", remedy="leave out --ranker or --index")
