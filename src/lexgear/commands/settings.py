"""The `settings` command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from lexgear.terminal import console


def settings(
    ranker: Annotated[
        str | None, typer.Argument(help="One of {rankers}. Without one, all rankers are listed.", show_default=False)
    ] = None,
) -> None:
    """List the settings of a ranker with type, default and meaning.

    Some defaults differ if `backbone` names a model to start from; they stand in a column of their own.
    Set values with `lexgear train --set name=value`, or in a TOML file given with --config.
    """
    from lexgear.rankers.registry import RANKERS

    if ranker is None:
        _print_table(("ranker", "summary"), [(one.name, one.summary) for one in RANKERS.entries.values()])
        return
    from lexgear.settings import describe_settings

    described = describe_settings(RANKERS[ranker].settings_type)
    print(f"{ranker}: {RANKERS.entries[ranker].summary}")
    if described:
        headings = ("setting", "type", "default", "with a backbone", "meaning")
        shown = [place for place in range(len(headings)) if any(row[place] for row in described)]
        _print_table([headings[place] for place in shown], [[row[place] for place in shown] for row in described])
    else:
        print("no settings")


def _print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for position, heading in enumerate(headings):
        table.add_column(heading, no_wrap=position == 0, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console().print(table)
