"""The bi-encoders that the paper compares with; each differs from `dense` in pooling, pretraining or input length.

With the published checkpoint as `backbone` a row is that model, fine-tuned. Without it, a row is the method alone: the
same small encoder as every other row (T5's, not BERT's: relative positions, no segments), pretrained as the method asks
on the texts of the collection only. The label in tables says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from lexgear.rankers.dense.bi_encoder import BiEncoderRanker
from lexgear.rankers.dense.settings import ContrastiveSettings, DenseSettings
from lexgear.rankers.model_settings import ENCODER_WITH_BACKBONE, TrainingSettings


@dataclass(frozen=True, slots=True)
class BertSettings(DenseSettings):
    """Settings of `bert`."""

    pooling: Literal["cls", "mean"] = "cls"


class Bert(BiEncoderRanker):
    """BERT (Devlin et al., NAACL 2019): the state of the first token is the vector of a text; no pretraining here."""

    name = "bert"
    settings_type = BertSettings
    label_from_scratch, published = "BERT architecture, from scratch", "BERT"
    checkpoint = "bert"


@dataclass(frozen=True, slots=True)
class LegalBertSettings(DenseSettings):
    """Settings of `legal_bert`."""

    pooling: Literal["cls", "mean"] = "cls"
    pretraining: Literal["none", "masked", "matching"] = "masked"


class LegalBert(BiEncoderRanker):
    """Legal-BERT (Chalkidis et al., Findings of EMNLP 2020): BERT pretrained on masked tokens of legal texts."""

    name = "legal_bert"
    settings_type = LegalBertSettings
    label_from_scratch, published = "masked-text pretraining only, from scratch", "Legal-BERT"
    checkpoint = "legal-bert"


@dataclass(frozen=True, slots=True)
class LawformerSettings(DenseSettings):
    """Settings of `lawformer`: smaller batches and fewer epochs, since every text is read to its end."""

    with_backbone: ClassVar[Mapping[str, Any]] = {**ENCODER_WITH_BACKBONE, "max_length": 1024}
    max_length: int = 1024
    """Longest input in tokens."""
    pooling: Literal["cls", "mean"] = "cls"
    attention_window: int = 64
    pretraining: Literal["none", "masked", "matching"] = "masked"
    pretraining_epochs: int = 1
    """Epochs of pretraining on the collection."""
    training: TrainingSettings = TrainingSettings(epochs=3, query_epochs=20, batch_size=16)
    contrast: ContrastiveSettings = ContrastiveSettings(queries_per_batch=4, hard_negatives=1, negative_refresh=1)


class Lawformer(BiEncoderRanker):
    """Lawformer (Xiao et al., AI Open 2021): long texts; tokens attend to their neighbours, the first token to all.

    Differences: query and document are read one by one, while Lawformer's retrieval reads both as one text.
    """

    name = "lawformer"
    settings_type = LawformerSettings
    label_from_scratch, published = "long input, from scratch", "Lawformer"
    checkpoint = "lawformer"


@dataclass(frozen=True, slots=True)
class Text2VecSettings(DenseSettings):
    """Settings of `chatlaw_text2vec`."""

    pretraining: Literal["none", "masked", "matching"] = "matching"


class ChatLawText2Vec(BiEncoderRanker):
    """ChatLaw-Text2Vec (Cui et al., 2023): an encoder pretrained on text matching.

    The published model learnt from labelled pairs of legal texts; here two halves of a document match.
    """

    name = "chatlaw_text2vec"
    settings_type = Text2VecSettings
    label_from_scratch, published = "contrastive text matching, from scratch", "ChatLaw-Text2Vec"
    checkpoint = "text2vec"
