"""The index as the service uses it: searches, judgments, rationales, documents and places of the law."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeAlias

from lexgear.api import Hit, Index
from lexgear.corpus.records import Document, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.files import has_surrogate
from lexgear.index.catalogue import DocumentColumns
from lexgear.index.facets import REACH
from lexgear.index.removed import read_removed
from lexgear.index.sorting import Sort, sorted_ids
from lexgear.judgment.records import Judgment
from lexgear.law.tree import LawNode
from lexgear.privacy.masking import Masker, document_masker
from lexgear.rankers.base import ScoredId
from lexgear.rankers.explanation import Explanation
from lexgear.rankers.scope import Scope
from lexgear.rationale.definitions import charge_lexicon
from lexgear.rationale.extract import Extractor
from lexgear.rationale.records import Rationale
from lexgear.report.keypoints import KeyPoints
from lexgear.serve.encoder_cache import EncoderCache
from lexgear.serve.index_version import IndexVersion
from lexgear.serve.placement import DocumentPlacement

Explained: TypeAlias = tuple[ScoredId, Explanation | None]
"""Id and score of a document, and the explanation of the score."""
_STEP = 10_000
"""Documents per query of the catalogue: SQLite limits the number of parameters."""
RARITIES = 2**16
"""Cached rarities of words."""
MASKERS = 500
"""Cached maskers; finding the names in a long judgment takes some milliseconds."""


OpenIndex = Callable[[Path], Index]
"""Function that opens the index of a directory: here, or on a cluster."""


class ServedIndex:
    """Index opened for the service. Its answers are those of `Index`; encoded texts and maskers are cached."""

    def __init__(self, directory: Path, *, several: bool = True, open_index: OpenIndex = Index.load) -> None:
        loaded = open_index(directory)
        self.version = IndexVersion.of(loaded)
        self.removed = read_removed(directory)
        self.encoder_cache = EncoderCache(loaded.ranker, several=several)
        self.index = Index(loaded.stored, self.encoder_cache.ranker)
        self.placement = DocumentPlacement.of(self.index)
        self._maskers = lru_cache(MASKERS)(self._make_masker)

    @property
    def judges(self) -> bool:
        """True if the index can predict judgments."""
        return self.index.ranker.can_judge()

    @property
    def language(self) -> str:
        """`zh` or `fr`."""
        return self.index.stored.manifest.language

    def search(
        self, text: str, k: int, filters: Sequence[str] = (), node: str = "", sort: Sort = Sort.RELEVANCE
    ) -> list[Hit]:
        """Return the k best documents, with a node only those at or below it.

        Other orders than relevance reorder the best `REACH` documents; the ranks stay those of relevance.
        """
        reach = k if sort == Sort.RELEVANCE else max(k, REACH)
        return self.to_hits(text, self.rank(text, reach, self.scope(filters, node)), k, sort)

    def rank(self, text: str, reach: int, scope: Scope) -> list[Explained]:
        """Return the best documents with explanations, without reading them."""
        return self.index.ranker.search_explained(Query("", text), reach, scope)

    def to_hits(self, text: str, found: Sequence[Explained], k: int, sort: Sort = Sort.RELEVANCE) -> list[Hit]:
        """Read the first k documents of a ranking, which may be put into another order first."""
        ranked = list(enumerate(found, start=1))
        if sort != Sort.RELEVANCE:
            ids = sorted_ids(self.index.stored.catalogue, [one.document for one, _ in found], sort)
            places = {name: place for place, name in enumerate(ids)}
            ranked.sort(key=lambda one: places[one[1][0].document])
        factors = self.index.query_factors(text)
        return [self.index.to_hit(rank, one, why, factors) for rank, (one, why) in ranked[:k]]

    def scope(self, filters: Sequence[str] = (), node: str = "") -> Scope:
        """Return the documents that pass the filters, with a node only those at or below it."""
        if node:
            return Scope(only=self._below(node, filters))
        return Scope(only=self.index.stored.catalogue.select(filters)) if filters else Scope()

    def count(self, filters: Sequence[str] = (), node: str = "") -> int:
        """Return the number of documents that pass the filters, with a node only those at or below it."""
        if node:
            return len(self._below(node, filters))
        catalogue = self.index.stored.catalogue
        return len(catalogue.select(filters)) if filters else len(catalogue)

    def _below(self, node: str, filters: Sequence[str]) -> set[str]:
        only = set(self.placement.below.get(self.node(node).id, ()))
        return only & self.index.stored.catalogue.select(filters) if filters else only

    def judge(self, text: str, date: str | None = None) -> Judgment:
        """Return the judgment on a text, by the law of the date of the act."""
        if not self.judges:
            name = self.index.ranker.name
            raise InputError(f"the ranker {name} of this index cannot judge", code=ErrorCode.CANNOT_JUDGE, ranker=name)
        return self.index.judge(text, date)

    def rationale(self, text: str) -> Rationale:
        """Return the rationale of the facts of an undecided case."""
        if (rationale := self.index.ranker.rationale(text)) is not None:
            return rationale
        neutral = self.index.ranker.names.text(text)
        return self._extractor.query(neutral.text).in_original(neutral, text)

    def rationale_of(self, document: Document) -> Rationale:
        """Return the rationale of a decided case for its own charges; offsets refer to `document.text`."""
        neutral = self.index.ranker.names.document_text(document)
        return self._extractor.document(neutral.text, document.charges).in_original(neutral, document.text)

    def document(self, document_id: str) -> Document:
        """Return a document. Raises InputError if the index does not have it, or no longer."""
        if has_surrogate(document_id):  # SQLite cannot be asked for it
            raise InputError("the index has no such document", code=ErrorCode.UNKNOWN_DOCUMENT, id=document_id)
        try:
            return self.index.stored.catalogue.document(document_id)
        except InputError as error:
            if error.code != ErrorCode.UNKNOWN_DOCUMENT or document_id not in self.removed:
                raise
            problem = f"document {document_id!r} was removed from the index"
            raise InputError(problem, code=ErrorCode.REMOVED_DOCUMENT, id=document_id) from error

    def node(self, node_id: str) -> LawNode:
        """Return a place of the law. Raises InputError if the law does not have it."""
        if node_id not in self.index.law:
            raise InputError(f"the law has no place {node_id!r}", code=ErrorCode.UNKNOWN_PLACE, id=node_id)
        return self.index.law[node_id]

    @cached_property
    def columns(self) -> list[DocumentColumns]:
        """Columns of all documents, to count by; read once."""
        catalogue = self.index.stored.catalogue
        return [
            one
            for start in range(0, len(catalogue), _STEP)
            for one in catalogue.columns(catalogue.ids()[start : start + _STEP])
        ]

    def neighbours(self, node_id: str) -> tuple[str, str]:
        """Return the documents of the articles before and after an article of a code; empty if there is none."""
        return self._neighbours.get(node_id, ("", ""))

    @cached_property
    def _neighbours(self) -> dict[str, tuple[str, str]]:
        """Law node of every article of the index → ids of the documents before and after it in its code."""
        by_node = {node: name for name, node in self.placement.articles.items()}
        by_code: dict[str, list[str]] = {}
        for node in self.index.law:
            if node.id in by_node:
                by_code.setdefault(self.index.law.path(node)[0].id, []).append(node.id)
        found: dict[str, tuple[str, str]] = {}
        for nodes in by_code.values():
            names = ["", *(by_node[node] for node in nodes), ""]
            found |= {node: (names[at], names[at + 2]) for at, node in enumerate(nodes)}
        return found

    def masker(self, document: Document) -> Masker:
        """Return the masker of the persons in a document, from a cache."""
        return self._maskers(document.id)

    def _make_masker(self, document_id: str) -> Masker:
        return document_masker(self.document(document_id), self.language)

    @cached_property
    def rarity(self) -> Callable[[str], float]:
        """Rarity of words in the index, from a cache: comparing a text with ten hits asks for some 7,000."""
        return lru_cache(RARITIES)(self.index.ranker.word_rarity)

    @cached_property
    def key_points(self) -> KeyPoints:
        """Finder of the key points that reports quote."""
        return KeyPoints.of(self.index, rarity=self.rarity)

    @cached_property
    def _extractor(self) -> Extractor:
        if (lexicon := self.index.ranker.lexicon()) is not None:
            return Extractor(lexicon)
        return Extractor(charge_lexicon(self.index.law, self.language))

    def close(self) -> None:
        """Release threads and files."""
        self.encoder_cache.close()
        self.index.close()
