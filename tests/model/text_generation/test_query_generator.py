"""Query generator: it learns its training pairs, token by token, and depends on the document."""

from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.corpus.sample.cases import sample_cases
from lexgear.model.checkpoints import Backbone
from lexgear.model.t5 import T5Shape
from lexgear.model.text_generation.query_generator import QueryGenerator, Sampling
from lexgear.model.text_generation.text_head import START, text_states
from lexgear.model.tokenizer import Tokens
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop, LoopSettings
from lexgear.training.objectives.query_writing import WritingObjective
from random_checkpoints import sentencepiece_model

TEXTS = ["甲翻墙进入商店，拿走现金。", "乙持刀威胁店主，抢走手机。", "丙醉酒驾驶小型汽车。"]
ASKED = ["拿走现金", "持刀威胁", "醉酒驾驶"]


@pytest.fixture(scope="module")
def tokens() -> Tokens:
    return Tokens.train(TEXTS * 3, language="zh", size=120)


def small(tokens: Tokens, *, fresh: bool = True) -> QueryGenerator:
    torch.manual_seed(0)
    shape = T5Shape(tokens.size, width=32, heads=2, head_width=16, inner=64, encoder_layers=1, decoder_layers=2)
    return QueryGenerator(Backbone(shape), fresh=fresh).eval()


@pytest.fixture(scope="module")
def taught(tokens: Tokens) -> QueryGenerator:
    writer, owners = small(tokens), [np.array([place]) for place in range(3)]
    read, wanted = Examples(*tokens.encode(TEXTS, 30), owners), Examples(*tokens.ended(ASKED, 12), owners)
    log = Loop(
        writer, WritingObjective(writer, read, wanted), 3, LoopSettings(epochs=60, batch_size=3, learning_rate=0.02)
    ).run()
    assert log[-1]["writing"] < 0.1 * log[0]["writing"]
    assert log[0]["tokens"] == read.mask.sum() + wanted.mask.sum()
    return writer


def test_what_it_learnt_to_ask_of_a_document_it_asks_of_that_document(taught: QueryGenerator, tokens: Tokens) -> None:
    written = taught.write(tokens, TEXTS, 30, Sampling(count=2, length=12, top_k=1))
    assert written == [[query, query] for query in ASKED]
    assert taught.write(tokens, TEXTS[::-1], 30, Sampling(count=1, length=12, top_k=1)) == [[q] for q in ASKED[::-1]]


def test_an_own_document_makes_a_query_likelier_than_another(taught: QueryGenerator, tokens: Tokens) -> None:
    queries = tokens.ended(ASKED, 12)
    own, other = (taught.nll(*tokens.encode(texts, 30), *queries).item() for texts in (TEXTS, TEXTS[1:] + TEXTS[:1]))
    assert own < 0.5 * other


def test_a_seed_gives_the_same_queries_and_another_one_others(tokens: Tokens) -> None:
    writer = small(tokens)
    texts = [document.text for document in sample_cases().documents[:5]]
    one, same, other = (
        writer.write(tokens, texts, 30, Sampling(count=3, length=6, top_k=20, seed=seed)) for seed in (1, 1, 2)
    )
    assert one == same != other
    assert [len(row) for row in one] == [3] * 5
    assert len({query for row in one for query in row}) > 10


def test_token_by_token_it_writes_what_all_at_once_is_most_probable(tokens: Tokens) -> None:
    """The cached decoder is compared with the whole decoder, run again for every token."""
    writer = small(tokens)
    numbers, mask = tokens.encode(TEXTS, 30)
    [greedy, *_] = writer.write(tokens, TEXTS[:1], 30, Sampling(count=1, length=5, top_k=1))
    read = writer.read(numbers[:1, : mask[0].sum()], mask[:1, : mask[0].sum()])
    written: list[int] = []
    with torch.inference_mode():
        for _ in range(5):
            row = np.array([[*written, START]])
            states = text_states(writer.backbone, read.memory, row, read.summary.unsqueeze(1))
            logits = writer.logits(states[:, -1], read.words)[0]
            known = [number for number in range(tokens.size) if tokens.piece(number) or number == tokens.end]
            written.append(max(known, key=lambda number: float(logits[number])))
            if written[-1] == tokens.end:
                break
    assert greedy == [tokens.decode(written)]


def test_a_decoder_that_has_learnt_to_write_begins_as_it_was(tokens: Tokens) -> None:
    writer = small(tokens, fresh=False)
    read = writer.read(*tokens.encode(TEXTS, 30))
    assert not read.summary.any()
    states = torch.randn(3, 32)
    assert torch.equal(writer.logits(states, read.words), writer.logits(states, torch.zeros_like(read.words)))


def test_what_stands_in_a_document_is_likelier_by_as_much_as_is_asked_for(tokens: Tokens) -> None:
    writer = small(tokens)
    read, states = writer.read(*tokens.encode(TEXTS, 30)), torch.randn(3, 32)
    more = writer.logits(states, read.words) - writer.logits(states, torch.zeros_like(read.words))
    assert torch.allclose(more, read.words.float())  # by one at first
    numbers, mask = tokens.encode(TEXTS, 30)
    assert [set(np.flatnonzero(row)) for row in read.words.numpy()] == [
        set(row[kept].tolist()) for row, kept in zip(numbers, mask, strict=True)
    ]


def test_texts_to_write_end_with_a_sign_however_they_were_cut(tokens: Tokens, tmp_path: Path) -> None:
    numbers, mask = tokens.ended([*ASKED, "甲" * 50, ""], 6)
    for row, kept in zip(numbers, mask, strict=True):
        assert kept.sum() <= 6
        assert row[kept][-1] == tokens.end
        assert tokens.end not in row[kept][:-1]
    sentencepiece_model(tmp_path)
    published = Tokens.of_checkpoint(tmp_path)
    numbers, mask = published.ended(["被告人盗窃财物。", "人"], 20)
    assert published.end == 1
    assert [row[kept].tolist().count(1) for row, kept in zip(numbers, mask, strict=True)] == [1, 1]
    assert published.decode(numbers[0][mask[0]].tolist()) == "被告人盗窃财物。"


def test_numbers_become_text_again(tokens: Tokens) -> None:
    numbers, mask = tokens.ended(TEXTS[:1], 30)
    assert tokens.decode(numbers[0][mask[0]].tolist()) == "甲翻墙进入商店,拿走现金。"  # as the tokenizer writes commas
    assert tokens.decode([0, 1, 2, 10**6]) == ""
    french = Tokens.train(["le bail est nul"] * 3, language="fr", size=60)
    assert french.decode(french.encode(["Le bail"], 9)[0][0].tolist()) == "le bail"
