"""A large index made of copies of a smaller one, to measure what does not depend on training.

Training a million documents takes half an hour of CPU; copying the features of 100,000 documents ten times takes
minutes. Loading, searching, adding and removing do the same work on both.

    python -m bench.copies INDEX TIMES DIRECTORY

The new index is DIRECTORY/index. The catalogue has no grams, which only keywords need.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from lexgear import Index
from lexgear.atomic import locked_directory
from lexgear.index.catalogue import Catalogue
from lexgear.index.catalogue_writing import merge_catalogues
from lexgear.index.segments import NewSegment, update_segments
from lexgear.rankers.lexgear.features.segment import FeatureSegment


def copy_documents(small: Path, times: int, out: Path) -> None:
    """Write an index with several copies of each document, the ids of which begin with the number of the copy."""
    shutil.copytree(small, out)
    index = Index.load(out)
    [segment] = index.ranker.segments  # type: ignore[attr-defined]
    copies = []
    for copy in range(times):
        ids = tuple(f"{copy}-{name}" for name in segment.ids)
        copies.append(replace(segment, words=replace(segment.words, ids=ids)))
    merged = FeatureSegment.merged(copies)
    [stored] = index.stored.catalogue.parts
    new = NewSegment(len(merged), merged.save, lambda path: _copy_catalogue(stored.path, times, path))
    with locked_directory(out) as handle:
        update_segments(index.stored, handle, [new])


def _copy_catalogue(source: Path, times: int, path: Path) -> None:
    parts = [path.with_name(f"{path.name}.copy-{copy}") for copy in range(times)]
    for copy, part in enumerate(parts):
        shutil.copyfile(source, part)
        with closing(sqlite3.connect(part)) as database, database:
            database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; DROP TABLE IF EXISTS grams;")
            database.execute("UPDATE documents SET id = ? || id", (f"{copy}-",))
    catalogues = [Catalogue(part) for part in parts]
    with patch("lexgear.index.catalogue_writing.write_grams"):
        merge_catalogues(path, catalogues)
    for catalogue, part in zip(catalogues, parts, strict=True):
        catalogue.close()
        part.unlink()


if __name__ == "__main__":
    copy_documents(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]) / "index")
