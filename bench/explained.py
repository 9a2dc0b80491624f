"""Ten explained hits of `lexgear` against bare BM25 over the same 9,088 judgments, and against encoder and BM25."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.side_by_side import Measured, timed
from bench.synthetic import judgments
from lexgear.corpus.records import Document, Query
from lexgear.corpus.sample.cases import sample_cases
from lexgear.law.tree import LawTree
from lexgear.progress import Progress, silent
from lexgear.rankers.generative.generator_parts import GeneratorParts
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.words.bm25 import BM25

DOCUMENTS, QUERIES, K = 9_088, 41, 10


class PartsWithRandomVectors(GeneratorParts):
    """Parts of a ranker that do not encode documents: that would take minutes, and a search takes as long with any."""

    def document_vectors(
        self, documents: Sequence[Document], law: LawTree, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Return random unit vectors."""
        drawn = np.random.default_rng(7).normal(size=(len(documents), self.generator.content.out_features))
        return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), dtype=np.float32)


def explained_search_against_bm25() -> Iterator[Measured]:
    """Search with the sample's queries: explained by `lexgear`, by BM25 alone, and the encoder alone, in turns."""
    sample = sample_cases()
    documents = tuple(
        Document(f"d{place:04}", {"fact": text}, charges=sample.documents[place % len(sample.documents)].charges)
        for place, text in enumerate(judgments(DOCUMENTS))
    )
    collection = replace(sample, documents=documents, queries=(), qrels={}, pools={})
    ranker = Lexgear()
    ranker.parts = PartsWithRandomVectors(ranker.settings, reads_facts=True, summary=True)
    ranker.fit(collection)
    ranker.inference.weights = replace(ranker.inference.weights, generator=0.1, content=0.5)
    bm25 = BM25().fit(collection)
    queries = [Query(query.id, query.text) for query in sample.queries[:QUERIES]]
    rounds = [_round(ranker, bm25, query) for query in (queries[0], *queries)][1:]
    work = f"{K} explained hits in {DOCUMENTS:,} judgments"
    yield Measured(
        "search_vs_bm25_time", f"{work} against bare BM25", tuple(explained / words for explained, words, _ in rounds)
    )
    yield Measured(
        "search_vs_encoder_and_bm25_time",
        f"{work} against the encoder once and bare BM25 (at most 1.5 wanted)",
        tuple(explained / (words + encoder) for explained, words, encoder in rounds),
    )


def _round(ranker: Lexgear, bm25: BM25, query: Query) -> tuple[float, float, float]:
    """Return the seconds of an explained search, of BM25 and of the encoder."""
    generator: Any = ranker.parts.generator
    [model_input] = ranker.encoder_inputs([query.text])
    return (
        timed(lambda: ranker.search_explained(query, K))[1],
        timed(lambda: bm25.search([query], K))[1],
        timed(lambda: generator.read_only(*model_input))[1],
    )
