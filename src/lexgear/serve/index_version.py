"""Version of the index that is served."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from lexgear.api import Index
from lexgear.index.manifest import MANIFEST, manifest_sha256


@dataclass(frozen=True, slots=True)
class IndexVersion:
    """State of an index on disk; every change of its documents makes a new one."""

    sha256: str
    """Checksum of the manifest."""
    written: str
    """Time of the last change, `YYYY-MM-DDThh:mm:ssZ`."""
    documents: int

    @classmethod
    def of(cls, index: Index) -> IndexVersion:
        """Return the version of a loaded index."""
        manifest = index.stored.manifest
        changed = (index.stored.directory / MANIFEST).stat().st_mtime
        written = datetime.fromtimestamp(changed, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return cls(manifest_sha256(manifest), written, manifest.documents)
