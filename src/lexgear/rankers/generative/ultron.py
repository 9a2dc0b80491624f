"""Ultron: IDs of quantised vectors or of telling terms, learnt in three stages (Zhou et al., 2022).

As in "Ultron: An Ultimate Retriever on Corpus with a Model-based Indexer": IDs that say something, either the code
words of a product quantisation (`ultron`) or terms (`ultron_terms`); first general pretraining from passages and from
terms of a document to its ID, then search-oriented pretraining from queries that were written for it, at last
fine-tuning on labelled queries alone.

What differs: judgments and articles have no URL, so that terms come from titles, and from texts where titles are alike
or missing; a term is one symbol, not some tokens of T5; vectors come from words unless `vectors` names a BERT, and are
cut into fewer sub-spaces, for hundreds of documents rather than hundreds of thousands; the query generator starts from
the same backbone, and learns from the documents themselves where labelled queries are few; each stage learns more
gently than the one before; a model from scratch starts from vectors of tokens that stand together.
"""

from __future__ import annotations

from dataclasses import dataclass

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.docids.quantized import Codebook, quantized_ids
from lexgear.docids.title import term_ids
from lexgear.rankers.generative.three_stages import StagesSettings, ThreeStages, ranked_terms
from lexgear.settings import within


@dataclass(frozen=True, slots=True)
class UltronSettings(StagesSettings):
    """Settings of `ultron`."""

    subspaces: int = 4
    """Parts that a vector is cut into, and code words in an ID."""
    codewords: int = 32
    """Clusters of each part."""

    def __post_init__(self) -> None:
        StagesSettings.__post_init__(self)
        within("subspaces", self.subspaces, 1, 10_000)
        within("codewords", self.codewords, 2, 1_000_000)


@dataclass(frozen=True, slots=True)
class UltronTermsSettings(StagesSettings):
    """Settings of `ultron_terms`."""

    terms: int = 6
    """Terms in an ID; more, up to twice as many, where others have the same."""

    def __post_init__(self) -> None:
        StagesSettings.__post_init__(self)
        within("terms", self.terms, 1, 10_000)


class Ultron(ThreeStages):
    """Generates the code words of a document's vector."""

    name = "ultron"
    summary = "Ultron: product-quantised IDs learnt from passages and terms, then from written, then labelled queries"
    settings_type = UltronSettings
    settings: UltronSettings
    codebook: Codebook | None = None
    """After `fit`; an index has no need of it."""

    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        vectors, settings = self._vectors(collection, texts), self.settings
        self.codebook = Codebook.of(
            vectors, subspaces=settings.subspaces, codewords=settings.codewords, seed=settings.seed
        )
        return quantized_ids(self.codebook.encode(vectors), ids=[document.id for document in collection.documents])


class UltronTerms(ThreeStages):
    """Generates the most telling terms of a document."""

    name = "ultron_terms"
    summary = "Ultron with IDs of terms: the telling words of a document's title and text, learnt in the same stages"
    settings_type = UltronTermsSettings
    settings: UltronTermsSettings

    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        names = [document.id for document in collection.documents]
        return term_ids(ranked_terms(collection, texts), self.settings.terms, ids=names)
