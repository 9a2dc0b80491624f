"""Dense retrieval: one encoder turns queries and documents into vectors; the nearest documents answer a query.

The bi-encoder of Karpukhin et al. (EMNLP 2020) with the hard negatives of ANCE (Xiong et al., ICLR 2021). What differs:
queries and documents share all weights, vectors have unit length, and besides the labelled queries the facts of every
judgment, the names of charges masked, are a query for the judgment itself.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
from lexgear.model.device import best_device
from lexgear.model.encoder.bodies import T5Body
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.model.tokenizer import Tokens
from lexgear.pretraining.base import is_base
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, ScoredId, ScoringRanker
from lexgear.rankers.dense.encoder_start import is_published, start
from lexgear.rankers.dense.settings import DenseSettings
from lexgear.rankers.dense.training_pairs import document_examples, document_texts, judgment_pairs, query_pairs
from lexgear.rankers.generative.generator_ranker import TOKENS
from lexgear.rankers.generative.model_settings import SHIPPED
from lexgear.rankers.scope import Scope
from lexgear.rankers.trained import TrainedRanker
from lexgear.search.nearest import FaissIndex
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop, Objective
from lexgear.training.objectives.contrastive import Contrast, ContrastiveObjective
from lexgear.training.objectives.masked import MaskedObjective
from lexgear.training.objectives.matching import MatchingObjective
from lexgear.training.query_split import QuerySplit

VECTORS = "vectors.npz"
SPARE = 32
"""Documents beyond those asked for that faiss is to name: some may tie at the cut."""


class Dense(TrainedRanker, ScoringRanker):
    """The cosine of the vectors of a query and of every document; on the GPU where there is one."""

    name = "dense"
    summary = "bi-encoder with in-batch and ANCE negatives; from scratch, a base, or a T5 or BERT checkpoint"
    settings_type = DenseSettings
    row_name: ClassVar[str] = "bi-encoder, from scratch"
    """What a row of a table is called that was trained without a published checkpoint."""
    published: ClassVar[str] = "bi-encoder"
    """What it is called with one."""
    settings: DenseSettings
    encoder: TextEncoder
    tokens: Tokens
    vectors: NDArray[np.float64]
    """Of the documents, by position: numbers that half precision can keep, so that sums are the same in any order."""
    knows_queries: bool
    """Whether it has learnt from labelled queries."""
    _faiss: FaissIndex | None = None

    def described(self) -> str:
        """What it is, for a row of a table: never the published model where no checkpoint was given."""
        backbone = self.settings.backbone
        if backbone == SHIPPED or (backbone and is_base(Path(backbone))):
            return self._from("a base model of lexgear")
        if not backbone:
            return self.row_name
        return f"{self.published} ({backbone})" if is_published(backbone) else self._from(backbone)

    def _from(self, start: str) -> str:
        return self.row_name.replace("from scratch", f"from {start}")

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Learns what the texts say where it pretrains, then to find documents."""
        split, settings = self._split(collection), self.settings
        texts = document_texts(collection, progress)
        if not any(texts):
            raise InputError(f"no document of {collection.name} has a text to read")
        torch.manual_seed(settings.seed)
        begun = start(settings, collection.language, texts)
        self.notes += [begun.note] if begun.note else []
        self.encoder, self.tokens, self.log = begun.encoder.eval().to(best_device()), begun.tokens, []
        documents = document_examples(texts, self._encode)
        if settings.pretraining_epochs and not begun.published:
            self._pretrain(collection, documents, progress)
        self._learn(collection, split, documents, settings.epochs, progress)
        return self

    def taught(self, collection: Collection, progress: Progress = silent) -> Self:
        """A copy that goes on with other training queries; where it knows some already, another from the beginning."""
        if self.knows_queries:
            return super().taught(collection, progress)
        other = type(self)(self.settings)
        other.encoder, other.tokens = copy.deepcopy(self.encoder), self.tokens
        split = other._split(collection)
        documents = document_examples(document_texts(collection, progress), other._encode)
        other._learn(collection, split, documents, self.settings.taught_epochs, progress, by_queries=True)
        return other

    def scores(self, query: Query) -> NDArray[Any]:
        """The cosine of each document by position; an empty text is like none."""
        if not query.text.strip():
            return np.full(len(self.documents), -np.inf)
        scores: NDArray[Any] = self.vectors @ self._vector(query)
        return scores

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[ScoredId]]:
        """The k best documents for each query, best first; faiss finds them where every document may be found."""
        if self.settings.index == "exact":
            return super().search(queries, k, scope, progress)
        results = []
        for query in queries:
            allowed, left_out = scope.allowed(query), scope.left_out(query)
            near = allowed is None and query.text.strip()
            scores = self._near(query, k + len(left_out) + SPARE) if near else self.scores(query)
            results.append(self._best(scores, k, allowed, left_out))
            progress(len(results), len(queries))
        return results

    def _near(self, query: Query, count: int) -> NDArray[Any]:
        """The cosines of the documents that faiss finds nearest; minus infinity elsewhere."""
        self._faiss = self._faiss or FaissIndex(self.vectors.astype(np.float32), self.settings.index)
        vector, scores = self._vector(query), np.full(len(self.documents), -np.inf)
        found = self._faiss.nearest(vector.astype(np.float32), count)
        scores[found] = self.vectors[found] @ vector
        return scores

    def _vector(self, query: Query) -> NDArray[np.float64]:
        """Each query alone: padding beside longer ones would move its vector in the last digits."""
        [vector] = _kept(self.encoder.read_all(*self._encode([query.text])))
        return np.asarray(vector)

    def _encode(self, texts: Sequence[str]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        return self.tokens.encode(texts, min(self.settings.tokens, self.encoder.body.longest))

    def _pretrain(self, collection: Collection, documents: Examples, progress: Progress) -> None:
        """What the model learns of the texts before it learns to find any."""
        kind, body = self.settings.pretraining, self.encoder.body
        objective: Objective | None = None
        if kind == "masked" and isinstance(body, T5Body):
            objective = MaskedObjective(body, documents)
        elif kind == "matching":
            objective = MatchingObjective(self.encoder, documents)
        if objective:
            loop = Loop(self.encoder, objective, len(documents), self.settings.loop(self.settings.pretraining_epochs))
            self._trained(loop, progress, "pretraining")

    def _learn(
        self,
        collection: Collection,
        split: QuerySplit,
        documents: Examples,
        epochs: int,
        progress: Progress,
        *,
        by_queries: bool = False,
    ) -> None:
        """Learns from the facts of judgments with some queries beside them, or `by_queries` the other way round."""
        settings = self.settings
        facts = judgment_pairs(collection, self._encode, weak=settings.weak_positives)
        queries = query_pairs(collection, split.learnt, self._encode)
        main, beside = (queries, facts) if by_queries else (facts, queries)
        model = Contrast(self.encoder, len(main) + len(beside), len(documents)).to(self.encoder.device)
        objective = ContrastiveObjective(
            model,
            main,
            beside,
            documents,
            extra_per_batch=settings.queries_a_batch,
            hard=settings.negatives,
            refresh=settings.refresh,
            token_dropout=settings.thin,
            temperature=settings.temperature,
        )

        def validate() -> float:
            self._index(collection, documents)
            return self.mrr(collection, split.validation)

        if len(main):
            loop = Loop(model, objective, len(main), settings.loop(epochs, patience=True), validate)
            self._trained(loop, progress, "contrastive")
        self.knows_queries = len(queries) > 0
        self._index(collection, documents, progress)

    def _index(self, collection: Collection, documents: Examples, progress: Progress = silent) -> None:
        """Makes the vectors of the documents."""
        self.documents = tuple(document.id for document in collection.documents)
        self.vectors = _kept(self.encoder.read_all(documents.numbers, documents.mask, progress))
        self._faiss = None

    def save(self, directory: Path) -> None:
        """Writes encoder, tokenizer and vectors."""
        self.encoder.save(directory)
        self.tokens.save(directory / TOKENS)
        np.savez(
            directory / VECTORS,
            vectors=self.vectors.astype(np.float16),
            documents=np.array(self.documents),
            knows_queries=np.array(self.knows_queries),
        )

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        ranker = cls(settings)
        ranker.encoder = TextEncoder.load(directory).to(best_device())
        ranker.tokens = Tokens.load(directory / TOKENS)
        with np.load(directory / VECTORS, allow_pickle=False) as parts:
            ranker.documents = tuple(parts["documents"].tolist())
            ranker.vectors = parts["vectors"].astype(np.float64)
            ranker.knows_queries = bool(parts["knows_queries"])
        return ranker


def _kept(vectors: torch.Tensor) -> NDArray[np.float64]:
    """Numbers that half precision can keep."""
    return vectors.half().double().cpu().numpy()
