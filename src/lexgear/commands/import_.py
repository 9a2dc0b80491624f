"""The `import` command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.commands.cluster import check_workers
from lexgear.commands.options import Cluster
from lexgear.terminal import percent, progress_bar

if TYPE_CHECKING:
    from lexgear.corpus.records import Collection


def import_(
    name: Annotated[str, typer.Argument(help="Data set: one of {data sets}.")],
    source: Annotated[
        Path, typer.Argument(help="Directory of the data set in its published layout, or a JSON lines file.")
    ],
    out: Annotated[Path, typer.Option(help="Directory for the collection.")],
    sources: Annotated[
        str | None,
        typer.Option(help="Sources of cases-zh, such as legalattack,mcp,cail2022.", show_default="legalattack"),
    ] = None,
    law: Annotated[
        Path | None,
        typer.Option(help="Text of the criminal law with 【charge】 captions, whose paragraphs define the charges."),
    ] = None,
    pool: Annotated[
        str, typer.Option(help="Candidates to keep: all, or closed for those that GEAR's authors rank.")
    ] = "all",
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first record that cannot be used.")] = False,
    workers: Annotated[
        int, typer.Option(min=0, help="Processes that read records; 0 for one per CPU. The result is the same.")
    ] = 1,
    cluster: Cluster = None,
) -> None:
    """Import a data set into a collection directory.

    Records that cannot be used are skipped, counted by reason and listed in skipped.jsonl. With several workers or on a
    cluster, an import that was interrupted continues where it stopped.
    """
    from lexgear.atomic import check_output
    from lexgear.corpus.datasets.partitions import parallel_import
    from lexgear.corpus.datasets.registry import read_collection
    from lexgear.corpus.document_files import count_charged
    from lexgear.corpus.skipped_records import SkippedRecords
    from lexgear.corpus.store import MARKER, SKIPPED, write_read
    from lexgear.law.charge_texts import with_charge_texts

    check_workers(workers, cluster)
    check_output(out, MARKER, source)
    skipped = SkippedRecords(strict)
    chosen = tuple(sources.split(",")) if sources else ()

    def read() -> Collection:
        with progress_bar(f"Reading {name}") as progress:
            found = read_collection(name, source, skipped, progress, chosen, pool)
        return found if law is None else replace(found, law=with_charge_texts(found.law, law))

    with parallel_import(out, source, (name, chosen), workers=workers, cluster=cluster):
        collection = write_read(read, out, skipped)
    documents = collection.documents
    charged = count_charged(documents)
    print(f"{out}: {len(documents):,} documents, {len(collection.queries):,} queries,", end=" ")
    print(f"{sum(map(len, collection.qrels.values())):,} labels, {len(collection.law):,} law nodes")
    if charged:
        print(f"{charged:,} documents ({percent(charged, len(documents))}) have a charge")
    charges = collection.law.of_kind("charge")
    if law is not None:
        print(f"{sum(bool(node.text) for node in charges):,} of {len(charges):,} charges are defined by {law}")
    for aspect, text in collection.source.items():
        print(f"{aspect}: {shorten(text, 160, placeholder=' …')}")
    print(f"{len(skipped.entries):,} skipped{f', listed in {out / SKIPPED}' if skipped.entries else ''}")
    for reason, count in skipped.counts():
        print(f"  {count:,}  {reason}")
