"""Tests run side by side, a worker a core: threads of one must not fight those of another."""

import os

os.environ["OMP_NUM_THREADS"] = "1"
