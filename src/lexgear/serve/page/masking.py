"""Names of private persons on the page: masked the same way wherever a case is shown, until the switch is used."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import ClassVar
from weakref import WeakKeyDictionary

from lexgear.corpus.records import Document
from lexgear.privacy.masking import NO_MASKING, Masked, Masker, document_masker
from lexgear.serve.served_index import ServedIndex

KEPT = 500
"""Maskers; to find the names of a long judgment takes some milliseconds."""


class CaseMasker:
    """Masks what belongs to one case."""

    def __init__(self, masker: Masker) -> None:
        self._masker = masker

    def text(self, text: str) -> str:
        """A text of the case."""
        return self._masker.mask(text).text

    def masked(self, text: str) -> Masked:
        """A text of the case, in which places can still be found."""
        return self._masker.mask(text)

    def telling(self, words: Iterable[str]) -> list[str]:
        """Words without those that are a masked name, or part of one."""
        names = tuple(self._masker.masks)
        return [word for word in words if not any(word in name or name in word for name in names)]


class Maskers:
    """Maskers of the cases of one index."""

    _known: ClassVar[WeakKeyDictionary[ServedIndex, Maskers]] = WeakKeyDictionary()

    def __init__(self, language: str) -> None:
        self.language = language
        self._case = lru_cache(KEPT)(self._made)

    @classmethod
    def of(cls, served_index: ServedIndex, *, masked: bool) -> Maskers:
        """Those of an index; or such that mask nothing."""
        if not masked:
            return _Bare(served_index.language)
        if served_index not in cls._known:
            cls._known[served_index] = cls(served_index.language)
        return cls._known[served_index]

    def case(self, document: Document) -> CaseMasker:
        """For one case."""
        return self._case(_Named(document))

    def _made(self, named: _Named) -> CaseMasker:
        return CaseMasker(document_masker(named.document, self.language))


class _Bare(Maskers):
    def case(self, document: Document) -> CaseMasker:
        """Masks nothing."""
        return CaseMasker(NO_MASKING)


class _Named:
    """A document that is equal to another of the same id."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Named) and self.document.id == other.document.id

    def __hash__(self) -> int:
        return hash(self.document.id)
