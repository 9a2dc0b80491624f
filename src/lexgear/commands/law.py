"""The `law` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import console

if TYPE_CHECKING:
    from rich.table import Table

    from lexgear.law.charge_book import ChargeBookEntry, Threshold
    from lexgear.law.tree import LawNode, LawTree

_INTENT = {"intent": "intentional", "negligence": "negligent", "either": "intentional or negligent"}
_SUBJECT = {"person": "natural persons", "unit": "units only", "person_or_unit": "natural persons and units"}


def law(
    place: Annotated[
        str,
        typer.Argument(help="Charge (盗窃罪), article (264) or path (2/5); empty for the chapters."),
    ] = "",
    collection: Annotated[
        Path | None, typer.Option(help="Collection whose law is shown.", show_default="Chinese Criminal Law")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show a place of the law: what is below it and, for a charge, its entry in the charge book."""
    from lexgear.corpus.store import read_law
    from lexgear.files import dumps
    from lexgear.law.charge_book import charge_book, charge_glosses
    from lexgear.law.shipped import chinese_criminal_law

    tree = read_law(collection / "law.json") if collection else chinese_criminal_law()
    node = find_place(tree, place)
    entry = charge_book().get(node.number) if node.kind == "charge" else None
    if as_json:
        below = [child.id for child in tree.children(node)]
        row = {"id": node.id, "kind": node.kind, "title": node.title, "text": node.text, "children": below}
        print(dumps(row | ({"entry": entry.to_row()} if entry else {})))
        return
    screen = console()
    screen.print(" › ".join(_name(step) for step in tree.path(node)), style="bold", markup=False)
    if node.text:
        screen.print(node.text, markup=False)
    for child in tree.children(node):
        screen.print(f"  {_name(child)}", markup=False)
    if gloss := charge_glosses().get(node.number):
        screen.print(f"{gloss['en']} · {gloss['fr']}", style="dim", markup=False)
    if entry:
        screen.print(_entry_table(entry))


def find_place(tree: LawTree, place: str) -> LawNode:
    """Return the node that a user names: a charge in any spelling, the number of an article, or a path."""
    from lexgear.law.charges import shipped_charges

    if not place:
        return tree.roots[0]
    charge = shipped_charges().official(place) or place
    wanted = place.removeprefix("刑法").removeprefix("第").removesuffix("条").strip("/")
    for kind, number in (("charge", charge), ("article", wanted)):
        found = [node for node in tree.of_kind(kind) if node.number == number]
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(
                f"{place!r} is the number of {len(found)} articles",
                code=ErrorCode.UNKNOWN_PLACE,
                remedy=f"give the path of one, such as {found[0].id}",
                place=place,
            )
    for root in tree.roots:
        for path in (wanted, f"{root.id}/{wanted}"):
            if path in tree:
                return tree[path]
    raise InputError(
        f"the law has no place {place!r}",
        code=ErrorCode.UNKNOWN_PLACE,
        remedy="name a charge (盗窃罪), an article (264) or a path (2/5)",
        place=place,
    )


def _name(node: LawNode) -> str:
    from lexgear.api import step_name

    name = step_name(node)
    return f"{name} {node.title}" if node.title and node.title not in name else name


def _entry_table(entry: ChargeBookEntry) -> Table:
    """Return an entry of the charge book as a table without empty rows."""
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    until = f" until {entry.in_force_until}" if entry.in_force_until else ""
    rows = {
        "definition": entry.definition,
        "protected interest": entry.interest,
        "conduct": entry.conduct,
        "subject": f"{entry.subject} ({_SUBJECT[entry.subject_kind]})",
        "mental state": f"{entry.mental} ({_INTENT[entry.intent]})",
        "thresholds": "\n".join(map(_threshold, entry.thresholds)),
        "in force": f"since {entry.in_force_from}{until}, {entry.enacted_by}",
        "former names": "、".join(entry.former_names),
        "later names": "、".join(entry.later_names),
        "excludes": "、".join(entry.excludes),
        "special case of": "、".join(entry.special_case_of),
        "absorbs": "\n".join(f"{one.charge}: {one.when}" for one in entry.absorbs),
        "often together with": "、".join(entry.together),
        "facts often say": "、".join(entry.expressions),
    }
    for name, text in rows.items():
        if text:
            table.add_row(name, text)
    return table


def _threshold(threshold: Threshold) -> str:
    upper = f"–{threshold.maximum:,g}" if threshold.maximum is not None else ""
    unless = f"; not needed: {'、'.join(threshold.unless)}" if threshold.unless else ""
    checked = "" if threshold.verified else ", unverified"
    return f"{threshold.minimum:,g}{upper} {threshold.unit}: {threshold.means} ({threshold.source}{checked}){unless}"
