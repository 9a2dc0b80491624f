"""The `demo` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[Path, typer.Option(help="Directory for the index of the sample.")] = Path("build/sample-index"),
) -> None:
    """Index, search, judge and evaluate the built-in sample. Takes two to five minutes."""
    from lexgear.demo import run_demo

    run_demo(out)
