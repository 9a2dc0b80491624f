"""Our BM25 against bm25s: same texts, same words, same k."""

from __future__ import annotations

from collections.abc import Iterator

import bm25s

from bench.side_by_side import Measured, time_ratio
from bench.synthetic import judgments
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.sample.cases import sample_cases
from lexgear.lexical.words import chinese_words
from lexgear.rankers.words.bm25 import BM25

DOCUMENTS, QUERIES, K = 9_000, 60, 100


def bm25_against_bm25s() -> Iterator[Measured]:
    """Search a collection of LeCaRD's size, made of the sample's sentences, with both."""
    sample = sample_cases()
    texts = judgments(DOCUMENTS)
    queries = [Query(query.id, query.text) for query in sample.queries[:QUERIES]]
    documents = tuple(Document(f"d{number:05}", {"text": text}) for number, text in enumerate(texts))
    ours = BM25().fit(Collection("bench", "zh", documents))
    peer = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    peer.index([chinese_words(text) for text in texts], show_progress=False)

    def search_peer() -> None:
        for query in queries:
            peer.retrieve([chinese_words(query.text)], k=K, show_progress=False)

    yield time_ratio(
        "bm25_search_vs_bm25s_time",
        f"lexgear's bm25 against bm25s.retrieve, {DOCUMENTS:,} documents, top {K} (at most 1.10 wanted)",
        lambda: ours.search(queries, K),
        search_peer,
    )
