"""The catalogues of all segments of an index, read as one."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Document
from lexgear.errors import ErrorCode, InputError
from lexgear.index.catalogue import Catalogue, DocumentColumns, StoredRow
from lexgear.index.selection import Selection

MAX_MASKS = 64
"""Filters whose documents are kept, one byte per document each."""


class SegmentedCatalogue:
    """Catalogues in order of arrival; positions count the documents of all of them, removed or not."""

    def __init__(self, catalogues: Sequence[Catalogue]) -> None:
        self.parts = tuple(catalogues)
        self.offsets = np.cumsum([0, *(one.size for one in catalogues)])
        """Position of the first document of each part, and the number of all."""
        self._masks: OrderedDict[str, NDArray[np.bool_]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @property
    def path(self) -> Path:
        """The first file."""
        return self.parts[0].path

    def close(self) -> None:
        """Close the files."""
        for one in self.parts:
            one.close()

    def document(self, document_id: str) -> Document:
        """Return a document by its id."""
        for one in reversed(self.parts):
            if (found := one.find(document_id)) is not None:
                return found
        raise InputError(f"the index has no document {document_id!r}", code=ErrorCode.UNKNOWN_DOCUMENT, id=document_id)

    def positions(self, ids: Sequence[str]) -> list[dict[str, int]]:
        """Return for each part the positions of the documents that it has, by id."""
        return [one.positions(ids) for one in self.parts]

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all documents, in order of position."""
        return tuple(name for one in self.parts for name in one.ids())

    def documents(self) -> Iterator[Document]:
        """Yield all documents, in order of position."""
        for one in self.parts:
            yield from one.documents()

    def stored_rows(self) -> dict[str, StoredRow]:
        """Return all documents by id, as they are stored."""
        return {name: row for one in self.parts for name, row in one.stored_rows().items()}

    def counts(self, name: str) -> dict[str, int]:
        """Return the number of documents per value to filter by, most frequent first; dates are counted by year."""
        counts: Counter[str] = Counter()
        for one in self.parts:
            counts.update(one.counts(name))
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def nodes(self) -> dict[str, str]:
        """Return the law node of every statutory article, by document id."""
        return {name: node for one in self.parts for name, node in one.nodes().items()}

    def charges(self) -> dict[str, tuple[str, ...]]:
        """Return the charges of every document that has any, by document id."""
        return {name: charges for one in self.parts for name, charges in one.charges().items()}

    def columns(self, ids: Sequence[str]) -> list[DocumentColumns]:
        """Return the columns of several documents, in the order of the ids, without reading the documents."""
        known = {found.id: found for one in self.parts for found in one.columns(ids)}
        return [known[name] for name in ids if name in known]

    def select(self, filters: Sequence[str]) -> Selection:
        """Return the documents that pass every filter, such as `charge=盗窃罪|抢劫罪` or `date>=2015-01`."""
        masks = [self._mask(text) for text in filters]
        return Selection(np.logical_and.reduce(masks) if masks else self._live, lambda: self._all_ids)

    def _mask(self, text: str) -> NDArray[np.bool_]:
        """Return the documents that pass one filter; the last answers are kept."""
        if text in self._masks:
            self._masks.move_to_end(text)
            return self._masks[text]
        mask = np.zeros(int(self.offsets[-1]), np.bool_)
        for one, offset in zip(self.parts, self.offsets[:-1].tolist(), strict=True):
            mask[offset + one.passing([text], self.parts)] = True
        self._masks[text] = mask
        while len(self._masks) > MAX_MASKS:
            self._masks.popitem(last=False)
        return mask

    @cached_property
    def _live(self) -> NDArray[np.bool_]:
        mask = np.zeros(int(self.offsets[-1]), np.bool_)
        for one, offset in zip(self.parts, self.offsets[:-1].tolist(), strict=True):
            mask[offset + one.passing([])] = True
        return mask

    @cached_property
    def _all_ids(self) -> tuple[str, ...]:
        """The ids of all documents by position, removed or not."""
        return tuple(name for one in self.parts for name in one.all_ids())
