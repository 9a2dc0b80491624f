"""Where the real data sets lie: beside the checkout. Where they are absent, the tests that need them skip."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the real data sets (../shared/data) are not here")
