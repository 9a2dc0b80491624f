"""What rankers with a training loop share: a place for checkpoints, a log, a validation value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
from lexgear.files import write_jsonl
from lexgear.progress import Progress
from lexgear.rankers.base import Ranker
from lexgear.training.curves import can_draw, draw_curves
from lexgear.training.loop import Loop, Row, append_stage
from lexgear.training.query_split import QuerySplit, relevant, split_queries
from lexgear.training.workspace import Workspace
from lexgear.trec import reciprocal_rank

LOG, CURVES = "training.jsonl", "training.svg"
DEPTH = 100
"""How deep validation looks: a first relevant document below would add less than 0.01 to MRR."""


class TrainedRanker(Ranker):
    """A ranker whose `fit` takes epochs: it resumes where its workspace holds a checkpoint of the same run."""

    workspace: Workspace | None = None
    """Where checkpoints go; none are written without."""

    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self.log: list[Row] = []
        """A row an epoch, after `fit`."""
        self.notes: list[str] = []
        """What `fit` learnt from, for whoever asked for it."""

    def mrr(self, collection: Collection, queries: Sequence[Query]) -> float:
        """Mean over the queries of 1 / rank of the first relevant document, by this ranker's own search."""
        total = 0.0
        for query, hits in zip(queries, self.search(queries, DEPTH), strict=True):
            total += reciprocal_rank((hit.document for hit in hits), set(relevant(collection, query)))
        return total / len(queries)

    def _trained(self, loop: Loop, progress: Progress, stage: str = "") -> None:
        """Runs a loop to its end and puts its rows at the end of the log; a stage keeps its own checkpoint."""
        loop.workspace = self.workspace.stage(stage) if self.workspace and stage else self.workspace
        self.log = append_stage(self.log, loop.run(progress))

    def save_log(self, directory: Path) -> None:
        """Writes the log, and its curves where matplotlib is installed; nothing where nothing was trained."""
        if self.log:
            write_jsonl(directory / LOG, self.log)
        if self.log and can_draw():
            draw_curves(self.log, directory / CURVES)

    def _split(self, collection: Collection, *, weighs: bool = False) -> QuerySplit:
        """The training queries by what they are for; held out are only as many as something is done with.

        Where a ranker also fits weights, half of those held out choose the epoch and the other half the weights:
        what chose the epoch would flatter it, and the probabilities calibrated on it with it.
        """
        settings = self.settings
        share = settings.held_out if settings.patience or weighs else 0.0
        learnt, held_out = split_queries(collection, share, settings.seed)
        most = len(held_out) if not weighs else (len(held_out) + 1) // 2
        count = most if settings.patience else 0
        if settings.patience and not count:
            raise InputError(
                f"patience={settings.patience} needs training queries to validate on: {collection.name} has "
                f"{len(learnt)} with labels, of which held_out={share} keeps none",
                remedy="set patience=0, or hold out a larger share",
            )
        split = QuerySplit(learnt, held_out[:count], held_out[count:])
        self.notes = [str(split)]
        return split
