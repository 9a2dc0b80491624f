"""Tests of the checksum of a manifest."""

import hashlib
import json
import shutil
from pathlib import Path

from lexgear.index.manifest import MANIFEST, manifest_sha256, manifest_text
from lexgear.index.store import StoredIndex


def sha256(index: Path) -> str:
    return hashlib.sha256((index / MANIFEST).read_bytes()).hexdigest()


def to_format_1(index: Path) -> None:
    """Write the manifest of a new index as the first version did."""
    fields = json.loads((index / MANIFEST).read_text(encoding="utf-8"))
    parts = fields["parts"] | fields["segments"][0]["stored"]["parts"]
    del fields["folder"], fields["keeps_names"], fields["segments"], fields["sha256"]
    earlier = {**fields, "format": 1, "parts": dict(sorted(parts.items()))}
    (index / MANIFEST).write_text(manifest_text(earlier), encoding="utf-8")


def test_the_checksum_of_a_manifest_is_that_of_the_file(words_dir: Path) -> None:
    assert manifest_sha256(StoredIndex(words_dir).manifest) == sha256(words_dir)


def test_the_checksum_of_a_manifest_of_format_1_is_that_of_the_file(words_dir: Path, tmp_path: Path) -> None:
    index = Path(shutil.copytree(words_dir, tmp_path / "index"))
    to_format_1(index)
    assert manifest_sha256(StoredIndex(index).manifest) == sha256(index)
