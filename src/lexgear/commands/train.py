"""The `train` command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.terminal import progress_bar

if TYPE_CHECKING:
    from lexgear.corpus.records import Collection
    from lexgear.rankers.base import Ranker


def train(
    collection: Annotated[Path, typer.Argument(help="A collection directory made by lexgear import.")],
    out: Annotated[Path, typer.Option(help="Directory for the index.")],
    ranker: Annotated[str, typer.Option(help="One of {rankers}.")] = "lexgear",
    config: Annotated[Path | None, typer.Option(help="TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting as key=value; repeatable.")] = None,
) -> None:
    """Train a ranker on a collection and write its index.

    Training that was stopped goes on where it was when the same command is given again: until the index is
    written, checkpoints lie beside it in OUT.training.
    """
    from lexgear import api
    from lexgear.atomic import check_output
    from lexgear.corpus.store import load_collection
    from lexgear.index.manifest import MARKER
    from lexgear.rankers.registry import make_ranker

    check_output(out, MARKER, collection)
    chosen = make_ranker(ranker, config, set_ or ())
    with progress_bar("Reading the collection") as progress:
        loaded = load_collection(collection)
        progress(1, 1)
    with _resumable(loaded, chosen, out):
        with progress_bar(f"Training {ranker}") as progress:
            chosen.fit(loaded, progress)
        with progress_bar("Writing the index") as progress:
            index = api.save(loaded, chosen, out, progress)
    size = sum(part.size for part in index.stored.manifest.parts.values())
    print(f"{out}: {ranker} over {len(loaded.documents):,} documents, {size / 1e6:.1f} MB")
    for note in _notes(chosen):
        print(note)


@contextmanager
def _resumable(collection: Collection, ranker: Ranker, out: Path) -> Iterator[None]:
    """Says where a stopped run goes on, and what to do when it is stopped now."""
    from lexgear import api

    with api.resumable(collection, ranker, out) as workspace:

        def kept() -> str:
            done = workspace.epochs_done() if workspace else 0
            return f"after epoch {done} of {ranker.settings.epochs}" if done else ""

        if where := kept():
            print(f"resuming {where}", file=sys.stderr)
        try:
            yield
        except KeyboardInterrupt:
            where = kept()
            how = f"the same command goes on {where}" if where else "no epoch was done, nothing is kept"
            print(f"lexgear: stopped; {how}", file=sys.stderr)
            raise typer.Exit(130) from None


def _notes(ranker: Ranker) -> list[str]:
    """What training learnt from, and where it stopped."""
    from lexgear.rankers.trained import TrainedRanker
    from lexgear.training.loop import epochs_since_best

    if not isinstance(ranker, TrainedRanker):
        return []
    last = len(ranker.log)
    stopped = f"kept epoch {last - epochs_since_best(ranker.log)}, the best of {last} on validation"
    return [*ranker.notes, *([stopped] if ranker.settings.patience else [])]
