"""The `train` command."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.terminal import progress_bar

if TYPE_CHECKING:
    from lexgear.api import Index
    from lexgear.corpus.records import Collection
    from lexgear.progress import Progress
    from lexgear.rankers.base import Ranker


def train(
    collection: Annotated[Path, typer.Argument(help="Collection directory, made by lexgear import.")],
    out: Annotated[Path, typer.Option(help="Directory for the index.")],
    ranker: Annotated[str, typer.Option(help="One of {rankers}.")] = "lexgear",
    config: Annotated[Path | None, typer.Option(help="TOML file with settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="Setting as NAME=VALUE; repeatable.")] = None,
    shards: Annotated[int | None, typer.Option(min=1, help="Divide the index into this many shards.")] = None,
) -> None:
    """Train a ranker on a collection and write its index.

    If training is interrupted, the same command resumes it: checkpoints are kept in OUT.training until the index is
    written.
    """
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
            index = _save(loaded, chosen, out, shards, progress)
    size = sum(part.size for part in index.stored.manifest.parts.values())
    print(f"{out}: {ranker} over {len(loaded.documents):,} documents, {size / 1e6:.1f} MB")
    for note in _notes(chosen):
        print(note)


def _save(collection: Collection, ranker: Ranker, out: Path, shards: int | None, progress: Progress) -> Index:
    """Write the index; with shards, a whole one is written beside it first and removed in the end."""
    from lexgear import api
    from lexgear.api.sharding import shard_index

    if shards is None:
        return api.save(collection, ranker, out, progress)
    whole = out.with_name(f"{out.name}.whole")
    try:
        return shard_index(api.save(collection, ranker, whole, progress), shards, out, progress)
    finally:
        shutil.rmtree(whole, ignore_errors=True)


@contextmanager
def _resumable(collection: Collection, ranker: Ranker, out: Path) -> Iterator[None]:
    """Print where an interrupted run resumes, now and on Ctrl-C."""
    from lexgear import api

    with api.resumable(collection, ranker, out) as workspace:

        def position() -> str:
            done = workspace.epochs_done() if workspace else 0
            epochs = ranker.training.settings.epochs if ranker.training else 0
            return f"after epoch {done} of {epochs}" if done else ""

        if where := position():
            print(f"resuming {where}", file=sys.stderr)
        try:
            yield
        except KeyboardInterrupt:
            where = position()
            how = f"the same command resumes {where}" if where else "no epoch was finished, nothing is kept"
            print(f"lexgear: interrupted; {how}", file=sys.stderr)
            raise typer.Exit(130) from None


def _notes(ranker: Ranker) -> list[str]:
    """Return notes on what the ranker was trained on, and the epoch that was kept."""
    from lexgear.training.loop import epochs_since_best

    run = ranker.training
    if run is None:
        return []
    last = len(run.log)
    stopped = f"kept epoch {last - epochs_since_best(run.log)}, the best of {last} on validation"
    return [*run.notes, *([stopped] if run.settings.patience else [])]
