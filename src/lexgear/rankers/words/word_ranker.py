"""The common part of rankers over words: counting the words of documents, and one file of plain arrays on disk."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

from numpy.typing import NDArray

from lexgear.corpus.document_files import ids_of
from lexgear.corpus.records import Collection, Document, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory
from lexgear.law.tree import LawTree
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.fields import searchable_text
from lexgear.lexical.word_index import Weigh, WordIndex
from lexgear.lexical.words import Segmenter, segmenter
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.rankers.document_ids import DocumentIds, search_by_scores
from lexgear.rankers.explanation import MAX_WORDS, Explanation
from lexgear.rankers.incremental import new_and_known
from lexgear.rankers.reading import count_documents
from lexgear.rankers.scope import Scope
from lexgear.rankers.segmented import SegmentDirectory, SegmentedRanker
from lexgear.rankers.words.segment import WordSegment
from lexgear.settings import within

COUNTING = "counting words"


@dataclass(frozen=True, slots=True)
class WordSettings:
    """Settings of every ranker over words."""

    fact_characters: int = 3000
    """Characters of a judgment's facts that are read."""
    headings: bool = True
    """Read a statutory article with the titles of the law, part, chapter … above it."""
    names: bool = False
    """Read person names; otherwise every name is the same placeholder."""

    def __post_init__(self) -> None:
        within("fact_characters", self.fact_characters, 0)


class WordRanker(SegmentedRanker, Ranker):
    """A ranker over the words of the documents; subclasses define the weight of a word and the score of a document."""

    settings_type: ClassVar[type[WordSettings]]
    segments: tuple[WordSegment, ...]
    documents: DocumentIds
    """The ids of all segments, with removed documents."""
    index: WordIndex
    """The counts of all segments, weighed."""
    language: str

    @abstractmethod
    def weigh(self) -> Weigh:
        """Return the weight of a word in a document."""

    @abstractmethod
    def scores(self, query: Query) -> NDArray[Any]:
        """Return the score of each document by position; minus infinity if it shares no word with the query."""

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Count the words of the documents and weigh them."""
        if self.count(collection, progress).index.empty:
            raise InputError(
                f"no document of {collection.name} has a text to search in", code=ErrorCode.NOTHING_TO_LEARN
            )
        return self

    def keeps_names(self) -> bool:
        """Return the setting `names`."""
        settings: WordSettings = self.settings
        return settings.names

    def reads_documents_in_order(self) -> bool:
        """Return True."""
        return True

    def count(self, collection: Collection, progress: Progress = silent) -> Self:
        """Do what `fit` does, but allow documents without any word."""
        self.language = collection.language
        return self.over([self._read_segment(collection, progress)])

    def over(self, segments: Sequence[WordSegment]) -> Self:
        """Set the segments and return the ranker itself."""
        self.segments, self.language = tuple(segments), segments[0].language
        self.documents = DocumentIds.of_segments([(one.ids, one.live) for one in segments])
        self.index = WordIndex([one.counted for one in segments], self.weigh())
        return self

    def with_segments(self, segments: Sequence[WordSegment], progress: Progress = silent) -> Self:
        """Return this ranker over other segments."""
        return self._named_alike(type(self)(self.settings).over(segments))

    def _read_segment(self, collection: Collection, progress: Progress) -> WordSegment:
        """Count the words of new documents."""
        count = partial(_count, type(self)(self.settings), collection.law, collection.language)
        [counts] = count_documents(count, collection.documents, progress, COUNTING)
        return WordSegment.of(ids_of(collection.documents), counts, collection.language)

    def _with_documents(self, collection: Collection, progress: Progress) -> Self:
        """Return this ranker over other documents, in one segment; only new ones are segmented."""
        known = WordSegment.merged(self.segments)
        new, order = new_and_known(known.ids, collection.documents)
        read = self._read_segment(replace(collection, documents=tuple(new)), progress)
        both = WordSegment.merged([known, read])
        ids = [document.id for document in collection.documents]
        return self.with_segments([WordSegment.of(ids, both.counted.counts.rows(order), self.language)])

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        return search_by_scores(self.documents, self.scores, queries, k, scope, progress)

    def _search_explained(self, query: Query, k: int, scope: Scope) -> list[tuple[ScoredId, Explanation | None]]:
        [hits] = self._search([query], k, scope, silent)
        positions = [self.documents.position(hit.document) for hit in hits]
        found = self.index.shared(self.segment(query.text), positions, MAX_WORDS)
        return [(hit, Explanation(0.0, 0.0, hit.score, shared=words)) for hit, words in zip(hits, found, strict=True)]

    def word_rarity(self, word: str) -> float:
        """Return the weight of a word by its rarity."""
        return self.index.idf(word)

    @property
    def segment(self) -> Segmenter:
        """The function that cuts a text of the collection's language into words."""
        return segmenter(self.language)

    def text_of(self, document: Document, law: LawTree) -> str:
        """Return the text of a document whose words are counted."""
        above = ""
        if self.settings.headings and document.node in law:
            above = " ".join(node.title for node in law.path(law[document.node])[:-1])
        return searchable_text(document, self.settings.fact_characters, above)

    def save_learnt(self, directory: PartsDirectory) -> None:
        """Write nothing: words are not learnt."""

    @classmethod
    def load_segments(cls, directory: PartsDirectory, segments: Sequence[SegmentDirectory], settings: Any) -> Self:
        """Read the ranker over segments."""
        return cls(settings).over([WordSegment.load(*one) for one in segments])


def _count(
    ranker: WordRanker, law: LawTree, language: str, documents: Sequence[Document], progress: Progress
) -> list[WordCounts]:
    """Count the words of documents as a ranker without documents reads them."""
    segment = segmenter(language)

    def words() -> Iterator[list[str]]:
        for done, document in enumerate(documents, start=1):
            yield segment(ranker.text_of(document, law))
            progress(done, len(documents), COUNTING)

    return [WordCounts.of(words())]
