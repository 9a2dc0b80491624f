"""CPU time of `import lexgear` and of `lexgear --help`, each in a fresh process."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence

from bench.side_by_side import Measured

ROUNDS = 5
IMPORT = ("-c", "import lexgear")
HELP = ("-c", "import sys; sys.argv = ['lexgear', '--help']; from lexgear.cli import main; main()")
IMPORT_LIMIT, HELP_LIMIT = 0.3, 0.5
"""Seconds of CPU that should not be exceeded."""


def startup_time() -> Iterator[Measured]:
    """Measure user and system time of both; the first round, which may compile bytecode, does not count."""
    for name, arguments, limit in (
        ("startup_import_cpu_s", IMPORT, IMPORT_LIMIT),
        ("startup_help_cpu_s", HELP, HELP_LIMIT),
    ):
        rounds = tuple(_cpu_seconds(arguments) for _ in range(1 + ROUNDS))[1:]
        command = "import lexgear" if arguments is IMPORT else "lexgear --help"
        yield Measured(name, f"seconds of CPU for `{command}` (at most {limit} wanted)", rounds)


def _cpu_seconds(arguments: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
