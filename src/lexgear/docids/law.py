"""Law IDs: documents hang under their charges, or under the headings of their article."""

from __future__ import annotations

from collections.abc import Collection as AnyCollection
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lexgear.corpus.records import Collection, Document
from lexgear.docids.ids import DocIds
from lexgear.docids.trie import IntArray, Trie
from lexgear.errors import ErrorCode, InputError
from lexgear.law.tree import LawTree

SHAPES = ("natural", "fixed", "flat")
UNCHARGED = ""
"""Place of documents without a charge; no law node has this id."""


class Step(NamedTuple):
    """One law symbol of an ID; steps sort in law order."""

    rank: int
    """Position in the law; −1 for `here` and `dummy`, which precede their siblings."""
    kind: str
    name: str


Prefix = tuple[Step, ...]


def law_ids(
    collection: Collection, *, shape: str = "natural", whole_law: bool = False, reserve_symbols: bool = False
) -> DocIds:
    """Build the IDs of a collection's documents from its law.

    The shape is `natural` (levels that a law lacks are left out), `fixed` (the paper's: all IDs have the same length,
    with dummy nodes for missing sections) or `flat` (root, charge, document). With `whole_law` the tree contains every
    charge, even without documents. With `reserve_symbols` (natural shape only) every place where a document could hang
    has a symbol, even outside the tree, so that added documents never change the symbols.

    >>> from lexgear.corpus.sample.cases import sample_cases
    >>> ids = law_ids(sample_cases())
    >>> ids.format_id(ids.trie.leaves_of(0)[0])
    '0-2-8-389-行贿罪-c0001'
    """
    if shape not in SHAPES:
        raise InputError(
            f"unknown shape of IDs {shape!r}",
            code=ErrorCode.INVALID_SETTING,
            remedy=f"choose one of {', '.join(SHAPES)}",
            name="shape",
            value=shape,
        )
    law, charges = collection.law, charge_nodes(collection.law)
    numbers: dict[str, int] = {}  # place → its row in the table of prefixes
    places: list[int] = []
    owners: list[int] = []
    for position, document in enumerate(collection.documents):
        for place in places_of(document, law, charges):
            places.append(numbers.setdefault(place, len(numbers)))
            owners.append(position)
    bare = [node for nodes in charges.values() for node in nodes if node not in numbers] if whole_law else []
    prefixes = _shaped(_prefixes(law, (*numbers, *bare)), shape)
    prefixes = _with_here(prefixes, holders=len(numbers))
    steps = _all_steps(prefixes) | (possible_steps(law) if reserve_symbols else set())
    symbols = {step: symbol for symbol, step in enumerate(sorted(steps))}
    return DocIds(
        trie=_trie(prefixes, symbols, places, owners),
        names=(*(prefix[-1].name for prefix in symbols), *(document.id for document in collection.documents)),
        law_symbols=len(symbols),
        kinds=tuple(prefix[-1].kind for prefix in symbols),
        uncharged=places.count(numbers[UNCHARGED]) if UNCHARGED in numbers else 0,
        unknown_charges=tuple(sorted({name for one in collection.documents for name in one.charges} - charges.keys())),
    )


def charge_nodes(law: LawTree) -> dict[str, list[str]]:
    """Return the law nodes of each charge; two codes may contain a charge of the same name."""
    nodes: dict[str, list[str]] = {}
    for node in law.of_kind("charge"):
        nodes.setdefault(node.number, []).append(node.id)
    return nodes


def places_of(document: Document, law: LawTree, charges: Mapping[str, list[str]]) -> AnyCollection[str]:
    """Return the law nodes above a document, each once."""
    places = dict.fromkeys(node for name in document.charges for node in charges.get(name, ()))
    if document.node:
        places[law[document.node].parent or document.node] = None
    return places or (UNCHARGED,)


def _prefixes(law: LawTree, places: Iterable[str]) -> list[Prefix]:
    """Return the path to each place; a single code is the root itself and left out."""
    rank = {node.id: number for number, node in enumerate(law)}
    start = 1 if len(law.roots) == 1 else 0
    uncharged = (Step(len(law), "uncharged", "uncharged"),)
    return [
        tuple(Step(rank[node.id], node.kind, node.id) for node in law.path(law[place])[start:]) if place else uncharged
        for place in places
    ]


def possible_steps(law: LawTree) -> set[Prefix]:
    """Return the steps to all places that `places_of` can return."""
    parents = {node.parent for node in law}
    places = [node.id for node in law if node.id in parents or node.kind == "charge" or not node.parent]
    prefixes = _prefixes(law, (*places, UNCHARGED))
    return _all_steps([*prefixes, *_with_here(prefixes, holders=len(prefixes))])


def _shaped(prefixes: list[Prefix], shape: str) -> list[Prefix]:
    if shape == "flat":
        return [prefix[-1:] for prefix in prefixes]
    if shape == "fixed":
        levels = _levels(prefixes)
        return [_filled(prefix, levels) for prefix in prefixes]
    return prefixes


def _levels(prefixes: Iterable[Prefix]) -> list[str]:
    """Return one order of kinds that fits every prefix, such as part, chapter, section, article, charge."""
    levels: list[str] = []
    for kinds in dict.fromkeys(tuple(step.kind for step in prefix) for prefix in prefixes):
        if kinds == ("uncharged",):
            continue
        level = 0
        for kind in kinds:
            if kind not in levels[level:]:
                levels.insert(level, kind)
            level = levels.index(kind, level) + 1
    return levels or ["uncharged"]


def _filled(prefix: Prefix, levels: list[str]) -> Prefix:
    """Fill every missing level with a dummy; `uncharged` takes the first level."""
    steps = list(prefix)
    filled: list[Step] = []
    for kind in levels:
        if steps and steps[0].kind in {kind, "uncharged"}:
            filled.append(steps.pop(0))
        else:
            filled.append(_unnamed("dummy", filled))
    return tuple(filled)


def _with_here(prefixes: list[Prefix], holders: int) -> list[Prefix]:
    """Add a child `here` to nodes that hold documents beside sub-nodes; the first `holders` prefixes hold documents."""
    inner = {prefix[:length] for prefix in prefixes for length in range(len(prefix))}
    return [
        (*prefix, _unnamed("here", prefix)) if number < holders and prefix in inner else prefix
        for number, prefix in enumerate(prefixes)
    ]


def _unnamed(kind: str, above: Sequence[Step]) -> Step:
    return Step(-1, kind, f"{above[-1].name}/{kind}" if above else kind)


def _all_steps(prefixes: Iterable[Prefix]) -> set[Prefix]:
    return {prefix[:length] for prefix in prefixes for length in range(1, len(prefix) + 1)}


def _trie(prefixes: list[Prefix], symbols: Mapping[Prefix, int], places: list[int], owners: list[int]) -> Trie:
    """Build the trie from one row of symbols per place, from which all IDs are derived at once."""
    lengths = np.array([len(prefix) for prefix in prefixes], dtype=np.int32)
    table = np.full((len(prefixes), int(lengths.max(initial=0)) + 1), -1, dtype=np.int32)
    for row, prefix in zip(table, prefixes, strict=True):
        row[: len(prefix)] = [symbols[prefix[:length]] for length in range(1, len(prefix) + 1)]
    place, owner = np.array(places, dtype=np.int32), np.array(owners, dtype=np.int32)
    paths: IntArray = table[place]
    paths[np.arange(len(paths)), lengths[place]] = len(symbols) + owner
    return Trie.build(np.concatenate([paths, table]), np.append(owner, np.full(len(table), -1, dtype=np.int32)))
