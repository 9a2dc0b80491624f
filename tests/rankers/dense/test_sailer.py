"""SAILER: pretraining with decoders that see only a vector and masked text, then a bi-encoder."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear import api
from lexgear.corpus.records import Citation, Document, Penalty
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.errors import InputError
from lexgear.model.encoder.bodies import BertBody, Masking, T5Body, body_of_checkpoint
from lexgear.model.encoder.sailer import BertStructureModel, T5StructureModel
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.model.t5 import T5Shape
from lexgear.rankers.dense.bi_encoder import Dense
from lexgear.rankers.dense.case_parts import reasoning, verdict
from lexgear.rankers.dense.sailer import Sailer, SailerSettings
from lexgear.settings import changed, configure, settings_from, settings_row
from lexgear.training.examples import Examples
from lexgear.training.objectives.masked import mask_tokens
from lexgear.training.objectives.sailer import StructureObjective, hide_tokens
from random_checkpoints import random_bert
from random_encoders import random_encoder
from training.small_collection import TINY, small_collection

COLLECTION = small_collection()
QUICK = configure(SailerSettings, **TINY, pretraining_epochs=2, query_epochs=1)
SHAPE = T5Shape(vocabulary=50, width=16, heads=2, head_width=8, inner=32, encoder_layers=1, decoder_layers=0, dropout=0)


@pytest.fixture(scope="module")
def sailer() -> Sailer:
    return Sailer(QUICK).fit(COLLECTION)


@pytest.fixture
def model() -> T5StructureModel:
    torch.manual_seed(0)
    body = T5Body(SHAPE, cls=True)
    return T5StructureModel(TextEncoder(body, "cls"), body, ("reasoning", "verdict")).eval()


def some_texts(rows: int = 4, length: int = 12) -> Examples:
    numbers = np.random.default_rng(3).integers(1, 40, (rows, length))
    return Examples(numbers, np.ones((rows, length), np.bool_), [np.zeros(0, np.int64)] * rows)


def test_no_masked_token_reaches_a_decoder(model: T5StructureModel) -> None:
    texts = some_texts(200)
    shown = hide_tokens(texts, 0.45, model.masking, np.random.default_rng(0))
    assert 0.42 < shown.wanted.mean() < 0.48
    assert (shown.numbers[shown.wanted] == model.masking.hidden).all()
    assert (shown.numbers[~shown.wanted] == texts.numbers[~shown.wanted]).all()
    others = Examples(np.where(shown.wanted, 41, texts.numbers), texts.mask, texts.leaves)
    again = hide_tokens(others, 0.45, model.masking, np.random.default_rng(0))
    vectors, seen = torch.randn(200, SHAPE.width), torch.from_numpy(texts.mask)
    one, other = (model.decode("verdict", vectors, torch.from_numpy(part.numbers), seen) for part in (shown, again))
    assert torch.equal(one, other)


def test_a_decoder_sees_the_vector_of_the_facts_and_none_of_their_other_states(model: T5StructureModel) -> None:
    texts, seen = torch.from_numpy(some_texts().numbers), torch.ones(4, 12, dtype=torch.bool)
    states, vectors = model.read(texts, seen)
    states.retain_grad()
    vectors.retain_grad()
    told = model.decode("reasoning", vectors, texts.flip(0), seen)
    told.sum().backward()  # type: ignore[no-untyped-call]
    assert vectors.grad is not None
    assert vectors.grad.abs().sum() > 0
    assert states.grad is None  # the vector is taken at the first place; those of the text are not on the way
    assert not torch.allclose(told, model.decode("reasoning", -vectors, texts.flip(0), seen))
    assert not torch.allclose(told, model.decode("verdict", vectors, texts.flip(0), seen))


@pytest.mark.parametrize("name", ["masked", "reasoning", "verdict"])
def test_every_loss_has_a_gradient_in_the_encoder(model: T5StructureModel, name: str) -> None:
    objective = StructureObjective(model, some_texts(), {"reasoning": some_texts(), "verdict": some_texts()})
    objective.losses(np.arange(4), np.random.default_rng(0))[name].backward()  # type: ignore[no-untyped-call]
    learnt = [value.grad for value in model.body.encoder.parameters()]
    assert all(gradient is not None and gradient.abs().sum() > 0 for gradient in learnt)
    assert objective.tokens == 3 * 4 * 12


def test_a_batch_without_verdicts_is_accepted(model: T5StructureModel) -> None:
    blank = replace(some_texts(), mask=np.zeros((4, 12), np.bool_))
    objective = StructureObjective(model, some_texts(), {"verdict": blank})
    losses = objective.losses(np.arange(4), np.random.default_rng(0))
    assert losses["verdict"] == 0
    assert objective.tokens == 4 * 12


def test_pretraining_runs_first_and_changes_the_weights(sailer: Sailer) -> None:
    assert [row["epoch"] for row in sailer.training.log] == [1, 2, 3, 4]
    assert {"masked", "reasoning", "verdict"} <= sailer.training.log[0].keys()
    assert sailer.training.log[1]["verdict"] < sailer.training.log[0]["verdict"]
    assert "contrastive" in sailer.training.log[-1]
    shared = settings_row(Dense().settings).keys()
    row = {name: value for name, value in settings_row(QUICK).items() if name in shared}
    dense = Dense(settings_from(Dense.settings_type, row)).fit(COLLECTION)  # pretrains nothing
    mine, theirs = sailer.encoder.state_dict(), dense.encoder.state_dict()
    assert mine.keys() == theirs.keys()
    assert not any(torch.equal(mine[name], theirs[name]) for name in mine)
    assert sailer.search(COLLECTION.queries[:3], 10) != dense.search(COLLECTION.queries[:3], 10)


def test_barred_judgments_are_not_pretrained_on() -> None:
    barred = COLLECTION.documents[0]
    source = {"never_train_on": barred.id}
    others = (replace(barred, sections=dict(barred.sections) | {"verdict": "另一个判决。"}), *COLLECTION.documents[1:])
    one, other = (
        Sailer(changed(QUICK, epochs=1)).fit(replace(COLLECTION, documents=documents, source=source))
        for documents in (COLLECTION.documents, others)
    )
    assert one.training.log == other.training.log


def test_a_missing_verdict_section_is_composed_from_the_record() -> None:
    [document] = COLLECTION.documents[:1]
    assert verdict(document) == document.sections["verdict"]
    assert reasoning(document) == document.sections["reasoning"]
    bare = Document(
        "d",
        {"fact": "事实"},
        charges=("盗窃罪", "抢劫罪"),
        articles=(Citation("刑法", "264"),),
        penalty=Penalty("imprisonment", 17, 24, 2000),
    )
    assert verdict(bare) == "犯盗窃罪、抢劫罪，依照刑法第264条，判处有期徒刑17个月，缓刑24个月，罚金2000元"
    assert verdict(Document("d", {"fact": "事实"})) == reasoning(Document("d")) == ""


def test_statutes_without_verdicts_are_noted() -> None:
    statutes = sample_statutes()
    fitted = Sailer(changed(QUICK, epochs=1)).fit(replace(statutes, documents=statutes.documents[:20], queries=()))
    assert "no document has a verdict to pretrain on" in fitted.training.notes
    assert {"masked", "reasoning", "verdict"} & fitted.training.log[0].keys() == {"masked"}


def test_the_label_says_what_the_model_started_from() -> None:
    assert Sailer(QUICK).label() == "SAILER's pretraining, from scratch"
    assert Sailer(changed(QUICK, backbone="shipped")).label() == "SAILER's pretraining, from a base model of lexgear"
    assert Sailer(changed(QUICK, backbone="CSHaitao/SAILER_zh")).label() == "SAILER (CSHaitao/SAILER_zh)"
    assert Sailer(changed(QUICK, backbone="BAAI/bge")).label() == "SAILER's pretraining, from BAAI/bge"


def test_its_own_checkpoint_is_not_pretrained_again(tmp_path: Path) -> None:
    (tmp_path / "SAILER_zh").mkdir()
    settings = changed(QUICK, backbone=str(random_bert(tmp_path / "SAILER_zh")), epochs=1, max_length=512)
    fitted = Sailer(settings).fit(COLLECTION)
    assert [row["epoch"] for row in fitted.training.log] == [1]
    assert "contrastive" in fitted.training.log[0]
    assert isinstance(fitted.encoder.body, BertBody)
    assert fitted.label() == "SAILER (SAILER_zh)"


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_another_bert_is_pretrained_to_predict_reasoning_and_verdict(kind: str, tmp_path: Path) -> None:
    checkpoint = random_encoder(tmp_path, kind, [document.text for document in COLLECTION.documents])
    values = TINY | {"pretraining_epochs": 3, "backbone": str(checkpoint), "max_length": 60, "epochs": 1}
    values |= {"learning_rate": 0.005, "decoder_learning_rate": 0.02}  # for random weights
    settings = configure(SailerSettings, **values)
    fitted = Sailer(settings).fit(COLLECTION)
    first, *_, last, tuned = fitted.training.log
    for name in ("masked", "reasoning", "verdict"):
        assert last[name] < first[name]
    assert "contrastive" in tuned
    again = Sailer(settings).fit(COLLECTION)
    assert again.search(COLLECTION.queries[:3], 5) == fitted.search(COLLECTION.queries[:3], 5)


@pytest.fixture
def bert_model(tmp_path: Path) -> BertStructureModel:
    body, tokens = body_of_checkpoint(random_bert(tmp_path), dropout=0.0, cls=True, window=0)
    assert isinstance(body, BertBody)
    mask = tokens.mask()
    assert mask is not None
    masking = Masking(mask, tokens.size, tuple(tokens.special_ids()))
    return BertStructureModel(TextEncoder(body, "cls"), body, ("verdict",), masking).eval()


def test_special_tokens_of_a_bert_are_never_masked(bert_model: BertStructureModel) -> None:
    numbers = np.tile([2, 5, 6, 7, 8, 9, 10, 11, 3, 0], (300, 1))
    texts = Examples(numbers, numbers > 0, [np.zeros(0, np.int64)] * 300)
    for shown in (
        mask_tokens(texts, 0.15, bert_model.masking, np.random.default_rng(0)),
        hide_tokens(texts, 0.45, bert_model.masking, np.random.default_rng(0)),
    ):
        assert not shown.wanted[:, [0, 8, 9]].any()
        assert (shown.numbers[:, [0, 8, 9]] == [2, 3, 0]).all()
        assert (shown.numbers == 4).any()  # [MASK]


def test_a_decoder_of_a_bert_sees_the_state_of_cls_and_no_other(bert_model: BertStructureModel) -> None:
    tokens, seen = torch.tensor([[2, 5, 6, 7, 3]]), torch.ones(1, 5, dtype=torch.bool)
    states, vectors = bert_model.read(tokens, seen)
    assert torch.equal(vectors, states[:, 0])
    told = bert_model.decode("verdict", vectors, tokens.flip(1), seen)
    # One feature: the sum over all is constant after layer normalisation, and its gradient nothing but rounding.
    gradient = torch.autograd.grad(told[..., 0].sum(), states, allow_unused=True)[0]
    assert gradient is not None
    assert gradient[:, 1:].abs().sum() == 0 < gradient[:, 0].abs().sum()
    # The vector stands in place of the part's own first token.
    other = bert_model.decode("verdict", vectors, torch.tensor([[9, 7, 6, 5, 2]]), seen)
    assert torch.equal(told, other)


@pytest.mark.parametrize(("name", "value"), [("pretraining", "masked"), ("pretraining_epochs", 0)])
def test_settings_that_skip_the_pretraining_of_sailer_are_refused(name: str, value: object) -> None:
    with pytest.raises(InputError, match=name):
        settings_from(SailerSettings, {name: value})


def test_a_saved_sailer_ranks_as_before(sailer: Sailer, tmp_path: Path) -> None:
    sailer.save(tmp_path)
    loaded = Sailer.load(tmp_path, settings_from(SailerSettings, settings_row(QUICK)))
    assert loaded.search(COLLECTION.queries[:4], 5) == sailer.search(COLLECTION.queries[:4], 5)


def test_the_same_seed_gives_the_same_weights(sailer: Sailer) -> None:
    mine, again = (one.encoder.state_dict() for one in (sailer, Sailer(QUICK).fit(COLLECTION)))
    assert all(torch.equal(mine[name], again[name]) for name in mine)


def test_with_queries_skips_pretraining_and_leaves_the_original_unchanged() -> None:
    indexed = Sailer(QUICK).fit(replace(COLLECTION, queries=(), qrels={}))
    hits = indexed.search(COLLECTION.queries[:2], 5)
    updated = indexed.with_queries(COLLECTION)
    assert indexed.search(COLLECTION.queries[:2], 5) == hits
    assert updated.search(COLLECTION.queries[:2], 5) != hits
    assert "masked" not in updated.training.log[-1]
    assert updated.tokens is indexed.tokens


def test_training_resumes_in_the_pretraining_stage(tmp_path: Path, sailer: Sailer) -> None:
    class StoppedError(Exception):
        pass

    def stop(done: int, total: int | None, note: str = "") -> None:
        if note.startswith("epoch 2"):
            raise StoppedError

    with pytest.raises(StoppedError):
        api.train(COLLECTION, Sailer(QUICK), tmp_path / "index", stop)
    resumed = Sailer(QUICK)
    api.train(COLLECTION, resumed, tmp_path / "index")
    assert resumed.training.log == sailer.training.log
