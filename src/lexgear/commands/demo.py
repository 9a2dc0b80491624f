"""The `demo` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[Path, typer.Option(help="Where the sample's index goes.")] = Path("build/sample-index"),
) -> None:
    """Build, evaluate and search the built-in sample: the main job end to end."""
    from lexgear.demo import run_demo

    run_demo(out)
