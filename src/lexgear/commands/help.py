"""Help pages that list the names of rankers, data sets and limits."""

from __future__ import annotations

from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperOption


class CommandWithNames(TyperCommand):
    """Command whose help shows the known names for `{rankers}`, `{data sets}` and `{limits}`.

    They are looked up when the help is printed, so that the names of installed plug-ins are included and commands
    start without the search for them.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page with the names filled in, its paragraphs wrapped to the width of the terminal."""
        # typer prints the lines of a docstring as they are, except those of the first paragraph.
        self.help = "\n\n".join(" ".join(part.split()) for part in (self.help or "").split("\n\n"))
        for parameter in self.params:
            if isinstance(parameter, TyperOption | TyperArgument):
                parameter.help = with_names(parameter.help or "")
        super().format_help(ctx, formatter)


def with_names(text: str) -> str:
    """Return a help text with the names filled in."""
    if "{rankers}" in text:
        from lexgear.rankers.registry import RANKERS

        text = text.replace("{rankers}", ", ".join(RANKERS))
    if "{data sets}" in text:
        from lexgear.corpus.datasets.registry import DATASETS

        text = text.replace("{data sets}", ", ".join(DATASETS))
    if "{limits}" in text:
        from dataclasses import fields

        from lexgear.serve.settings import Limits

        text = text.replace("{limits}", ", ".join(field.name for field in fields(Limits)))
    return text
