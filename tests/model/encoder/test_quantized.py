"""The 8-bit encoder against the one in single precision, and its independence from other texts and from threads."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from lexgear.model.bert import BertEncoder, BertShape
from lexgear.model.checkpoints import load_checkpoint
from lexgear.model.encoder.quantized import QuantizedLinear, fast_in_8_bits, first_states, inference_states
from lexgear.model.encoder.vectors import encode_texts
from lexgear.model.generator.generator import Generator
from lexgear.model.tokenizer import Tokens
from random_encoders import random_encoder
from shared_data import real_encoder

WIDTH = 64
FACTS = "2019年3月5日，被告人翻墙进入被害人的商店，撬开柜台，拿走现金五千余元，被巡逻的民警当场抓获。" * 4

pytestmark = pytest.mark.skipif(not fast_in_8_bits(torch.device("cpu")), reason="this CPU has no VNNI instructions")


@pytest.fixture
def encoder() -> BertEncoder:
    torch.manual_seed(3)
    shape = BertShape(layers=3, heads=4, inner=256, positions=80)
    return BertEncoder(WIDTH, shape, dropout=0.1).eval().requires_grad_(requires_grad=False)


@pytest.fixture
def all_threads() -> Iterator[None]:
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


def some_texts(lengths: tuple[int, ...] = (70, 1, 33)) -> tuple[Tensor, Tensor]:
    """Return word embeddings of texts of these lengths, one input ten times as large as the others, and the mask."""
    embedded = torch.randn(len(lengths), max(lengths), WIDTH, generator=torch.Generator().manual_seed(5))
    embedded[:, :, 7] *= 10
    return embedded, torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


def test_states_are_nearly_those_in_single_precision(encoder: BertEncoder) -> None:
    embedded, seen = some_texts()
    full, states = encoder(embedded, seen), inference_states(encoder, embedded, seen)
    assert not states[seen].equal(full[seen])
    assert functional.cosine_similarity(states[seen], full[seen], dim=-1).min() > 0.999
    assert not states[~seen].any()


def test_first_states_are_nearly_those_of_all_tokens(encoder: BertEncoder) -> None:
    texts = some_texts()
    first, states = first_states(encoder, *texts), inference_states(encoder, *texts)[:, 0]
    assert first.shape == states.shape
    assert functional.cosine_similarity(first, states, dim=-1).min() > 0.9999
    assert functional.cosine_similarity(first, encoder(*texts)[:, 0], dim=-1).min() > 0.999


def test_inputs_with_large_values_stay_in_single_precision() -> None:
    torch.manual_seed(3)
    layer, rows = nn.Linear(WIDTH, 32), torch.randn(20, WIDTH)
    rows[:, 7] *= 100
    with torch.no_grad():  # weights without rounding errors
        layer.weight.copy_(torch.randint(-127, 128, layer.weight.shape)).clamp_(min=-127)[:, 0] = 127

    def distance(outliers: int) -> float:
        with torch.inference_mode():
            return float((QuantizedLinear(layer, outliers=outliers)(rows) - layer(rows)).norm())

    assert distance(1) < distance(0) / 10


def test_states_do_not_depend_on_other_texts(encoder: BertEncoder) -> None:
    embedded, seen = some_texts()
    together = inference_states(encoder, embedded, seen)
    for text, mask in enumerate(seen):
        alone = inference_states(encoder, embedded[text : text + 1, mask], mask[mask][None])
        assert alone[0].equal(together[text, mask])


@pytest.mark.usefixtures("all_threads")
def test_states_do_not_depend_on_threads(encoder: BertEncoder) -> None:
    texts = some_texts()
    found = []
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        found.append(inference_states(encoder, *texts))
    assert found[0].equal(found[1])
    assert found[0].equal(found[2])


def test_weights_that_change_are_quantised_again(encoder: BertEncoder) -> None:
    texts = some_texts()
    before = inference_states(encoder, *texts)
    assert inference_states(encoder, *texts).equal(before)
    encoder.bert_layers()[0].inward.weight.mul_(1.5)
    assert functional.mse_loss(inference_states(encoder, *texts), encoder(*texts) * texts[1][..., None]) < 1e-3
    assert not inference_states(encoder, *texts).equal(before)


@pytest.mark.usefixtures("all_threads")
def test_vectors_of_many_texts_do_not_depend_on_workers(tmp_path: Path) -> None:
    texts = [FACTS[start : start + 40] for start in range(0, 60, 7)]
    generator, tokens = _generator(random_encoder(tmp_path, "bert", texts))
    found = []
    for threads in (1, 2):
        torch.set_num_threads(threads)
        found.append(encode_texts(generator, tokens, texts, 64))
    assert (found[0] == found[1]).all()
    read = generator.vectors(generator.read_only(*tokens.encode(texts, 64)))
    assert (read.detach().half().float().numpy() == found[0]).all()


@pytest.mark.parametrize("name", ["bge", "e5"])
def test_vectors_of_the_real_encoders_are_nearly_those_in_single_precision(name: str) -> None:
    generator, tokens = _generator(real_encoder(name))
    read = tokens.encode([FACTS], 256)
    with torch.inference_mode():
        full = generator.vectors(generator.read(*read))
    assert float((generator.text_vectors(*read) * full).sum()) > 0.999


def _generator(directory: Path) -> tuple[Generator, Tokens]:
    backbone, tokens = load_checkpoint(str(directory), dropout=0.0)
    return Generator(backbone, law_symbols=3).eval(), tokens
