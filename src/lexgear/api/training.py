"""From a data set to an index: import, train, save."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lexgear.api.index import Index
from lexgear.atomic import check_output
from lexgear.corpus.datasets.partitions import parallel_import
from lexgear.corpus.datasets.registry import read_collection
from lexgear.corpus.records import Collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import MARKER, write_read
from lexgear.errors import ErrorCode, InputError
from lexgear.index.store import StoredIndex, write_index
from lexgear.lexical.spilling import spilling_to
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker
from lexgear.rankers.registry import make_ranker
from lexgear.rankers.segmented import SegmentedRanker
from lexgear.settings import settings_row
from lexgear.training.workspace import Workspace, fingerprint


def import_dataset(  # noqa: PLR0913 (one parameter per option of the command)
    name: str,
    source: str | Path,
    out: str | Path | None = None,
    *,
    sources: Sequence[str] = (),
    pool: str = "all",
    strict: bool = False,
    skipped: SkippedRecords | None = None,
    workers: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> Collection:
    """Read a data set by name, such as `lecard` or `jsonl`, and return it as a collection.

    With `out`, the collection is also written to that directory, and documents of large data sets are read from there
    when they are used, so that they need not fit into memory. `sources` chooses among the sources of a data set
    that has several, such as `cases-zh`. With `pool="closed"`, only the candidates that GEAR's authors rank are kept.
    Records that cannot be used are skipped and, if `skipped` is given, listed there; with `strict` the first of them
    raises `InputError`.

    With several `workers` (0: one per CPU), or with the address of a Ray cluster, records are read by other processes;
    the collection is the same. Such an import continues where it stopped if it is interrupted and started again.
    """
    source = Path(source)
    if out is not None:
        check_output(Path(out), MARKER, source)
    skipped = SkippedRecords(strict) if skipped is None else skipped
    if out is None:
        if workers != 1 or cluster is not None:
            problem = "no directory for the collection, which several workers need"
            raise InputError(problem, code=ErrorCode.INVALID_ARGUMENT, remedy="give one as `out`", name="out")
        return read_collection(name, source, skipped, progress, sources, pool)
    with parallel_import(Path(out), source, (name, tuple(sources)), workers=workers, cluster=cluster):
        return write_read(lambda: read_collection(name, source, skipped, progress, sources, pool), Path(out), skipped)


def train(
    collection: Collection,
    ranker: str | Ranker = "lexgear",
    out: str | Path | None = None,
    progress: Progress = silent,
    **settings: Any,
) -> Index:
    """Train a ranker on a collection, write its index to the directory `out` and return the index.

    `ranker` is a name, whose settings may follow as keywords (`train(collection, "bm25", "build/index", k1=0.9)`), or
    a ranker made before. Training that was interrupted resumes if it is started again with the same arguments.

    Large arrays are kept in temporary files beside `out`. With `open_collection` the texts stay on disk too.
    """
    if out is None:
        problem = "no directory for the index"
        raise InputError(problem, code=ErrorCode.INVALID_ARGUMENT, remedy="give one as `out`", name="out")
    if isinstance(ranker, str):
        ranker = make_ranker(ranker, **settings)
    elif settings:
        raise InputError(
            f"settings for a ranker that is made already: {', '.join(settings)}",
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="give the ranker by name, or make it with these settings",
        )
    with resumable(collection, ranker, out), spilling_to(Path(out).absolute().parent):
        return save(collection, ranker.fit(collection, progress), out)


@contextmanager
def resumable(collection: Collection, ranker: Ranker, out: str | Path) -> Iterator[Workspace | None]:
    """Keep checkpoints in `OUT.training`, beside the index to be, until the block that writes the index ends.

    Within the block, `fit` resumes after the last epoch kept by a run with the same collection and settings. Yields
    None for rankers that are not trained in epochs, whose documents would have to be read once more.
    """
    if ranker.training is None or ranker.reads_documents_in_order():
        yield None
        return
    run = fingerprint(collection, ranker.name, settings_row(ranker.settings))
    workspace = Workspace.beside(Path(out), run)
    workspace.epochs_done()  # raises now if the checkpoint is of another run, not after hours of work
    ranker.training.workspace = workspace
    yield workspace
    workspace.clear()


def save(collection: Collection, ranker: Ranker, out: str | Path, progress: Progress = silent) -> Index:
    """Write the index of a ranker that was fitted to the collection."""
    write_index(
        Path(out),
        collection,
        ranker=ranker.name,
        settings=settings_row(ranker.settings),
        keeps_names=ranker.names.keeps_names,
        save_ranker=lambda directory: _save_parts(ranker, directory),
        save_segment=ranker.save_documents if isinstance(ranker, SegmentedRanker) else None,
        progress=progress,
    )
    return Index(StoredIndex(Path(out)), ranker)


def _save_parts(ranker: Ranker, directory: Path) -> None:
    if isinstance(ranker, SegmentedRanker):
        ranker.save_learnt(directory)
    else:
        ranker.save(directory)
    if ranker.training:
        ranker.training.save(directory)
