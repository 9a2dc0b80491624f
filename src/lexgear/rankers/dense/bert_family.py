"""The bi-encoders that the paper compares with, each by what sets it apart; all learn to find documents as `dense`.

With the published checkpoint as `backbone` a row is that model, fine-tuned. Without it, it is the method alone: the
same small encoder as every other row (T5's, not BERT's: relative places, no segments), pretrained as the method asks on
the texts of the collection and no others. `row_name` says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from lexgear.rankers.dense.bi_encoder import Dense
from lexgear.rankers.dense.settings import DenseSettings


@dataclass(frozen=True, slots=True)
class BertSettings(DenseSettings):
    """Settings of `bert`."""

    pooling: str = "cls"


class Bert(Dense):
    """BERT (Devlin et al., NAACL 2019): the state of the first place speaks for a text; nothing is pretrained here."""

    name = "bert"
    summary = "BERT architecture read at its first place, from scratch; or a BERT checkpoint"
    settings_type = BertSettings
    row_name, published = "BERT architecture, from scratch", "BERT"


@dataclass(frozen=True, slots=True)
class LegalBertSettings(BertSettings):
    """Settings of `legal_bert`."""

    pretraining: str = "masked"


class LegalBert(Dense):
    """Legal-BERT (Chalkidis et al., Findings of EMNLP 2020): BERT whose masked tokens are those of legal texts."""

    name = "legal_bert"
    summary = "masked-text pretraining on the collection, then as bert; or a Legal-BERT checkpoint"
    settings_type = LegalBertSettings
    row_name, published = "masked-text pretraining only, from scratch", "Legal-BERT"


@dataclass(frozen=True, slots=True)
class LawformerSettings(LegalBertSettings):
    """Settings of `lawformer`: smaller batches and fewer epochs, since every text is read to its end."""

    tokens: int = 1024
    window: int = 64
    pretraining_epochs: int = 1
    epochs: int = 3
    batch: int = 16
    queries_a_batch: int = 4
    negatives: int = 1
    refresh: int = 1


class Lawformer(Dense):
    """Lawformer (Xiao et al., AI Open 2021): long texts, each token sees its neighbours and the first sees all."""

    name = "lawformer"
    summary = "long input: 1,024 tokens by Longformer's attention, masked-text pretraining; or a Lawformer checkpoint"
    settings_type = LawformerSettings
    row_name, published = "long input, from scratch", "Lawformer"


@dataclass(frozen=True, slots=True)
class Text2VecSettings(DenseSettings):
    """Settings of `chatlaw_text2vec`."""

    pretraining: str = "matching"


class ChatLawText2Vec(Dense):
    """ChatLaw-Text2Vec (Cui et al., 2023): an encoder that has learnt first which texts match.

    Theirs learnt from labelled pairs of legal texts; here two halves of a document match.
    """

    name = "chatlaw_text2vec"
    summary = "contrastive text matching on the collection first; or a ChatLaw-Text2Vec checkpoint"
    settings_type = Text2VecSettings
    row_name, published = "contrastive text matching, from scratch", "ChatLaw-Text2Vec"
