"""Versions of a law: one tree with the dates of every place, and every wording of an article with its dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from lexgear.law.tree import LawNode, LawTree, TreeBuilder


@dataclass(frozen=True, slots=True)
class Version:
    """The text of a law from a day on."""

    law: LawTree
    since: date | None = None
    """First day; None if it is not known, as for a law with one version."""
    until: date | None = None
    """Last day, if it is recorded; otherwise the next version ends this one."""


@dataclass(frozen=True, slots=True)
class Wording:
    """An article in one wording, with the days on which it was in force."""

    node: str
    text: str
    since: date | None
    until: date | None


def merge_versions(versions: Sequence[Version]) -> tuple[LawTree, tuple[Wording, ...]]:
    """Return the tree of all versions of one law, without texts, and the wordings of its articles.

    A place is in force from the first version that has it to the last; an article that one version lacks in between is
    in force meanwhile by its place, but has no wording. Consecutive versions with the same text are one wording. Titles
    are those of the latest version.
    """
    ordered = sorted(versions, key=lambda version: version.since or date.min)
    periods = [(version.since, _end(ordered, place)) for place, version in enumerate(ordered)]
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    latest: dict[str, LawNode] = {}
    for place, version in enumerate(ordered):
        for node in version.law:
            first.setdefault(node.id, place)
            last[node.id], latest[node.id] = place, node
    builder = TreeBuilder()
    for name in _parents_first(ordered):
        since, until = periods[first[name]][0], periods[last[name]][1]
        builder.insert(replace(latest[name], text="", in_force_from=since, in_force_until=until))
    tree = builder.tree()
    return tree, tuple(one for node in tree.of_kind("article") for one in _wordings(node.id, ordered, periods))


def _end(ordered: Sequence[Version], place: int) -> date | None:
    """Return the last day of a version: its own, or the day before the next one."""
    following = ordered[place + 1].since if place + 1 < len(ordered) else None
    ends = [day for day in (ordered[place].until, following and following - timedelta(days=1)) if day]
    return min(ends, default=None)


def _parents_first(ordered: Sequence[Version]) -> list[str]:
    """Return the ids of all nodes, those of the latest version first, parents before children."""
    return list(dict.fromkeys(node.id for version in reversed(ordered) for node in version.law))


def _wordings(
    node: str, ordered: Sequence[Version], periods: Sequence[tuple[date | None, date | None]]
) -> list[Wording]:
    found: list[Wording] = []
    for version, (since, until) in zip(ordered, periods, strict=True):
        if node not in version.law or not (text := version.law[node].text):
            continue
        before = found[-1] if found else None
        adjoins = before is not None and before.until is not None and since == before.until + timedelta(days=1)
        if before is not None and adjoins and before.text == text:
            found[-1] = replace(before, until=until)
        else:
            found.append(Wording(node, text, since, until))
    return found
