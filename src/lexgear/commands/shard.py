"""The `shard` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.terminal import progress_bar


def shard(
    index: Annotated[Path, typer.Argument(help="Index directory, made by lexgear train.")],
    shards: Annotated[int, typer.Option(min=1, help="Number of shards.")],
    out: Annotated[Path, typer.Option(help="Directory for the sharded index.")],
) -> None:
    """Divide the documents of an index among several shards, which machines of a cluster can search together.

    The result is an index for all commands, with the same rankings.
    """
    from lexgear.api import Index
    from lexgear.api.sharding import shard_index
    from lexgear.atomic import check_output
    from lexgear.index.manifest import MARKER

    check_output(out, MARKER, index)
    with progress_bar("Writing shards") as progress:
        sharded = shard_index(Index.load(index), shards, out, progress)
    print(f"{out}: {sharded.stored.manifest.ranker} over {len(sharded):,} documents in {shards} shards")
