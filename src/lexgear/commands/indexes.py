"""Commands that make and check indexes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.display import progress_bar


def train(
    collection: Annotated[Path, typer.Argument(help="A collection directory made by lexgear import.")],
    out: Annotated[Path, typer.Option(help="Directory for the index.")],
    ranker: Annotated[
        str, typer.Option(help="bm25, query_likelihood, gear, lexgear, gold_charge_random, gold_charge_popular.")
    ] = "bm25",
    config: Annotated[Path | None, typer.Option(help="TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting as key=value; repeatable.")] = None,
) -> None:
    """Train a ranker on a collection and write its index."""
    from lexgear import api
    from lexgear.corpus.store import load_collection
    from lexgear.index import MARK
    from lexgear.rankers.registry import make_ranker
    from lexgear.whole import check_out

    check_out(out, MARK, collection)
    chosen = make_ranker(ranker, config, set_ or ())
    with progress_bar("Reading the collection") as progress:
        loaded = load_collection(collection)
        progress(1, 1)
    with progress_bar(f"Training {ranker}") as progress:
        chosen.fit(loaded, progress)
    with progress_bar("Writing the index") as progress:
        index = api.save(loaded, chosen, out, progress)
    size = sum(part.size for part in index.stored.manifest.parts.values())
    print(f"{out}: {ranker} over {len(loaded.documents):,} documents, {size / 1e6:.1f} MB")


def check(index: Annotated[Path, typer.Argument(help="An index directory.")]) -> None:
    """Verify every part of an index against its manifest."""
    from lexgear.index import StoredIndex

    stored = StoredIndex(index)
    stored.check()
    manifest = stored.manifest
    print(f"{index}: {manifest.ranker} over {manifest.documents:,} documents, {len(manifest.parts)} parts, all whole")
