"""Unit vectors of texts, from a T5's encoder or any model of the BERT family."""

from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.errors import InputError
from lexgear.model.encoder.bodies import BertBody, Body, T5Body, body_of_checkpoint
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.model.t5 import T5Shape
from random_checkpoints import random_t5
from random_encoders import random_encoder

SHAPE = T5Shape(60, width=16, heads=2, head_width=8, inner=32, encoder_layers=1, dropout=0.0)
TEXTS = [
    "被告人翻墙进入商店，拿走现金。",
    "被告人持刀威胁店主。",
    "醉酒驾驶。",
    "秘密窃取他人财物，数额较大，其行为构成犯罪。",
]
KINDS = ("bert", "roberta", "longformer")


def read(encoder: TextEncoder, rows: list[list[int]]) -> torch.Tensor:
    lengths = np.array([len(row) for row in rows])
    numbers = np.array([row + [0] * (max(lengths) - len(row)) for row in rows])
    return encoder.read(numbers, np.arange(max(lengths)) < lengths[:, None]).detach()


@pytest.fixture(scope="module", params=[*KINDS, "t5"])
def checkpoint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp(request.param)
    if request.param != "t5":
        return random_encoder(directory, request.param, TEXTS)
    return random_t5(directory, d_model=16, d_ff=32, d_kv=8, num_heads=2, num_layers=1, num_decoder_layers=1)


def loaded(checkpoint: Path, pooling: str) -> tuple[TextEncoder, Body]:
    body, _ = body_of_checkpoint(checkpoint, dropout=0.0, cls=pooling == "cls", window=0)
    return TextEncoder(body, pooling).eval(), body


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_vectors_have_unit_length_and_padding_does_not_move_them(pooling: str) -> None:
    torch.manual_seed(0)
    encoder = TextEncoder(T5Body(SHAPE, cls=pooling == "cls"), pooling).eval()
    together = read(encoder, [[5, 6, 7], [8, 9, 10, 11, 12]])
    assert torch.allclose(together.norm(dim=1), torch.ones(2))
    torch.testing.assert_close(together[:1], read(encoder, [[5, 6, 7]]))


def test_the_first_place_and_the_mean_are_two_ways_to_read_the_same_states() -> None:
    torch.manual_seed(0)
    body = T5Body(SHAPE, cls=True)
    first, mean = (read(TextEncoder(body, pooling).eval(), [[5, 6, 7]]) for pooling in ("cls", "mean"))
    states = body.states(torch.tensor([[5, 6, 7]]), torch.ones(1, 3, dtype=torch.bool))[0]
    torch.testing.assert_close(first[0], torch.nn.functional.normalize(states[0], dim=0))
    torch.testing.assert_close(mean[0], torch.nn.functional.normalize(states[1:].mean(0), dim=0))


def test_many_texts_have_the_vectors_they_have_alone_in_their_own_order() -> None:
    torch.manual_seed(0)
    encoder = TextEncoder(T5Body(SHAPE), "mean")
    rng = np.random.default_rng(0)
    lengths = rng.integers(1, 20, 150)
    numbers, mask = rng.integers(0, 60, (150, 20)), np.arange(20) < lengths[:, None]
    every = encoder.read_all(numbers, mask)
    assert encoder.training  # as it was before
    for place in (0, 77, 149):
        row = numbers[place, : lengths[place]].tolist()
        torch.testing.assert_close(every[place], read(encoder.eval(), [row])[0])


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_a_saved_encoder_gives_the_same_vectors(checkpoint: Path, pooling: str, tmp_path: Path) -> None:
    encoder, _ = loaded(checkpoint, pooling)
    encoder.save(tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".safetensors"}
    rows = [[2, 7, 8, 9, 3], [2, 10, 3]]
    assert torch.equal(read(TextEncoder.load(tmp_path), rows), read(encoder, rows))


@pytest.mark.parametrize("kind", KINDS)
def test_the_states_are_those_of_transformers(kind: str, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    _, body = loaded(random_encoder(tmp_path, kind, TEXTS), "cls")
    theirs = transformers.AutoModel.from_pretrained(tmp_path).eval()
    padding, row = theirs.config.pad_token_id, [2, 7, 8, 9, 3]
    tokens = torch.tensor([row + [padding] * 3])
    options = {"attention_mask": torch.tensor([[1] * 5 + [0] * 3])}
    if kind == "longformer":
        options["global_attention_mask"] = torch.tensor([[1] + [0] * 7])
    wanted = theirs(input_ids=tokens, **options).last_hidden_state[0, :5].detach()
    seen = torch.arange(8).unsqueeze(0) < 5
    torch.testing.assert_close(body.states(tokens.masked_fill(~seen, 0), seen)[0, :5].detach(), wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_the_longest_text_that_a_checkpoint_can_read_can_be_read(kind: str, tmp_path: Path) -> None:
    encoder, body = loaded(random_encoder(tmp_path, kind, TEXTS), "cls")
    assert isinstance(body, BertBody)
    assert body.longest == {"bert": 66, "roberta": 64, "longformer": 65}[kind]
    assert torch.isfinite(read(encoder, [[5] * body.longest])).all()


def test_what_is_no_checkpoint_of_these_families_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"not a checkpoint directory: no config\.json"):
        body_of_checkpoint(tmp_path, dropout=0.0, cls=True, window=0)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(InputError, match="not a checkpoint of the T5 or BERT family: no max_position_embeddings"):
        body_of_checkpoint(tmp_path, dropout=0.0, cls=True, window=0)
