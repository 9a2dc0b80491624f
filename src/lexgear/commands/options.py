"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Cluster = Annotated[
    str | None,
    typer.Option(
        help="Address of a Ray cluster, such as 10.0.0.5:6379, or local to start one on this machine.",
        metavar="ADDRESS",
    ),
]
"""The option `--cluster`."""
