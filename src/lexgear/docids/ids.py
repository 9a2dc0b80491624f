"""IDs of a collection's documents: the trie and the meaning of its symbols."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from lexgear.docids.trie import IntArray, Trie
from lexgear.errors import ErrorCode, InputError
from lexgear.lexical.array_files import pack_strings, unpack_strings


@dataclass(frozen=True, eq=False)
class DocIds:
    """Trie with the documents as leaves; a document has one leaf per ID.

    Symbols below `law_symbols` stand for law nodes, the others for documents in order, so that a document under two
    charges keeps its symbol. In cluster schemes the leaf symbols are digits too; `trie.document` gives the document of
    a leaf in every scheme.
    """

    trie: Trie
    names: tuple[str, ...]
    """Meaning of each symbol: law node ids in law order, then document ids."""
    law_symbols: int
    kinds: tuple[str, ...]
    """Kind of each law symbol: `part`, `chapter`, …, `charge`, or `here`, `dummy`, `uncharged`, `cluster`."""
    uncharged: int = 0
    """Number of documents under the node `uncharged`."""
    unknown_charges: tuple[str, ...] = ()
    """Charges of documents that the law does not contain, sorted."""
    _nodes: dict[str, IntArray] = field(default_factory=dict, init=False, repr=False)
    """Nodes by kind, as far as they were asked for."""

    @property
    def document_count(self) -> int:
        """Number of documents."""
        return len(self.names) - self.law_symbols

    def document_paths(self, position: int) -> list[tuple[int, ...]]:
        """Return the IDs of a document, as symbols from below the root."""
        return [self.trie.path(leaf) for leaf in self.trie.leaves_of(position).tolist()]

    def node_name(self, node: int) -> str:
        """Return the id of the law node or document at a trie node; empty for the root."""
        position = int(self.trie.document[node])
        if position >= 0:
            return self.names[self.law_symbols + position]
        return self.names[self.trie.symbol[node]] if node else ""

    def node_kind(self, node: int) -> str:
        """Return the kind of a trie node: that of its law node, `root` or `document`."""
        if node == 0:
            return "root"
        return "document" if self.trie.document[node] >= 0 else self.kinds[self.trie.symbol[node]]

    def nodes_of(self, kind: str) -> IntArray:
        """Return the trie nodes of one kind of law node, with or without documents."""
        if kind not in self._nodes:
            inner = self.trie.internal_nodes[1:]
            wanted = np.array([name == kind for name in self.kinds], dtype=bool)
            self._nodes[kind] = inner[wanted[self.trie.symbol[inner]]]
        return self._nodes[kind]

    @cached_property
    def charge_names(self) -> tuple[str, ...]:
        """The ids of the charges, in the order of `nodes_of("charge")`."""
        return tuple(map(self.node_name, self.nodes_of("charge").tolist()))

    def format_id(self, node: int) -> str:
        """Format the ID of a node as in the paper: `0-2-5-267-725`, where 0 is the root."""
        symbols = self.trie.path(node)
        numbers = (
            self.names[symbol].rsplit("/", 1)[-1] if symbol < self.law_symbols else self.names[symbol]
            for symbol in symbols
        )
        return "-".join(("0", *numbers))

    def save(self, path: Path) -> None:
        """Write plain arrays (`.npz` without pickle)."""
        texts = {"names": self.names, "kinds": self.kinds, "unknown_charges": self.unknown_charges}
        counts = {"law_symbols": self.law_symbols, "uncharged": self.uncharged}
        self.trie.save(
            path,
            **{name: pack_strings(text) for name, text in texts.items()},
            **{name: np.array(count) for name, count in counts.items()},
        )

    @classmethod
    def load(cls, path: Path) -> DocIds:
        """Read what `save` wrote."""
        trie, arrays = Trie.load_with(path)
        try:
            names, kinds, unknown = (
                tuple(unpack_strings(arrays[name])) for name in ("names", "kinds", "unknown_charges")
            )
            return cls(trie, names, int(arrays["law_symbols"]), kinds, int(arrays["uncharged"]), unknown)
        except (KeyError, ValueError) as error:
            raise InputError(
                "not a file of document IDs",
                code=ErrorCode.INDEX_DAMAGED,
                file=path,
                remedy="verify the index, and train it again if it is damaged",
            ) from error
