"""The training of one ranker: its checkpoints, log and notes, and the split of its training queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexgear.corpus.records import Collection, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.files import write_jsonl
from lexgear.progress import Progress
from lexgear.rankers.base import Ranker
from lexgear.rankers.model_settings import TrainingSettings
from lexgear.training.curves import can_draw, draw_curves
from lexgear.training.loop import Loop, Row, append_stage
from lexgear.training.query_split import QuerySplit, split_queries
from lexgear.training.validation import mean_reciprocal_rank
from lexgear.training.workspace import Workspace

LOG, CURVES = "training.jsonl", "training.svg"
VALIDATION_DEPTH = 100
"""Documents that validation looks at: a first relevant document below would add less than 0.01 to MRR."""


class TrainingRun:
    """Log, notes and checkpoints of a ranker whose `fit` takes epochs.

    A loop resumes if the workspace holds a checkpoint of the same run.
    """

    def __init__(self, settings: TrainingSettings) -> None:
        self.settings = settings
        self.workspace: Workspace | None = None
        """Directory of the checkpoints; None writes none."""
        self.log: list[Row] = []
        """One row per epoch."""
        self.notes: list[str] = []
        """Sentences for the user: what the model started from and learnt from."""

    def run(self, loop: Loop, progress: Progress, stage: str = "") -> None:
        """Run a loop to its end and append its rows to the log; each stage keeps its own checkpoint."""
        loop.workspace = self.workspace.stage(stage) if self.workspace and stage else self.workspace
        self.log = append_stage(self.log, loop.run(progress))

    def split(self, collection: Collection, *, learns_weights: bool = False) -> QuerySplit:
        """Split the training queries into those to learn from and those held out, and note it.

        Queries are held out only if something is chosen on them. If a ranker also learns weights, half of those held
        out choose the epoch and the other half the weights: what chose the epoch would flatter the weights and the
        calibration.
        """
        settings = self.settings
        share = settings.validation_share if settings.patience or learns_weights else 0.0
        learnt, held_out = split_queries(collection, share, settings.seed)
        available = len(held_out) if not learns_weights else (len(held_out) + 1) // 2
        count = available if settings.patience else 0
        if settings.patience and not count:
            raise InputError(
                f"patience={settings.patience} needs training queries to validate on: {collection.name} has "
                f"{len(learnt)} with labels, of which validation_share={share} keeps none",
                code=ErrorCode.NOTHING_TO_LEARN,
                remedy="set patience=0, or hold out a larger share",
            )
        split = QuerySplit(learnt, held_out[:count], held_out[count:])
        self.notes = [str(split)]
        return split

    def save(self, directory: Path) -> None:
        """Write the log and, if matplotlib is installed, its curves; write nothing if nothing was trained."""
        if self.log:
            write_jsonl(directory / LOG, self.log)
        if self.log and can_draw():
            draw_curves(self.log, directory / CURVES)


def validation_mrr(ranker: Ranker, collection: Collection, queries: Sequence[Query]) -> float:
    """Return the mean reciprocal rank of a ranker on held-out training queries."""
    results = ranker.search(queries, VALIDATION_DEPTH)
    return mean_reciprocal_rank(collection, queries, [[hit.document for hit in hits] for hits in results])
