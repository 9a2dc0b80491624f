"""Immutable tree of the law: parts, chapters, sections, articles and charges in the order of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from lexgear.errors import ErrorCode, InputError

_FIELDS = ("id", "kind", "number", "title", "text")
_DATES = ("in_force_from", "in_force_until")


@dataclass(frozen=True, slots=True)
class LawNode:
    """A node of the law, such as article 263 of a code or the charge that it defines."""

    id: str
    """Path of numbers from the code to the node, such as `cn-criminal/2/5/263/抢劫罪`."""
    kind: str
    """`law`, `part`, `book`, `title`, `chapter`, `section`, `subsection`, `article`, `charge`, …"""
    number: str
    """Number in figures (`263`, `133-1`), or the name if there is none."""
    title: str = ""
    text: str = ""
    parent: str | None = None
    children: tuple[str, ...] = ()
    in_force_from: date | None = None
    """First day in force, if it is recorded."""
    in_force_until: date | None = None
    """Last day in force, if it is recorded."""

    def in_force(self, day: date) -> bool:
        """Return whether the node itself was in force on a day."""
        since, until = self.in_force_from or date.min, self.in_force_until or date.max
        return since <= day <= until


@dataclass(frozen=True, slots=True)
class LawTree:
    """One code or a forest of codes. Nodes are in law order, parents before children."""

    nodes: dict[str, LawNode] = field(default_factory=dict)

    def __getitem__(self, node_id: str) -> LawNode:
        try:
            return self.nodes[node_id]
        except KeyError:
            raise InputError(f"the law has no node {node_id!r}", code=ErrorCode.UNKNOWN_PLACE, place=node_id) from None

    def __contains__(self, node_id: object) -> bool:
        return node_id in self.nodes

    def __iter__(self) -> Iterator[LawNode]:
        return iter(self.nodes.values())

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def roots(self) -> tuple[LawNode, ...]:
        """Root nodes: the codes."""
        return tuple(node for node in self if node.parent is None)

    def children(self, node: LawNode) -> tuple[LawNode, ...]:
        """Return the children of a node in law order."""
        return tuple(self.nodes[child] for child in node.children)

    def path(self, node: LawNode) -> tuple[LawNode, ...]:
        """Return the nodes from the code to the node itself."""
        steps = [node]
        while steps[-1].parent is not None:
            steps.append(self.nodes[steps[-1].parent])
        return tuple(reversed(steps))

    def of_kind(self, kind: str) -> tuple[LawNode, ...]:
        """Return all nodes of a kind in law order."""
        return tuple(node for node in self if node.kind == kind)

    def subtree(self, node: LawNode) -> Iterator[LawNode]:
        """Yield the node and its descendants in law order."""
        stack = [node]
        while stack:
            current = stack.pop()
            yield current
            stack.extend(self.nodes[child] for child in reversed(current.children))

    def at(self, day: date) -> LawTree:
        """Return the law as of a day: without nodes that were not in force then, and without what is below them."""
        kept: dict[str, LawNode] = {}
        for node in self:  # parents first
            if node.in_force(day) and (node.parent is None or node.parent in kept):
                kept[node.id] = node
        return LawTree(
            {name: replace(node, children=tuple(c for c in node.children if c in kept)) for name, node in kept.items()}
        )

    def to_rows(self) -> list[dict[str, str]]:
        """Return the rows of `law.json`, without empty fields; the order implies the children."""
        fields = (*_FIELDS, "parent", *_DATES)
        return [{name: str(value) for name in fields if (value := getattr(node, name))} for node in self]

    @classmethod
    def from_rows(cls, rows: Iterable[dict[str, Any]]) -> LawTree:
        """Return the tree of rows written by `to_rows`."""
        builder = TreeBuilder()
        for row in rows:
            node_id, kind, number, title, text, parent = (_text(row, name) for name in (*_FIELDS, "parent"))
            since, until = (_day(row, name) for name in _DATES)
            node = LawNode(node_id, kind, number, title, text, parent or None)
            builder.insert(replace(node, in_force_from=since, in_force_until=until))
        return builder.tree()

    @classmethod
    def forest(cls, *trees: LawTree) -> LawTree:
        """Return a forest of several codes."""
        return cls.from_rows(row for tree in trees for row in tree.to_rows())


def _text(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str | int | None):
        problem = f"the {name} of the law node {row.get('id')!r} is not a string"
        raise InputError(problem, code=ErrorCode.FILE_MALFORMED)
    return "" if value is None else str(value)


def _day(row: dict[str, Any], name: str) -> date | None:
    written = _text(row, name)
    try:
        return date.fromisoformat(written) if written else None
    except ValueError:
        problem = f"the {name} of the law node {row.get('id')!r} is {written!r}, not a date YYYY-MM-DD"
        raise InputError(problem, code=ErrorCode.FILE_MALFORMED) from None


class TreeBuilder:
    """Builder of a law tree: add nodes one by one, then call `tree()`.

    >>> builder = TreeBuilder()
    >>> code = builder.add(None, "law", "cn-criminal")
    >>> builder.add(code, "article", "263")
    'cn-criminal/263'
    """

    def __init__(self) -> None:
        self._nodes: dict[str, LawNode] = {}
        self._children: dict[str, list[str]] = {}

    def __contains__(self, node_id: object) -> bool:
        return node_id in self._nodes

    def add(self, parent: str | None, kind: str, number: str, title: str = "", text: str = "") -> str:
        """Add a node below `parent` and return its id, prefixed with the kind if the number is taken there."""
        step = number.replace("/", "∕")
        prefix = "" if parent is None else f"{parent}/"
        candidates = [step, f"{kind}-{step}"]
        node_id = next((prefix + name for name in candidates if prefix + name not in self._nodes), "")
        repeat = 2
        while not node_id:
            name = f"{prefix}{kind}-{step}~{repeat}"
            node_id, repeat = ("" if name in self._nodes else name), repeat + 1
        self.insert(LawNode(node_id, kind, number, title, text, parent))
        return node_id

    def insert(self, node: LawNode) -> None:
        """Add a node that already has an id."""
        if node.id in self._nodes:
            raise InputError(f"the law node {node.id!r} appears twice", code=ErrorCode.DUPLICATE_ID, id=node.id)
        if node.parent is not None:
            if node.parent not in self._nodes:
                problem = f"the law node {node.id!r} comes before its parent {node.parent!r}"
                raise InputError(problem, code=ErrorCode.FILE_MALFORMED)
            self._children.setdefault(node.parent, []).append(node.id)
        self._nodes[node.id] = replace(node, children=())

    def extend_text(self, node_id: str, text: str) -> None:
        """Append a paragraph to the text of a node."""
        node = self._nodes[node_id]
        self._nodes[node_id] = replace(node, text=f"{node.text}\n{text}" if node.text else text)

    def tree(self) -> LawTree:
        """Return the tree built so far, its nodes in law order."""
        ordered: dict[str, LawNode] = {}
        stack = [node_id for node_id, node in reversed(self._nodes.items()) if node.parent is None]
        while stack:
            node_id = stack.pop()
            below = tuple(self._children.get(node_id, ()))
            ordered[node_id] = replace(self._nodes[node_id], children=below)
            stack.extend(reversed(below))
        return LawTree(ordered)
