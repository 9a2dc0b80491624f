"""Dense retrieval: one encoder turns queries and documents into vectors; the nearest documents answer a query.

The bi-encoder of Karpukhin et al. (EMNLP 2020) with the hard negatives of ANCE (Xiong et al., ICLR 2021). Differences:
queries and documents share all weights, vectors have unit length, and besides the labelled queries the facts of every
judgment, with charge names masked, are a query for the judgment itself.
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
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory
from lexgear.model.device import best_device
from lexgear.model.encoder.bodies import T5Body
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.model.tokenizer import Tokens
from lexgear.pretraining.base import is_base
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.rankers.dense.encoder_start import Start, is_checkpoint_of, start
from lexgear.rankers.dense.settings import DenseSettings
from lexgear.rankers.dense.training_pairs import document_examples, document_texts, judgment_pairs, query_pairs
from lexgear.rankers.document_ids import DocumentIds, search_by_scores
from lexgear.rankers.generative.generator_parts import TOKENS
from lexgear.rankers.model_settings import SHIPPED
from lexgear.rankers.scope import Scope
from lexgear.rankers.training_run import TrainingRun, validation_mrr
from lexgear.search.nearest import FaissIndex
from lexgear.training.batch_gradients import Objective
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop
from lexgear.training.objectives.contrastive import Contrast, ContrastiveObjective
from lexgear.training.objectives.masked import MaskedObjective
from lexgear.training.objectives.matching import MatchingObjective
from lexgear.training.query_split import QuerySplit

VECTORS = "vectors.npz"
SPARE = 32
"""Documents that faiss returns beyond those asked for: some may tie at the cut."""


class BiEncoderRanker(Ranker):
    """Ranks documents by the cosine of their vectors with the query's; on the GPU if there is one."""

    settings_type = DenseSettings
    label_from_scratch: ClassVar[str]
    """Label in tables if the model was trained without a published checkpoint."""
    published: ClassVar[str]
    """Label with its published checkpoint."""
    checkpoint: ClassVar[str] = ""
    """Part of the name of its published checkpoint, in lower case; empty if any checkpoint will do."""
    encoder_type: ClassVar[type[TextEncoder]] = TextEncoder
    settings: DenseSettings
    training: TrainingRun
    encoder: TextEncoder
    tokens: Tokens
    documents: DocumentIds
    vectors: NDArray[np.float64]
    """One per document, rounded to half precision so that sums do not depend on their order."""
    knows_queries: bool
    """True if it was trained on labelled queries."""
    _faiss: FaissIndex | None = None

    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self.training = TrainingRun(self.settings.training)

    def label(self) -> str:
        """Return the label for tables: the published model only if its own checkpoint was given."""
        backbone = self.settings.backbone
        if not backbone:
            return self.label_from_scratch
        if self._starts_from_base():
            return self.label_from_scratch.replace("from scratch", "from a base model of lexgear")
        start = Path(backbone).name if Path(backbone).is_dir() else backbone
        if self.starts_from_other_checkpoint():
            return self.label_from_scratch.replace("from scratch", f"from {start}")
        return f"{self.published} ({start})"

    def starts_from_other_checkpoint(self) -> bool:
        """Return True if the checkpoint is not the one that the ranker is named after."""
        backbone = self.settings.backbone
        return bool(backbone) and not self._starts_from_base() and not is_checkpoint_of(backbone, self.checkpoint)

    def _starts_from_base(self) -> bool:
        backbone = self.settings.backbone
        return backbone == SHIPPED or (bool(backbone) and is_base(Path(backbone)))

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Pretrain on the texts if the settings ask for it, then learn to find documents."""
        split, settings = self.training.split(collection), self.settings
        texts = document_texts(collection, progress)
        if not any(texts):
            raise InputError(f"no document of {collection.name} has a text to read", code=ErrorCode.NOTHING_TO_LEARN)
        torch.manual_seed(settings.training.seed)
        begun = start(settings, collection.language, texts)
        self.training.notes += [begun.note] if begun.note else []
        self.tokens, self.training.log = begun.tokens, []
        self.encoder = self._encoder_around(begun).eval().to(best_device())
        documents = document_examples(texts, self._encode)
        if settings.pretraining_epochs and self._pretrains(begun):
            self._pretrain(collection, documents, progress)
        self._train(collection, split, documents, settings.training.epochs, progress)
        return self

    def _encoder_around(self, begun: Start) -> TextEncoder:
        """Return the encoder to train, given the one that it starts from."""
        return begun.encoder

    def _new_learning_rate(self) -> float:
        """Return the learning rate of what a ranker adds to a pretrained encoder; 0 for that of the encoder."""
        return 0.0

    def can_update_queries(self) -> bool:
        """Return True: the encoder keeps what it learnt from the documents."""
        return True

    def _with_queries(self, collection: Collection, progress: Progress) -> Self:
        """Return a copy trained on with other training queries; one that knows some already is trained again."""
        if self.knows_queries:
            return super()._with_queries(collection, progress)
        other = type(self)(self.settings)
        other.encoder, other.tokens = copy.deepcopy(self.encoder), self.tokens
        split = other.training.split(collection)
        documents = document_examples(document_texts(collection, progress), other._encode)
        epochs = self.settings.training.query_epochs
        other._train(collection, split, documents, epochs, progress, by_queries=True)
        return other

    def scores(self, query: Query) -> NDArray[Any]:
        """Return the cosine of each document by position; minus infinity for an empty query."""
        if not query.text.strip():
            return np.full(len(self.documents), -np.inf)
        scores: NDArray[Any] = self.vectors @ self._vector(query)
        return scores

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        if self.settings.index == "exact":
            return search_by_scores(self.documents, self.scores, queries, k, scope, progress)
        results = []
        for query in queries:
            allowed, left_out = scope.allowed(query), scope.left_out(query)
            # faiss cannot filter: with filters all documents are scored.
            near = allowed is None and query.text.strip()
            scores = self._near(query, k + len(left_out) + SPARE) if near else self.scores(query)
            results.append(self.documents.best(scores, k, allowed, left_out))
            progress(len(results), len(queries))
        return results

    def _near(self, query: Query, count: int) -> NDArray[Any]:
        """Return the cosines of the documents that faiss finds nearest, minus infinity elsewhere."""
        self._faiss = self._faiss or FaissIndex(self.vectors.astype(np.float32), self.settings.index)
        vector, scores = self._vector(query), np.full(len(self.documents), -np.inf)
        found = self._faiss.nearest(vector.astype(np.float32), count)
        scores[found] = self.vectors[found] @ vector
        return scores

    def _vector(self, query: Query) -> NDArray[np.float64]:
        """Return a query's vector. Each query is read alone: padding would change its last digits."""
        [vector] = _half_precision(self.encoder.read_all(*self._encode([query.text])))
        return np.asarray(vector)

    def _encode(self, texts: Sequence[str]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        return self.tokens.encode(texts, min(self.settings.max_length, self.encoder.longest))

    def _pretrains(self, begun: Start) -> bool:
        """Return whether an encoder is pretrained on the texts; a published checkpoint brings its own pretraining."""
        return not begun.published

    def _pretrain(self, collection: Collection, documents: Examples, progress: Progress) -> None:
        """Train on the texts alone, by the setting `pretraining`."""
        kind, body = self.settings.pretraining, self.encoder.body
        objective: Objective | None = None
        if kind == "masked" and isinstance(body, T5Body):
            objective = MaskedObjective(body, documents)
        elif kind == "matching":
            objective = MatchingObjective(self.encoder, documents, self.tokens.frame)
        if objective:
            self._run_loop(self.encoder, objective, len(documents), progress, "pretraining")

    def _run_loop(
        self, model: torch.nn.Module, objective: Objective, examples: int, progress: Progress, stage: str
    ) -> None:
        """Run a pretraining loop, which is not validated."""
        settings = self.settings.training.loop(self.settings.pretraining_epochs, validates=False)
        self.training.run(Loop(model, objective, examples, settings), progress, stage)

    def _train(
        self,
        collection: Collection,
        split: QuerySplit,
        documents: Examples,
        epochs: int,
        progress: Progress,
        *,
        by_queries: bool = False,
    ) -> None:
        """Train on the facts of judgments with some queries beside them, or `by_queries` the other way round."""
        settings, contrast = self.settings, self.settings.contrast
        facts = judgment_pairs(collection, self._encode, weak=contrast.weak_positives)
        queries = query_pairs(collection, split.learnt, self._encode)
        main, beside = (queries, facts) if by_queries else (facts, queries)
        model = Contrast(self.encoder, len(main) + len(beside), len(documents)).to(self.encoder.device)
        objective = ContrastiveObjective(
            model,
            main,
            beside,
            documents,
            extra_per_batch=contrast.queries_per_batch,
            hard=contrast.hard_negatives,
            refresh=contrast.negative_refresh,
            token_dropout=contrast.token_dropout,
            temperature=contrast.temperature,
        )

        def validate() -> float:
            self._index(collection, documents)
            return validation_mrr(self, collection, split.validation)

        if len(main):
            loop_settings = settings.training.loop(epochs, new_learning_rate=self._new_learning_rate())
            loop = Loop(model, objective, len(main), loop_settings, validate)
            loop.begin_epoch = objective.begin_epoch
            loop.pretrained = self.encoder.pretrained_parts()
            self.training.run(loop, progress, "contrastive")
        self.knows_queries = len(queries) > 0
        self._index(collection, documents, progress)

    def _index(self, collection: Collection, documents: Examples, progress: Progress = silent) -> None:
        """Compute the vectors of the documents."""
        self.documents = DocumentIds(document.id for document in collection.documents)
        self.vectors = _half_precision(self.encoder.read_all(documents.numbers, documents.mask, progress))
        self._faiss = None

    def save(self, directory: PartsDirectory) -> None:
        """Write encoder, tokenizer and vectors."""
        self.encoder.save(directory)
        self.tokens.save(directory / TOKENS)
        np.savez(
            directory / VECTORS,
            vectors=self.vectors.astype(np.float16),
            documents=np.array(self.documents),
            knows_queries=np.array(self.knows_queries),
        )

    @classmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote."""
        ranker = cls(settings)
        ranker.encoder = cls.encoder_type.load(directory).to(best_device())
        ranker.tokens = Tokens.load(directory / TOKENS)
        with np.load(directory / VECTORS, allow_pickle=False) as parts:
            ranker.documents = DocumentIds(parts["documents"].tolist())
            ranker.vectors = parts["vectors"].astype(np.float64)
            ranker.knows_queries = bool(parts["knows_queries"])
        return ranker


class Dense(BiEncoderRanker):
    """A plain bi-encoder."""

    name = "dense"
    label_from_scratch, published = "bi-encoder, from scratch", "bi-encoder"


def _half_precision(vectors: torch.Tensor) -> NDArray[np.float64]:
    """Return vectors rounded to what half precision can represent."""
    return vectors.half().double().cpu().numpy()
