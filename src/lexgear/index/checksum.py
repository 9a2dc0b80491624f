"""What says beyond doubt which index was searched."""

from __future__ import annotations

import hashlib
from dataclasses import asdict

from lexgear.index.manifest import Manifest, sealed


def manifest_sha256(manifest: Manifest) -> str:
    """What `sha256sum INDEX/manifest.json` prints; the manifest in turn vouches for every part of the index.

    Made from the manifest as it was read: the index on disk may have changed since.
    """
    fields = asdict(manifest)
    if manifest.format == 1:  # which knew no folders
        del fields["folder"]
    return hashlib.sha256(sealed(fields).encode("utf-8")).hexdigest()
