"""The `train` command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.commands.cluster import check_workers, opened_engine
from lexgear.commands.options import Cluster
from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import counted, progress_bar

if TYPE_CHECKING:
    from lexgear.corpus.records import Collection
    from lexgear.rankers.base import Ranker


def train(
    collection: Annotated[Path, typer.Argument(help="Collection directory, made by lexgear import.")],
    out: Annotated[Path, typer.Option(help="Directory for the index.")],
    ranker: Annotated[str, typer.Option(help="One of {rankers}.")] = "lexgear",
    config: Annotated[Path | None, typer.Option(help="TOML file with settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="Setting as NAME=VALUE; repeatable.")] = None,
    shards: Annotated[int | None, typer.Option(min=1, help="Divide the index into this many shards.")] = None,
    workers: Annotated[
        int,
        typer.Option(
            min=0, help="Processes that read documents and batches; 0 for one per CPU. The index is the same."
        ),
    ] = 1,
    cluster: Cluster = None,
) -> None:
    """Train a ranker on a collection and write its index.

    If training is interrupted, the same command resumes it: checkpoints are kept in OUT.training until the index is
    written. With several workers or on a cluster, other processes count the words of the documents, encode them and
    write the shards of an index of lexgear, bm25 or query_likelihood; they compute the gradients of every ranker that
    takes epochs, if gradient_accumulation gives each step several batches.
    """
    from lexgear import api
    from lexgear.api.sharding import save_shards
    from lexgear.atomic import check_output
    from lexgear.corpus.store import open_collection
    from lexgear.engine.current import current_engine, working_on
    from lexgear.index.manifest import MARKER
    from lexgear.lexical.spilling import spilling_to
    from lexgear.rankers.registry import make_ranker

    check_workers(workers, cluster)
    check_output(out, MARKER, collection)
    chosen = make_ranker(ranker, config, set_ or ())
    _check_shards(chosen, shards)
    if workers != 1 or cluster is not None:
        _check_spread(chosen)
    with progress_bar("Reading the collection") as progress:
        loaded = open_collection(collection)
        progress(1, 1)
    spilling = spilling_to(out.absolute().parent)
    with opened_engine(cluster, workers) as engine, working_on(engine), spilling, _resumable(loaded, chosen, out):
        with progress_bar(f"Training {ranker}") as progress:
            chosen.fit(loaded, progress)
        with progress_bar("Writing the index") as progress:
            if shards is None:
                index = api.save(loaded, chosen, out, progress)
            else:
                index = save_shards(loaded, chosen, out, shards, progress, current_engine())
    size = sum(part.size for part in index.stored.manifest.parts.values())
    divided = f" in {counted(shards, 'shard')}" if shards else ""
    print(f"{out}: {ranker} over {len(loaded.documents):,} documents{divided}, {size / 1e6:.1f} MB")
    for note in _notes(chosen):
        print(note)


def _check_shards(ranker: Ranker, shards: int | None) -> None:
    """Raise `InputError` now, not after hours of training, if the ranker has no documents that can be divided."""
    from lexgear.rankers.segmented import SegmentedRanker

    if shards is not None and not isinstance(ranker, SegmentedRanker):
        raise InputError(
            f"an index of {ranker.name} cannot be sharded",
            code=ErrorCode.USAGE,
            remedy="leave out --shards, or use lexgear, bm25 or query_likelihood",
        )


def _check_spread(ranker: Ranker) -> None:
    """Raise `InputError` if several workers would have nothing to do."""
    from lexgear.rankers.segmented import SegmentedRanker

    if isinstance(ranker, SegmentedRanker):
        return
    if ranker.training is None:
        raise InputError(
            f"{ranker.name} is not trained by several workers",
            code=ErrorCode.USAGE,
            remedy="leave out --workers and --cluster",
        )
    if ranker.training.settings.gradient_accumulation == 1:
        raise InputError(
            f"a training step of {ranker.name} has one batch, which one worker reads",
            code=ErrorCode.USAGE,
            remedy="set gradient_accumulation to the number of workers and divide batch_size by it",
        )


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
