"""Help that lists what can be named, looked up when it is asked for: the rankers take two seconds to import."""

from __future__ import annotations

from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperOption


class Listing(TyperCommand):
    """A command in whose help `{rankers}` and `{data sets}` stand for the names of all there are."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help, the names filled in."""
        for parameter in self.params:
            if isinstance(parameter, TyperOption | TyperArgument):
                parameter.help = _filled(parameter.help or "")
        super().format_help(ctx, formatter)


def _filled(text: str) -> str:
    if "{rankers}" in text:
        from lexgear.rankers.registry import RANKERS

        text = text.replace("{rankers}", ", ".join(RANKERS))
    if "{data sets}" in text:
        from lexgear.corpus.datasets.registry import DATASETS

        text = text.replace("{data sets}", ", ".join(DATASETS))
    return text
