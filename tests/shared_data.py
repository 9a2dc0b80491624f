"""Location of the real data sets, next to the checkout; tests that need them are skipped if they are missing."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the real data sets (../shared/data) are not here")
