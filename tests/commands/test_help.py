"""Help pages: every name that can be given is listed, and nothing heavy is imported."""

import subprocess
import sys
from collections.abc import Iterable

import pytest
from typer.testing import CliRunner

from lexgear.cli import app
from lexgear.corpus.datasets.registry import DATASETS
from lexgear.rankers.registry import RANKERS

HEAVY = ("torch", "transformers", "scipy", "numpy", "ir_measures", "fastapi")
PRINT_HELP = f"""
import sys
from lexgear.cli import app
try:
    app(sys.argv[1:])
except SystemExit:
    pass
print([name for name in {HEAVY} if name in sys.modules])
"""


@pytest.mark.parametrize(("command", "names"), [("train", RANKERS), ("import", DATASETS)])
def test_help_lists_every_name_whenever_it_is_asked_for(command: str, names: Iterable[str]) -> None:
    for _ in range(2):
        printed = CliRunner().invoke(app, [command, "--help"]).output
        said = printed.replace(",", " ").replace(".", " ").split()
        assert set(names) <= set(said)
        assert "{" + "rankers" not in printed


@pytest.mark.parametrize("arguments", [("--help",), ("import", "--help"), ("train", "--help"), ("serve", "--help")])
def test_help_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-c", PRINT_HELP, *arguments], capture_output=True, text=True, check=True)
    assert "Usage: " in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"
