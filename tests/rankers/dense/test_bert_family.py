"""Bi-encoders of the BERT family: pretraining, input length, pooling and labels."""

from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import kendalltau

from lexgear.model.encoder.bodies import BertBody, T5Body
from lexgear.model.encoder.longformer import WindowedEncoder
from lexgear.model.t5 import Encoder
from lexgear.rankers.dense.bert_family import Bert, ChatLawText2Vec, Lawformer, LegalBert
from lexgear.rankers.dense.bi_encoder import BiEncoderRanker, Dense
from lexgear.rankers.registry import RANKERS
from lexgear.settings import settings_from
from random_checkpoints import random_t5
from random_encoders import random_encoder
from training.small_collection import small_collection

COLLECTION = small_collection(30)
KINDS: tuple[type[BiEncoderRanker], ...] = (Bert, LegalBert, Lawformer, ChatLawText2Vec)
PUBLISHED = {
    "bert": "BERT",
    "legal_bert": "Legal-BERT",
    "lawformer": "Lawformer",
    "chatlaw_text2vec": "ChatLaw-Text2Vec",
}
STAGES = {
    "bert": ["contrastive"],
    "legal_bert": ["masked", "contrastive"],
    "lawformer": ["masked", "contrastive"],
    "chatlaw_text2vec": ["matching", "contrastive"],
}


SIZES = {
    "hidden_size": 16,
    "vocab_size": 800,
    "epochs": 1,
    "pretraining_epochs": 1,
    "batch_size": 20,
    "learning_rate": 0.01,
}


def quick(kind: type[BiEncoderRanker], backbone: str = "") -> BiEncoderRanker:
    return kind(settings_from(kind.settings_type, SIZES | {"backbone": backbone}))


@pytest.fixture(scope="module")
def rankers() -> dict[str, BiEncoderRanker]:
    return {kind.name: quick(kind).fit(COLLECTION) for kind in KINDS}


@pytest.mark.parametrize("name", STAGES)
def test_each_ranker_is_pretrained_as_its_method_requires(rankers: dict[str, BiEncoderRanker], name: str) -> None:
    known = ("masked", "matching", "contrastive")
    assert [loss for row in rankers[name].training.log for loss in known if loss in row] == STAGES[name]
    assert [row["epoch"] for row in rankers[name].training.log] == [1, 2][: len(STAGES[name])]


def test_only_lawformer_reads_long_texts_through_a_window(rankers: dict[str, BiEncoderRanker]) -> None:
    for name, ranker in rankers.items():
        body = ranker.encoder.body
        assert isinstance(body, T5Body)
        assert isinstance(body.encoder, WindowedEncoder) == (name == "lawformer")
        assert isinstance(body.encoder, Encoder)
    assert rankers["lawformer"].settings.max_length == 1024
    longest = max(rankers["lawformer"]._encode([document.text for document in COLLECTION.documents])[1].sum(1))
    assert longest > max(ranker.settings.max_length for name, ranker in rankers.items() if name != "lawformer")


def test_only_lawformer_reads_the_end_of_a_long_text(rankers: dict[str, BiEncoderRanker]) -> None:
    short, long = (
        "被告人翻墙进入商店拿走现金。" * 12,
        "被告人翻墙进入商店拿走现金。" * 12 + "持刀威胁店主，醉酒驾驶。" * 5,
    )
    for name, ranker in rankers.items():
        one, other = (ranker.encoder.read_all(*ranker._encode([text])) for text in (short, long))
        assert (one - other).abs().max().item() > 1e-4 if name == "lawformer" else (one == other).all()


def test_the_bert_family_pools_the_first_token(rankers: dict[str, BiEncoderRanker]) -> None:
    pooled = {name: ranker.encoder.pooling for name, ranker in rankers.items()}
    assert pooled == {"bert": "cls", "legal_bert": "cls", "lawformer": "cls", "chatlaw_text2vec": "mean"}


def test_no_two_rankers_give_the_same_ranking(rankers: dict[str, BiEncoderRanker]) -> None:
    queries = COLLECTION.queries
    scores = {
        name: [{hit.document: hit.score for hit in hits} for hits in ranker.search(queries, 100)]
        for name, ranker in rankers.items()
    }
    names = [*scores]
    documents = [document.id for document in COLLECTION.documents]
    for place, one in enumerate(names):
        for other in names[:place]:
            taus = [
                kendalltau([mine[name] for name in documents], [theirs[name] for name in documents]).statistic
                for mine, theirs in zip(scores[one], scores[other], strict=True)
            ]
            assert sum(taus) / len(taus) < 0.9


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_without_the_published_checkpoint_never_has_its_name_in_tables(kind: type[BiEncoderRanker]) -> None:
    scratch, based = kind(), kind(replace(kind.settings_type(), backbone="shipped"))
    assert scratch.label() == kind.label_from_scratch
    assert kind.label_from_scratch.endswith("from scratch")
    for ranker in (scratch, based):
        assert PUBLISHED[kind.name] not in ranker.label().replace("BERT architecture", "")
    assert based.label().endswith("from a base model of lexgear")


@pytest.mark.parametrize(
    ("kind", "family", "name"),
    [
        (LegalBert, "bert", "chinese-legal-bert"),
        (Lawformer, "longformer", "Lawformer"),
        (ChatLawText2Vec, "bert", "ChatLaw_Text2Vec"),
    ],
)
def test_a_published_checkpoint_is_used_without_further_pretraining(
    kind: type[BiEncoderRanker], family: str, name: str, tmp_path: Path
) -> None:
    small = small_collection(20)
    (tmp_path / name).mkdir()
    random_encoder(tmp_path / name, family, [document.text for document in small.documents])
    ranker = quick(kind, backbone=str(tmp_path / name)).fit(small)
    assert isinstance(ranker.encoder.body, BertBody)
    assert [{"masked", "matching"} & row.keys() for row in ranker.training.log] == [set()]
    assert ranker.label() == f"{PUBLISHED[kind.name]} ({name})"


@pytest.mark.parametrize("kind", [Bert, LegalBert, Lawformer, ChatLawText2Vec])
def test_another_checkpoint_does_not_earn_the_name_of_the_published_model(
    kind: type[BiEncoderRanker], tmp_path: Path
) -> None:
    (tmp_path / "bge").mkdir()
    (tmp_path / "bge" / "config.json").write_text('{"model_type": "bert"}')
    ranker = kind(replace(kind.settings_type(), backbone=str(tmp_path / "bge")))
    assert ranker.starts_from_other_checkpoint()
    assert ranker.label() == kind.label_from_scratch.replace("from scratch", "from bge")
    (tmp_path / "bge" / "config.json").write_text(f'{{"model_type": "bert", "_name_or_path": "x/{kind.checkpoint}"}}')
    assert ranker.label() == f"{PUBLISHED[kind.name]} (bge)"


def test_a_t5_checkpoint_does_not_count_as_published_and_is_pretrained(tmp_path: Path) -> None:
    checkpoint = random_t5(tmp_path, d_model=16, d_kv=8, d_ff=24, num_layers=1, num_heads=2, vocab_size=1500)
    ranker = quick(LegalBert, backbone=str(checkpoint)).fit(small_collection(20))
    assert "masked" in ranker.training.log[0]
    assert ranker.label() == f"masked-text pretraining only, from {checkpoint.name}"


def test_all_rankers_are_registered() -> None:
    kinds: list[type[BiEncoderRanker]] = [Dense, *KINDS]
    assert all(RANKERS[kind.name] is kind for kind in kinds)
