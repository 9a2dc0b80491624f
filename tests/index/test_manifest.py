"""Tests of the checksum of a manifest."""

import hashlib
import json
import shutil
from pathlib import Path

from lexgear.index.manifest import MANIFEST, manifest_sha256, manifest_text
from lexgear.index.store import StoredIndex


def sha256(index: Path) -> str:
    return hashlib.sha256((index / MANIFEST).read_bytes()).hexdigest()


def test_the_checksum_of_a_manifest_is_that_of_the_file(words_dir: Path) -> None:
    assert manifest_sha256(StoredIndex(words_dir).manifest) == sha256(words_dir)


def test_the_checksum_of_a_manifest_of_format_1_is_that_of_the_file(words_dir: Path, tmp_path: Path) -> None:
    index = Path(shutil.copytree(words_dir, tmp_path / "index"))
    fields = json.loads((index / MANIFEST).read_text(encoding="utf-8"))
    del fields["folder"], fields["keeps_names"], fields["sha256"]
    (index / MANIFEST).write_text(manifest_text({**fields, "format": 1}), encoding="utf-8")
    assert manifest_sha256(StoredIndex(index).manifest) == sha256(index)
