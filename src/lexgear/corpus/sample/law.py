"""Law tree of the Chinese sample: part of the Criminal Law, with definitions in our own words."""

from __future__ import annotations

from lexgear.corpus.sample.templates import Charge, charges, headings
from lexgear.law.tree import LawTree, TreeBuilder


def sample_law() -> LawTree:
    """Return the tree of law, part, chapters, sections, articles and charges, such as `cn-criminal/2/5/263/抢劫罪`."""
    titles = headings()
    builder = TreeBuilder()
    root = builder.add(None, "law", "cn-criminal", titles["law"])
    part = builder.add(root, "part", "2", titles["part"])
    for charge in sorted(charges().values(), key=_law_order):
        *above, article = charge.place.split("/")
        place = part
        for depth, number in enumerate(above):
            path = "/".join(above[: depth + 1])
            kind, title = ("section", titles["sections"]) if depth else ("chapter", titles["chapters"])
            place = _get_or_add(builder, place, kind, number, title[path])
        place = _get_or_add(builder, place, "article", article, "")
        builder.add(place, "charge", charge.name, charge.name, charge.definition)
    return builder.tree()


def _get_or_add(builder: TreeBuilder, parent: str, kind: str, number: str, title: str) -> str:
    node = f"{parent}/{number}"
    return node if node in builder else builder.add(parent, kind, number, title)


def _law_order(charge: Charge) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(part) for part in step.split("-")) for step in charge.place.split("/"))
