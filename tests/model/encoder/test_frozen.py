"""Frozen encoders: unit vectors, the same after loading, unchanged by training."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.errors import InputError
from lexgear.model.checkpoints import Backbone
from lexgear.model.encoder.frozen import BackboneEncoder, BertEncoder
from lexgear.model.t5 import T5Shape
from lexgear.model.tokenizer import Tokens
from lexgear.rationale.extract import Extractor
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import RationaleSettings
from random_checkpoints import random_bert
from random_encoders import random_encoder

TEXTS = ["盗窃", "抢劫财物" * 20, "", "暴力"]
CHARGES = {"盗窃罪": "秘密窃取公私财物", "抢劫罪": "以暴力当场抢劫公私财物"}


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_bert(tmp_path_factory.mktemp("bert"))


def test_a_bert_directory_gives_unit_vectors_whatever_the_batch(bert: Path) -> None:
    alone = BertEncoder.of_checkpoint(bert, batch=1).encode(TEXTS)
    together = BertEncoder.of_checkpoint(bert, batch=4).encode(TEXTS)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1)
    assert alone == pytest.approx(together, abs=1e-5)
    assert np.abs(together[0] - together[3]).max() > 0.01
    assert BertEncoder.of_checkpoint(bert).encode([]).shape == (0, 16)


def test_a_vector_is_the_mean_of_transformers_last_states(bert: Path) -> None:
    transformers = pytest.importorskip("transformers")
    model = transformers.BertModel.from_pretrained(bert).eval()
    batch = transformers.BertTokenizer(str(bert / "vocab.txt"))("抢劫财物", return_tensors="pt")
    with torch.inference_mode():
        mean = model(**batch).last_hidden_state[0].mean(0)
    assert BertEncoder.of_checkpoint(bert).encode(["抢劫财物"])[0] == pytest.approx(
        (mean / mean.norm()).numpy(), abs=1e-5
    )


def test_a_longformer_attends_to_the_whole_text_from_its_first_token(tmp_path: Path) -> None:
    texts = ["".join(chr(0x4E00 + number) for number in range(40))]
    frozen = BertEncoder.of_checkpoint(random_encoder(tmp_path, "longformer", texts))
    numbers, mask = (torch.from_numpy(part) for part in frozen.tokens.encode(texts, 512))
    masks = {"attention_mask": mask.long(), "global_attention_mask": torch.zeros_like(numbers)}
    masks["global_attention_mask"][:, 0] = 1
    with torch.no_grad():
        mean = frozen.model(input_ids=numbers, **masks).last_hidden_state[0].mean(0)
    wanted = torch.nn.functional.normalize(mean, dim=0).numpy()
    assert frozen.encode(texts)[0] == pytest.approx(wanted, abs=1e-5)


def test_a_bert_comes_back_from_the_parts_of_an_index(bert: Path, tmp_path: Path) -> None:
    encoder = BertEncoder.of_checkpoint(bert)
    encoder.save(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "prototypes-config.json",
        "prototypes-tokenizer.json",
        "prototypes.safetensors",
    ]
    assert np.array_equal(BertEncoder.load(tmp_path).encode(TEXTS), encoder.encode(TEXTS))


def test_a_bert_serves_f_r(bert: Path) -> None:
    settings = RationaleSettings(k3=1)
    extractor = Extractor(Lexicon.from_charges(CHARGES, "zh"), settings, BertEncoder.of_checkpoint(bert))
    part = extractor.query("天气晴朗。夜深人静。").sentences[0]
    assert part.charge in CHARGES or part.score <= 0
    assert -0.1 <= part.score <= 0.1


def test_a_directory_without_a_bert_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"config\.json"):
        BertEncoder.of_checkpoint(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "t5"}))
    with pytest.raises(InputError, match="not a checkpoint of the BERT family"):
        BertEncoder.of_checkpoint(tmp_path)


def test_a_backbones_encoder_stays_as_it_was_and_comes_back_from_disk(tmp_path: Path) -> None:
    tokens = Tokens.train(["盗窃财物", "抢劫财物"] * 5, language="zh", size=100)
    torch.manual_seed(1)
    backbone = Backbone(T5Shape(tokens.size, width=16, heads=2, head_width=8, inner=24, encoder_layers=1))
    encoder = BackboneEncoder.of(backbone, tokens)
    before = encoder.encode(TEXTS)
    with torch.no_grad():
        for weight in backbone.parameters():
            weight.add_(1.0)
    assert np.array_equal(encoder.encode(TEXTS), before)
    assert np.linalg.norm(before, axis=1) == pytest.approx(1)
    encoder.save(tmp_path)
    assert np.array_equal(BackboneEncoder.load(tmp_path, backbone.shape, tokens).encode(TEXTS), before)
