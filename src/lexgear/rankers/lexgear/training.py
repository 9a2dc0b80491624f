"""Training of `lexgear`: the generator by gradient descent, then all weights on held-out judgments and queries."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from lexgear.corpus.records import Collection
from lexgear.docids.law import law_ids
from lexgear.progress import Progress
from lexgear.rankers.lexgear.adaptation.cross_fitting import MIN_QUERIES, adapt, with_vectors
from lexgear.rankers.lexgear.features.document_features import DocumentFeatures, DocumentWords, Vectors
from lexgear.rankers.lexgear.features.training_queries import TrainingQueries
from lexgear.rankers.lexgear.weighting.labelled_texts import teaching_queries
from lexgear.rankers.lexgear.weighting.lay_texts import lay_walk_suits
from lexgear.rankers.lexgear.weighting.ranking import learn_ranking
from lexgear.rankers.lexgear.weighting.walk_grid import walk_grid
from lexgear.rankers.lexgear.weighting.weights import Weights
from lexgear.rankers.training_run import validation_mrr
from lexgear.training.loop import Loop
from lexgear.training.objectives.lexgear import LexgearObjective
from lexgear.training.query_split import QuerySplit, trainable_judgments

if TYPE_CHECKING:
    from lexgear.rankers.lexgear.ranker import Lexgear


def training_features(
    ranker: Lexgear,
    collection: Collection,
    split: QuerySplit,
    words: DocumentWords,
    concepts: Vectors,
    vectors: Vectors | None,
) -> DocumentFeatures:
    """Set the training queries of a ranker; return the features that may be used while its weights are learnt.

    These are computed without held-out judgments and held-out queries.
    """
    queries = TrainingQueries.of(collection, [*split.learnt, *split.validation, *split.weighing])
    if vectors is not None:
        queries = with_vectors(ranker, collection, queries)
    ranker.training_queries = queries
    seen = words.without(ranker.held_out.positions(ranker, collection))
    return DocumentFeatures.of(collection, ranker.parts.ids, seen, queries.only(split.learnt), concepts, vectors)


def train_generator(
    ranker: Lexgear,
    collection: Collection,
    split: QuerySplit,
    as_queries: Sequence[str],
    progress: Progress,
) -> None:
    """Train the generator to name charges, and the encoder to bring queries near their answers.

    `as_queries` are the facts of all judgments, read as queries are; held-out judgments are not learnt from.
    """
    parts, settings, inference = copy(ranker.parts), ranker.settings, ranker.inference
    parts.ids = law_ids(collection, whole_law=True, reserve_symbols=True)  # with one leaf per document and place
    held_out = set(ranker.held_out.positions(ranker, collection))
    learnt = [position for position in trainable_judgments(collection) if position not in held_out]
    read = parts.inputs.of_documents(collection.documents, collection.law)
    texts = parts.examples(read, parts.own_leaves(range(len(read))))
    objective = LexgearObjective(
        parts.generator,
        parts.ids,
        judgments=parts.examples([as_queries[at] for at in learnt], [texts.leaves[at] for at in learnt]),
        queries=parts.query_examples(collection, split.learnt),
        documents=texts,
        token_dropout=settings.token_dropout,
    )

    def update_vectors() -> None:
        inference.features = inference.features.with_vectors(parts.vectors(read))

    def validate() -> float:
        update_vectors()
        return validation_mrr(ranker, collection, split.validation)

    run = ranker.training
    loop_settings = settings.training.loop(new_learning_rate=settings.decoder_learning_rate)
    loop = Loop(parts.generator, objective, len(learnt), loop_settings, validate, run.workspace)
    loop.pretrained = parts.generator.backbone.pretrained_parts()
    run.log = loop.run(progress)
    update_vectors()


def learn_all_weights(
    ranker: Lexgear, collection: Collection, split: QuerySplit, words: DocumentWords, progress: Progress
) -> None:
    """Set the weights of the walk and of the ranking score, then the features from all documents and queries.

    Only queries that are new to the base model teach. The weights start from those stored with the base model, which
    were learnt with one that did not know the queries; a few queries do not change these.
    """
    inference, parts, generates = ranker.inference, ranker.parts, ranker.generator_knows_law
    teaching = teaching_queries(ranker, split.weighing or split.learnt)
    queries = adapt(ranker, collection, teaching, progress)
    judgments = ranker.held_out.texts(ranker, collection, progress)
    texts = [one.text for one in queries if one.text.applies.any()]
    walks = walk_grid(
        parts.ids.trie, inference.charge_nodes(), judgments, texts, start_weights(ranker), generates=generates
    )
    if parts.base and generates and not texts and not judgments:
        walks = [(loss, replace(walk, **parts.base.about.get("walk", {}))) for loss, walk in walks]
    learns = len(queries) >= MIN_QUERIES or not _stored_ranking(ranker)
    weights = learn_ranking(walks, queries if learns else [], parts.ids.trie)
    inference.weights = replace(weights, lay_walk=lay_walk_suits(ranker, collection, teaching, weights))
    features = inference.features
    inference.features = DocumentFeatures.of(
        collection, parts.ids, words, ranker.training_queries, features.concepts.whole, features.vectors.whole
    )


def start_weights(ranker: Lexgear) -> Weights:
    """Return the weights that learning starts from: those of the base model for cases or articles, if any."""
    return Weights().changed(**_stored_ranking(ranker))


def ranking_kind(ranker: Lexgear) -> str:
    """Return under which name a base model stores the ranking weights of collections such as the ranker's."""
    return "cases" if len(ranker.inference.charge_nodes()) else "articles"


def _stored_ranking(ranker: Lexgear) -> dict[str, float]:
    base = ranker.parts.base
    weights: dict[str, float] = base.about.get("ranking", {}).get(ranking_kind(ranker), {}) if base else {}
    return weights
