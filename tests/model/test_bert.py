"""Our BERT encoder against that of transformers, and as the reader of a generator."""

from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.errors import InputError
from lexgear.model.bert import BertEncoder
from lexgear.model.checkpoints import Backbone, load_checkpoint, pretrained
from lexgear.model.generator.generator import Generator
from lexgear.model.t5 import T5Shape
from lexgear.rankers.generative.dsi import Dsi
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.generative.settings import GenerativeSettings
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.settings import configure, settings_from, settings_row
from random_encoders import random_encoder
from shared_data import real_encoder
from training.small_collection import small_collection

TEXTS = ["被告人翻墙进入商店，拿走现金五千余元。", "被告人持刀威胁店主。", "醉酒驾驶小型汽车"]
SMALL = {"epochs": 1, "batch_size": 8, "max_length": 48, "learning_rate": 1e-4}


def assert_same_states(directory: Path, texts: list[str]) -> None:
    """Compare the states of all tokens of a padded batch with those of transformers."""
    backbone, tokens = load_checkpoint(str(directory), dropout=0.1)
    theirs = pretrained("AutoModel", directory).eval()
    numbers, mask = tokens.encode(texts, 64)
    padded = np.where(mask, numbers, theirs.config.pad_token_id)
    with torch.inference_mode():
        ours = backbone.eval().encoder(backbone.embed(torch.from_numpy(numbers).long()), torch.from_numpy(mask))
        expected = theirs(
            input_ids=torch.from_numpy(padded).long(), attention_mask=torch.from_numpy(mask).long()
        ).last_hidden_state
    assert mask.any(1).all()
    assert not mask.all()
    torch.testing.assert_close(ours[mask], expected[mask], atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_states_equal_those_of_transformers(kind: str, tmp_path: Path) -> None:
    assert_same_states(random_encoder(tmp_path, kind, TEXTS), TEXTS)


def test_first_states_equal_those_of_all_positions(tmp_path: Path) -> None:
    backbone, tokens = load_checkpoint(str(random_encoder(tmp_path, "bert", TEXTS)), dropout=0.1)
    encoder = backbone.eval().encoder
    assert isinstance(encoder, BertEncoder)
    numbers, mask = tokens.encode(TEXTS, 64)
    with torch.inference_mode():
        embedded, seen = backbone.embed(torch.from_numpy(numbers).long()), torch.from_numpy(mask)
        torch.testing.assert_close(encoder.first_states(embedded, seen), encoder(embedded, seen)[:, 0])


@pytest.mark.parametrize("name", ["bge", "e5"])
def test_states_of_the_real_encoders_equal_those_of_transformers(name: str) -> None:
    assert_same_states(real_encoder(name), [*TEXTS, "Le bailleur rend la garantie locative."])


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_untrained_generator_keeps_the_vectors_of_the_encoder(pooling: str, tmp_path: Path) -> None:
    directory = random_encoder(tmp_path, "bert", TEXTS)
    (directory / "1_Pooling").mkdir()
    (directory / "1_Pooling" / "config.json").write_text(
        f'{{"pooling_mode_cls_token": {str(pooling == "cls").lower()}}}'
    )
    backbone, tokens = load_checkpoint(str(directory), dropout=0.1)
    generator = Generator(backbone, law_symbols=3).eval()
    numbers, mask = tokens.encode(TEXTS[:1], 64)
    [states] = pretrained("AutoModel", directory).eval()(input_ids=torch.from_numpy(numbers).long()).last_hidden_state
    expected = states[0] if pooling == "cls" else states.mean(0)
    [vector] = generator.vectors(generator.read(numbers, mask))
    torch.testing.assert_close(vector, expected / expected.norm(), atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_sizes_come_back_from_plain_values(kind: str, tmp_path: Path) -> None:
    backbone, _ = load_checkpoint(str(random_encoder(tmp_path, kind, TEXTS)), 0.0, decoder_layers=2)
    shape = T5Shape.from_row(backbone.shape.to_row())
    assert shape == backbone.shape
    assert shape.max_length == {"bert": 66, "roberta": 64}[kind]
    assert Backbone(shape).state_dict().keys() == backbone.state_dict().keys()
    assert len(backbone.decoder.blocks) == 2


def test_a_text_longer_than_the_position_table_is_an_input_error(tmp_path: Path) -> None:
    backbone, _ = load_checkpoint(str(random_encoder(tmp_path, "bert", TEXTS)), 0.0)
    with pytest.raises(InputError, match="at most 66"):
        backbone.encoder(torch.zeros(1, 67, 16), torch.ones(1, 67, dtype=torch.bool))


def test_a_type_that_is_not_supported_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'longformer'.*bert, roberta"):
        load_checkpoint(str(random_encoder(tmp_path, "longformer", TEXTS)), 0.0)


@pytest.mark.parametrize(
    ("ranker", "settings"), [(Gear, GearSettings), (Dsi, GenerativeSettings), (Lexgear, LexgearSettings)]
)
@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_generators_train_save_and_load_with_a_bert_as_reader(
    ranker: type[Gear | Dsi | Lexgear], settings: type[GearSettings], kind: str, tmp_path: Path
) -> None:
    collection = small_collection(20)
    (tmp_path / "encoder").mkdir()
    texts = [document.text for document in collection.documents]
    checkpoint = random_encoder(tmp_path / "encoder", kind, texts)
    made = ranker(configure(settings, backbone=str(checkpoint), **SMALL)).fit(collection)
    before = load_checkpoint(str(checkpoint), 0.0)[0].state_dict()
    learnt = made.parts.generator.backbone.state_dict()
    assert any(not torch.equal(learnt[name], before[name]) for name in before if name.startswith("encoder."))
    (tmp_path / "index").mkdir()
    made.save(tmp_path / "index")
    loaded = ranker.load(tmp_path / "index", settings_from(settings, settings_row(made.settings)))
    assert loaded.search(collection.queries[:3], 5) == made.search(collection.queries[:3], 5)
