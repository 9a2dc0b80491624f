"""Adaptation of the encoder's vectors to the training queries.

The weights of the ranking score must not be learnt from vectors that have learnt the same queries: these would look too
good. The queries are therefore divided into folds, and each is read by a ranker that was adapted to the other folds;
the ranker that is kept learns from all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from lexgear.corpus.document_files import ids_of
from lexgear.corpus.records import Collection, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.model.device import best_device
from lexgear.progress import Progress
from lexgear.rankers.lexgear.adaptation.data import AdaptationData
from lexgear.rankers.lexgear.adaptation.fine_tuning import tuned
from lexgear.rankers.lexgear.features.past_questions import PastQuestions
from lexgear.rankers.lexgear.features.query_matrix import PULLS, MatrixData, learn_matrix, matrix_loss
from lexgear.rankers.lexgear.features.training_queries import TrainingQueries
from lexgear.rankers.lexgear.inference import MIN_SPREAD
from lexgear.rankers.lexgear.settings import FULL, NONE
from lexgear.rankers.lexgear.weighting.labelled_texts import LabelledQuery, labelled_queries
from lexgear.search.scorer import Ints

if TYPE_CHECKING:
    from lexgear.rankers.lexgear.ranker import Lexgear

FOLDS = 4
MIN_QUERIES = 20
"""Queries below which nothing is adapted, and weights that are stored with the base model stay as they are."""
HARD_CANDIDATES, RANDOM_CANDIDATES = 30, 100
"""Documents that the query matrix learns to tell from the relevant ones: the first by vectors, and some at random,
without which it forgets the rest of the corpus (docs/lab.md)."""
MAX_DOCUMENTS_ON_CPU = 500
"""Documents up to which an encoder is fine-tuned without a GPU."""


def adapt(ranker: Lexgear, collection: Collection, queries: Sequence[Query], progress: Progress) -> list[LabelledQuery]:
    """Adapt a ranker to training queries; return them as read by rankers that have not learnt from them."""
    mode = ranker.settings.adapt
    if not ranker.parts.has_generator or ranker.settings.training.epochs or mode == NONE:
        return labelled_queries(ranker, collection, queries, progress)
    if len(queries) >= MIN_QUERIES:
        learn = _adapt_encoder if mode == FULL else _adapt_queries
        return learn(ranker, collection, queries, progress)
    if mode == FULL:
        _encode(ranker, collection, progress)
    return labelled_queries(ranker, collection, queries, progress)


def _adapt_queries(
    ranker: Lexgear, collection: Collection, queries: Sequence[Query], progress: Progress
) -> list[LabelledQuery]:
    """Learn the query matrix, with the pull towards the identity that is best for queries it has not learnt from."""
    data, folds = _matrix_data(ranker, collection, queries), np.arange(len(queries)) % FOLDS
    best, least = [], np.inf
    for number, pull in enumerate(PULLS):
        progress(number, len(PULLS), "learning the query matrix")
        matrices = [learn_matrix(data.rows(np.flatnonzero(folds != fold)), pull) for fold in range(FOLDS)]
        parts = [data.rows(np.flatnonzero(folds == fold)) for fold in range(FOLDS)]
        loss = sum(matrix_loss(part, one) for part, one in zip(parts, matrices, strict=True))
        if loss >= least:  # a weaker pull fits the other folds even closer
            break
        best, least, chosen = matrices, loss, pull
    labelled = []
    for fold, matrix in enumerate(best):
        reader = ranker.copied()
        reader.inference.query_matrix = matrix
        labelled += labelled_queries(reader, collection, queries[fold::FOLDS], progress)
    ranker.inference.query_matrix = learn_matrix(data, chosen) if np.isfinite(chosen) else None
    return labelled


def _matrix_data(ranker: Lexgear, collection: Collection, queries: Sequence[Query]) -> MatrixData:
    """Return the vectors of queries and of their candidates: those judged, the first by vectors, others at random."""
    rng = np.random.default_rng(ranker.settings.training.seed)
    positions = {name: at for at, name in enumerate(ids_of(collection.documents))}
    documents, known = ranker.inference.features.vectors.whole, ranker.training_queries
    vector_of = dict(zip((one.id for one in known.questions), known.vectors, strict=True))
    vectors, spreads, candidates, grades = [], [], [], []
    for query in queries:
        cosines = documents @ vector_of[query.id]
        first = np.argsort(-cosines, kind="stable")[:HARD_CANDIDATES].tolist()
        drawn = rng.integers(len(documents), size=RANDOM_CANDIDATES).tolist()
        labels = {positions[name]: max(grade, 0) for name, grade in collection.qrels[query.id].items()}
        pool = [positions[name] for name in collection.pools.get(query.id, ()) if name in positions]
        own = [positions[name] for name in query.own_documents if name in positions]
        found = {*labels, *pool, *first, *drawn}.difference(own)
        vectors.append(vector_of[query.id])
        spreads.append(float(cosines.std()))
        candidates.append(np.array(sorted(found), dtype=np.int64))
        grades.append(np.array([labels.get(at, 0) for at in sorted(found)], dtype=np.int64))
    spread = max(float(np.mean(spreads)), MIN_SPREAD)
    return MatrixData.of(np.array(vectors, np.float32), documents, candidates, grades, spread)


def _adapt_encoder(
    ranker: Lexgear, collection: Collection, queries: Sequence[Query], progress: Progress
) -> list[LabelledQuery]:
    """Fine-tune the encoder, and compute the vectors of documents and training queries again."""
    count = len(collection.documents)
    if ranker.tune is tuned and best_device().type == "cpu" and count > MAX_DOCUMENTS_ON_CPU:
        raise InputError(
            f"adapt=full fine-tunes the encoder, which takes hours without a GPU for the {count:,} documents of "
            f"{collection.name}",
            code=ErrorCode.INVALID_SETTING,
            remedy="train on a machine with a GPU, or set adapt=query",
            name="adapt",
        )
    data, folds = adaptation_data(ranker, collection, queries), np.arange(len(queries)) % FOLDS
    start, seed, labelled = ranker.parts.generator, ranker.settings.training.seed, []
    for fold in range(FOLDS):
        progress(fold, FOLDS + 1, "fine-tuning the encoder")
        reader = ranker.copied()
        reader.parts.generator, vectors = ranker.tune(start, data.only(np.flatnonzero(folds != fold)), seed)
        reader.inference.features = reader.inference.features.with_vectors(vectors)
        _encode_training_queries(reader, collection)
        labelled += labelled_queries(reader, collection, queries[fold::FOLDS], progress)
    progress(FOLDS, FOLDS + 1, "fine-tuning the encoder")
    ranker.parts.generator, _ = ranker.tune(start, data, seed)
    _encode(ranker, collection, progress)
    return labelled


def _encode(ranker: Lexgear, collection: Collection, progress: Progress) -> None:
    vectors = ranker.parts.document_vectors(collection.documents, collection.law, progress)
    ranker.inference.features = ranker.inference.features.with_vectors(vectors)
    _encode_training_queries(ranker, collection)


def _encode_training_queries(ranker: Lexgear, collection: Collection) -> None:
    ranker.training_queries = with_vectors(ranker, collection, ranker.training_queries)
    features = ranker.inference.features
    questions, vectors = ranker.training_queries.questions, ranker.training_queries.vectors
    past_questions = PastQuestions.of(features.bm25.index, questions, features.bm25.documents, vectors)
    ranker.inference.features = replace(features, past_questions=past_questions)


def with_vectors(ranker: Lexgear, collection: Collection, queries: TrainingQueries) -> TrainingQueries:
    """Return training queries with the encoder's vectors of them, if there is an encoder."""
    if not ranker.parts.has_generator:
        return queries
    texts = {query.id: query.text for query in collection.queries}
    read = ranker.parts.inputs.of_queries([texts[one.id] for one in queries.questions])
    return replace(queries, vectors=ranker.parts.vectors(read))


