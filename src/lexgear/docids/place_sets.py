"""Sets of places of the law under which documents stand, and IDs of such sets.

Documents with the same charges share all that depends on the law, so a tree with one leaf per set and place serves any
number of documents. The symbols of all possible places are stored with an index; the tree is derived from the sets that
its documents have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Document
from lexgear.docids.ids import DocIds
from lexgear.docids.law import UNCHARGED, charge_nodes, places_of, possible_steps
from lexgear.docids.trie import Trie
from lexgear.law.tree import LawTree
from lexgear.lexical.array_checks import INTEGERS, check_array, damaged_array
from lexgear.lexical.array_files import pack_strings, read_arrays, save_arrays, unpack_strings

PlaceSet = tuple[str, ...]
"""Ids of law nodes, in alphabetical order; the empty id stands for documents without a charge."""


@dataclass(frozen=True, eq=False)
class LawSymbols:
    """The symbols of all places of a law where a document can stand, in the order of the law."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    parents: NDArray[np.int32]
    """Symbol above each symbol; −1 below the root."""

    @classmethod
    def of(cls, law: LawTree) -> LawSymbols:
        """Return the symbols of a law, as `law_ids` numbers them if symbols are reserved."""
        symbols = {steps: number for number, steps in enumerate(sorted(possible_steps(law)))}
        parents = np.array([symbols.get(steps[:-1], -1) for steps in symbols], dtype=np.int32)
        return cls(tuple(steps[-1].name for steps in symbols), tuple(steps[-1].kind for steps in symbols), parents)

    def ids(self, sets: Sequence[PlaceSet]) -> DocIds:
        """Return the IDs of sets, each with one leaf per place, below all charges of the law and all places in use."""
        numbers = {name: number for number, name in enumerate(self.names) if self.kinds[number] != "here"}
        numbers[UNCHARGED] = numbers["uncharged"]
        numbers |= {place: -1 for places in sets for place in places if place not in numbers}  # a code is the root
        used = list(dict.fromkeys(place for places in sets for place in places))
        charges = [number for number, kind in enumerate(self.kinds) if kind == "charge"]
        paths = {numbers[place]: self._path(numbers[place]) for place in used}
        paths |= {number: self._path(number) for number in charges}
        inner = {symbol for path in paths.values() for symbol in (-1, *path)[: len(path)]}
        for place in used:
            if (number := numbers[place]) in inner:  # documents beside sub-nodes hang under a node of their own
                paths[number] = (*paths[number], self._here[number])
        leaves = [(*paths[numbers[place]], len(self.names) + at) for at, places in enumerate(sets) for place in places]
        owners = [at for at, places in enumerate(sets) for _ in places]
        rows = [*leaves, *paths.values()]
        table = np.full((len(rows), max(map(len, rows), default=0)), -1, np.int32)
        for row, path in zip(table, rows, strict=True):
            row[: len(path)] = path
        trie = Trie.build(table, np.array(owners + [-1] * len(paths), dtype=np.int32))
        names = (*self.names, *(f"set {number}" for number in range(len(sets))))
        return DocIds(trie, names, len(self.names), self.kinds)

    def _path(self, number: int) -> tuple[int, ...]:
        steps: list[int] = []
        while number >= 0:
            steps.append(number)
            number = int(self.parents[number])
        return tuple(reversed(steps))

    @cached_property
    def _here(self) -> dict[int, int]:
        return {int(self.parents[at]): at for at, kind in enumerate(self.kinds) if kind == "here"}

    def save(self, path: Path) -> None:
        """Write plain arrays."""
        save_arrays(path, names=pack_strings(self.names), kinds=pack_strings(self.kinds), parents=self.parents)

    @classmethod
    def load(cls, path: Path) -> LawSymbols:
        """Read what `save` wrote."""
        arrays = read_arrays(path, ("names", "kinds", "parents"))
        names, kinds = (tuple(unpack_strings(arrays[name])) for name in ("names", "kinds"))
        parents = arrays["parents"]
        check_array(path, "parents", parents, INTEGERS, (len(names),), -1)
        # Every symbol comes after the one above it: a circle of symbols would have no end.
        if len(kinds) != len(names) or np.any(parents >= np.arange(len(names))):
            raise damaged_array(path, "a symbol of the law is not below the one above it")
        return cls(names, kinds, parents)


@dataclass(frozen=True, eq=False)
class PlaceSets:
    """The set of places of each document, by position."""

    sets: tuple[PlaceSet, ...]
    of_document: NDArray[np.int32]
    """Number of the set of each document."""
    _order: list[NDArray[Any]] = field(default_factory=list)

    @classmethod
    def of(cls, documents: Sequence[Document], law: LawTree) -> PlaceSets:
        """Return the places of documents; sets are numbered as they appear."""
        charges, numbers = charge_nodes(law), dict[PlaceSet, int]()
        found = [
            numbers.setdefault(tuple(sorted(places_of(document, law, charges))), len(numbers)) for document in documents
        ]
        return cls(tuple(numbers), np.array(found, dtype=np.int32))

    @classmethod
    def merged(cls, parts: Sequence[PlaceSets], live: Sequence[NDArray[np.bool_]] | None = None) -> PlaceSets:
        """Return the places of the documents of several parts, numbered as `of` does; only of live ones if given."""
        numbers: dict[PlaceSet, int] = {}
        found = []
        for at, part in enumerate(parts):
            own = part.of_document if live is None else part.of_document[live[at]]
            used, first = np.unique(own, return_index=True)
            new = np.zeros(len(part.sets), np.int32)
            for number in used[np.argsort(first)].tolist():
                new[number] = numbers.setdefault(part.sets[number], len(numbers))
            found.append(new[own])
        return cls(tuple(numbers), np.concatenate(found))

    def rows(self, places: Sequence[int] | NDArray[Any]) -> PlaceSets:
        """Return the places of the documents at these positions, in this order."""
        return self.merged([PlaceSets(self.sets, self.of_document[np.asarray(places, np.int64)])])

    def best(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the highest score of the documents of each set; minus infinity for a set without documents."""
        order, starts = self.by_set
        best = np.full(len(self.sets), -np.inf)
        filled = starts[:-1] < starts[1:]
        if filled.any():
            best[filled] = np.maximum.reduceat(scores[order], starts[:-1][filled])
        return best

    @property
    def by_set(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Positions of the documents ordered by set, and where those of each set start."""
        if not self._order:
            order = np.argsort(self.of_document, kind="stable")
            sizes = np.bincount(self.of_document, minlength=len(self.sets))
            self._order.extend((order, np.append(0, np.cumsum(sizes))))
        return self._order[0], self._order[1]

    def documents(self, number: int) -> NDArray[Any]:
        """Return the positions of the documents of a set."""
        order, starts = self.by_set
        return order[starts[number] : starts[number + 1]]

    def save(self, path: Path) -> None:
        """Write plain arrays; the places of a set are separated by tabs."""
        save_arrays(path, sets=pack_strings(["\t".join(one) for one in self.sets]), of_document=self.of_document)

    @classmethod
    def load(cls, path: Path) -> PlaceSets:
        """Read what `save` wrote."""
        arrays = read_arrays(path, ("sets", "of_document"))
        sets = unpack_strings(arrays["sets"]) or [""] * bool(arrays["of_document"].size)
        numbers = arrays["of_document"]
        check_array(path, "of_document", numbers, INTEGERS, (-1,), 0, len(sets) - 1)
        return cls(tuple(tuple(one.split("\t")) for one in sets), numbers)
