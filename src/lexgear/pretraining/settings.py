"""Settings of a base model: data, model size, schedule and task weights."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexgear.errors import ErrorCode, InputError
from lexgear.settings import one_of, within

if TYPE_CHECKING:
    from lexgear.model.t5 import T5Shape

_DATA_SIZES = ("max_facts_length", "max_reasoning_length", "neighbours", "negatives", "validation_size", "max_headings")
PREPARATION = ("start", "pooling", "vocab_size", *_DATA_SIZES, "question_holdout", "seed")
"""Settings that the preparation of the data depends on; a change of the others does not prepare it again."""
STORED_NAMES = {
    "vocab_size": "vocabulary",
    "hidden_size": "width",
    "num_heads": "heads",
    "head_size": "head_width",
    "intermediate_size": "inner",
    "num_encoder_layers": "encoder_layers",
    "num_decoder_layers": "decoder_layers",
    "max_facts_length": "kept",
    "max_reasoning_length": "reasoning",
    "validation_size": "validation",
    "max_length": "tokens",
    "batch_size": "batch",
    "group_size": "group",
    "max_article_share": "articles",
    "learning_rate": "rate",
    "warmup": "warm_up",
    "weight_decay": "decay",
    "max_grad_norm": "clip",
    "span_weight": "spans",
    "law_weight": "law",
    "reasoning_weight": "retelling",
    "own_facts_weight": "own_facts",
    "similarity_weight": "likeness",
    "log_every": "log",
    "checkpoint_every": "keep",
}
"""Names of the settings in `base.json`, in prepared data and in fingerprints of runs (format 1), if they differ."""


@dataclass(frozen=True, slots=True)
class PretrainSettings:
    """Settings of a pretraining run; the defaults give a model of about 23 million parameters from scratch."""

    start: str = ""
    """Checkpoint of the BERT family whose encoder is trained further, a directory or a hub name; empty: from scratch.
    Its tokenizer is pruned to the tokens that the texts need, and its sizes replace those of the encoder below."""
    pooling: str = ""
    """State that represents a text, `cls` or `mean`; empty: as the checkpoint says, or the mean."""
    vocab_size: int = 12_000
    """Size of the tokenizer's vocabulary (subword tokens); of a checkpoint's, the most frequent tokens are kept."""
    max_facts_length: int = 1536
    """Tokens kept of the facts of a case; the encoder reads windows of them."""
    max_reasoning_length: int = 256
    """Tokens kept of the court's reasoning, or of the question or titles that lead to an article."""
    neighbours: int = 30
    """Cases with the most similar facts that are stored for each case."""
    negatives: int = 8
    """Other cases stored for each case as negatives: those that its reasoning ranks first by BM25."""
    validation_size: int = 400
    """Cases held out of training for validation."""
    max_headings: int = 3000
    """Headings of the law of a collection of articles that are distinguished at most."""
    question_holdout: float = 0.0
    """Share of the training questions that are left out, for a twin of the base model on which weights are chosen."""
    max_length: int = 512
    """Tokens that the encoder reads at most."""
    hidden_size: int = 384
    """Width of the hidden states (d_model)."""
    num_heads: int = 6
    """Attention heads per layer."""
    head_size: int = 64
    """Width of an attention head (d_kv)."""
    intermediate_size: int = 1024
    """Width of the feed-forward layers (d_ff)."""
    num_encoder_layers: int = 6
    """Layers of the encoder."""
    num_decoder_layers: int = 3
    """Layers of the decoder."""
    dropout: float = 0.1
    """Dropout rate."""
    steps: int = 20_000
    """Optimiser steps at most."""
    seconds: float = 0.0
    """Training time at most, in seconds; 0 sets no limit."""
    batch_size: int = 256
    """Cases per step, summed over all processes."""
    group_size: int = 4
    """Cases that enter a batch together: a case and some that are similar to it."""
    rare_charge_power: float = 0.0
    """With a power p above 0, judgments are drawn with probability 1 / frequency^p of their rarest charge, without
    articles; with 0, each case is read once per epoch."""
    max_article_share: float = 0.25
    """Largest share of statutory articles in an epoch if there are judgments too; questions take precedence."""
    learning_rate: float = 1e-3
    """Peak learning rate of AdamW."""
    decoder_learning_rate: float = 0.0
    """Peak learning rate of the parts that a checkpoint does not have: decoder and law symbols; 0: the same."""
    warmup: float = 0.03
    """Share of the run in which the learning rate rises to its peak; then it falls to zero along a cosine."""
    weight_decay: float = 0.01
    """Weight decay of AdamW."""
    max_grad_norm: float = 1.0
    """Norm to which gradients are clipped."""
    temperature: float = 0.05
    """Temperature of the cosine similarities in the contrastive losses."""
    span_weight: float = 1.0
    """Weight of the masked-span loss."""
    law_weight: float = 1.0
    """Weight of the law-path loss (facts to charge)."""
    reasoning_weight: float = 0.5
    """Weight of the reasoning-generation loss (facts to the court's reasoning)."""
    own_facts_weight: float = 0.5
    """Weight of the contrastive loss that retrieves the facts of a case by its reasoning."""
    similarity_weight: float = 0.5
    """Weight of the fact-similarity loss, whose targets are shared words and charges."""
    case_weight: float = 0.0
    """Weight of the contrastive loss between two views of a case, whose soft targets are similar cases."""
    question_weight: float = 0.0
    """Weight of the contrastive loss that retrieves the articles that answer a question."""
    article_weight: float = 0.0
    """Weight of the contrastive loss that retrieves an article by a span of its text."""
    question_batch_size: int = 64
    """Questions, and articles with a span, per step that has some."""
    question_share: float = 0.25
    """Share of the steps that have questions."""
    article_share: float = 0.25
    """Share of the steps that have articles with a span."""
    hard_negatives: int = 4
    """Articles per question that are ranked high by words but do not answer it."""
    article_length: int = 192
    """Tokens of an article that are read."""
    question_temperature: float = 0.03
    """Temperature of the cosine similarities between questions and articles."""
    log_every: int = 50
    """Steps between rows of the log."""
    checkpoint_every: int = 1000
    """Steps between checkpoints; each is preceded by a validation."""
    seed: int = 0
    """Seed of all random numbers."""

    def __post_init__(self) -> None:
        sizes = (
            "max_facts_length",
            "max_reasoning_length",
            "max_length",
            "hidden_size",
            "num_heads",
            "head_size",
            "intermediate_size",
        )
        counts = ("num_encoder_layers", "num_decoder_layers", "steps", "batch_size", "group_size", "log_every")
        weights = (
            *("span_weight", "law_weight", "reasoning_weight", "own_facts_weight", "similarity_weight"),
            *("case_weight", "question_weight", "article_weight"),
        )
        for name in (*sizes, *counts, "checkpoint_every"):
            within(name, getattr(self, name), 1)
        for name in (*weights, "seconds", "weight_decay", "neighbours", "negatives", "validation_size", "seed"):
            within(name, getattr(self, name), 0)
        for name in ("rare_charge_power", "decoder_learning_rate", "hard_negatives"):
            within(name, getattr(self, name), 0)
        for name in ("max_headings", "question_batch_size", "article_length"):
            within(name, getattr(self, name), 1)
        for name in ("learning_rate", "max_grad_norm", "temperature", "question_temperature"):
            within(name, getattr(self, name), 1e-9)
        for name in ("dropout", "warmup", "max_article_share", "question_holdout"):
            within(name, getattr(self, name), 0, 0.999)
        for name in ("question_share", "article_share"):
            within(name, getattr(self, name), 0, 1)
        one_of("pooling", self.pooling, ("", "cls", "mean"))
        within("vocab_size", self.vocab_size, 300, 65_000)  # token ids are stored in 16 bits
        if self.max_facts_length < self.max_length:
            raise InputError(
                f"setting max_facts_length: {self.max_facts_length} is less than max_length={self.max_length}",
                code=ErrorCode.INVALID_SETTING,
                remedy="raise max_facts_length or lower max_length",
                name="max_facts_length",
                value=self.max_facts_length,
            )
        if self.start and self.span_weight:
            raise InputError(
                "setting span_weight: masked spans need a model from scratch, a checkpoint has no tokens for them",
                code=ErrorCode.INVALID_SETTING,
                remedy="set span_weight=0",
                name="span_weight",
                value=self.span_weight,
            )
        if not any(getattr(self, name) for name in weights):
            raise InputError(
                "every task has weight 0, so there is nothing to learn",
                code=ErrorCode.INVALID_SETTING,
                remedy=f"set one of {', '.join(weights)} above 0",
            )

    def shape(self, vocabulary: int) -> T5Shape:
        """Return the sizes of a model from scratch, for a vocabulary that includes the sentinels."""
        from lexgear.model.t5 import T5Shape

        return T5Shape(
            vocabulary=vocabulary,
            width=self.hidden_size,
            heads=self.num_heads,
            head_width=self.head_size,
            inner=self.intermediate_size,
            encoder_layers=self.num_encoder_layers,
            decoder_layers=self.num_decoder_layers,
            dropout=self.dropout,
        )

    def to_row(self) -> dict[str, Any]:
        """Return the settings as plain values under their stored names; of the checkpoint's path, the last part."""
        values = {**asdict(self), "start": Path(self.start).name}
        return {STORED_NAMES.get(name, name): value for name, value in values.items()}