def adaptation_data(ranker: Lexgear, collection: Collection, queries: Sequence[Query]) -> AdaptationData:
    """Return training queries and all documents as the encoder reads them, with grades and pools."""
    parts, positions = ranker.parts, {name: at for at, name in enumerate(ids_of(collection.documents))}

    def rows(texts: Sequence[str]) -> list[Ints]:
        return [numbers[mask] for text in texts for [numbers], [mask] in [parts.encode([text])]]

    judged: list[Ints] = []
    grades: list[Ints] = []
    for query in queries:
        labels = {positions[name]: grade for name, grade in collection.qrels[query.id].items()}
        kept = [at for at in sorted(labels) if collection.documents[at].id not in query.own_documents]
        judged.append(np.array(kept, dtype=np.int64))
        grades.append(np.array([labels[at] for at in kept], dtype=np.int64))
    pools = [
        np.array([positions[name] for name in collection.pools.get(query.id, ()) if name not in query.own_documents])
        for query in queries
    ]
    return AdaptationData(
        rows(parts.inputs.of_queries([query.text for query in queries])),
        rows(parts.inputs.of_documents(collection.documents, collection.law)),
        judged,
        grades,
        pools if all(map(len, pools)) else (),
        collection.relevant_from,
        parts.ids.trie if ranker.generator_knows_law else None,
    )
