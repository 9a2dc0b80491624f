"""The help of the commands that take a name lists all names there are."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from lexgear.cli import app
from lexgear.corpus.datasets.registry import READERS
from lexgear.rankers.registry import RANKERS


@pytest.mark.parametrize(("command", "names"), [("train", RANKERS), ("import", READERS)])
def test_help_lists_every_name_whenever_it_is_asked_for(command: str, names: dict[str, object]) -> None:
    for _ in range(2):
        printed = CliRunner().invoke(app, [command, "--help"]).output
        said = printed.replace(",", " ").replace(".", " ").split()
        assert set(names) <= set(said)
        assert "{" + "rankers" not in printed


def test_nothing_is_looked_up_before_it_is_asked_for() -> None:
    asked = "import sys, lexgear.cli; print([name for name in sys.modules if name.endswith(('registry', 'readers'))])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
