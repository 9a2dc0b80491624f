"""The IDs of a collection's documents: the trie, and what its symbols stand for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lexgear.docids.trie import IntArray, Trie
from lexgear.errors import InputError
from lexgear.lexical.array_files import pack_strings, unpack_strings


@dataclass(frozen=True, eq=False)
class DocIds:
    """A trie whose leaves are the documents; a document has one leaf for each of its IDs.

    A symbol below `law_symbols` stands for a place in the law, the others for the documents in their order: the same
    document under two charges keeps the same symbol. Where documents are numbered inside a cluster, the symbols of
    leaves are digits too: `trie.document` says in every scheme where a document stands.
    """

    trie: Trie
    names: tuple[str, ...]
    """What each symbol stands for: law node ids in law order, then document ids."""
    law_symbols: int
    kinds: tuple[str, ...]
    """Kind of each law symbol: `part`, `chapter`, …, `charge`, or `here`, `dummy`, `uncharged`, `cluster`."""
    uncharged: int = 0
    """How many documents hang under the node `uncharged`."""
    unknown_charges: tuple[str, ...] = ()
    """Charges of documents that the law does not know, in alphabetical order."""

    @property
    def document_count(self) -> int:
        """How many documents have IDs."""
        return len(self.names) - self.law_symbols

    def document_paths(self, position: int) -> list[tuple[int, ...]]:
        """The IDs of a document, as symbols from below the root."""
        return [self.trie.path(leaf) for leaf in self.trie.leaves_of(position).tolist()]

    def node_name(self, node: int) -> str:
        """The law node or the document at a node of the trie; nothing at the root."""
        position = int(self.trie.document[node])
        if position >= 0:
            return self.names[self.law_symbols + position]
        return self.names[self.trie.symbol[node]] if node else ""

    def node_kind(self, node: int) -> str:
        """The kind of law node at a node of the trie, or `root` or `document`."""
        if node == 0:
            return "root"
        return "document" if self.trie.document[node] >= 0 else self.kinds[self.trie.symbol[node]]

    def nodes_of(self, kind: str) -> IntArray:
        """The nodes of the trie of one kind of law node, whether any document hangs there or not."""
        inner = self.trie.internal_nodes[1:]
        wanted = np.array([name == kind for name in self.kinds], dtype=bool)
        found: IntArray = inner[wanted[self.trie.symbol[inner]]]
        return found

    def printed(self, node: int) -> str:
        """The ID as the paper prints it: `0-2-5-267-725`, 0 being the root."""
        symbols = self.trie.path(node)
        numbers = (
            self.names[symbol].rsplit("/", 1)[-1] if symbol < self.law_symbols else self.names[symbol]
            for symbol in symbols
        )
        return "-".join(("0", *numbers))

    def save(self, path: Path) -> None:
        """Writes plain arrays (`.npz`, no pickle)."""
        texts = {"names": self.names, "kinds": self.kinds, "unknown_charges": self.unknown_charges}
        counts = {"law_symbols": self.law_symbols, "uncharged": self.uncharged}
        self.trie.save(
            path,
            **{name: pack_strings(text) for name, text in texts.items()},
            **{name: np.array(count) for name, count in counts.items()},
        )

    @classmethod
    def load(cls, path: Path) -> DocIds:
        """What `save` wrote."""
        trie, arrays = Trie.load_with(path)
        try:
            names, kinds, unknown = (
                tuple(unpack_strings(arrays[name])) for name in ("names", "kinds", "unknown_charges")
            )
            return cls(trie, names, int(arrays["law_symbols"]), kinds, int(arrays["uncharged"]), unknown)
        except (KeyError, ValueError) as error:
            raise InputError("not a file of document IDs", file=path, remedy="run lexgear check") from error
