"""Hierarchical encoder: texts are cut into chunks with special tokens of their own, and a transformer reads them."""

from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.model.encoder.article_encoder import ArticleEncoder
from lexgear.model.encoder.bodies import T5Body
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.model.t5 import T5Shape

SHAPE = T5Shape(vocabulary=60, width=16, heads=2, head_width=8, inner=32, encoder_layers=1, decoder_layers=0, dropout=0)


def article_encoder(frame: tuple[int, int] = (1, 1), chunk_length: int = 6) -> ArticleEncoder:
    torch.manual_seed(0)
    plain = TextEncoder(T5Body(SHAPE), "mean")
    return ArticleEncoder.around(plain, chunk_length=chunk_length, max_length=40, frame=frame).eval()


def padded(*rows: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
    width = max(map(len, rows))
    tokens = torch.tensor([row + [0] * (width - len(row)) for row in rows])
    return tokens, tokens > 0


def test_every_chunk_has_the_special_tokens_of_a_text() -> None:
    chunks = article_encoder().cut(*padded([1, 11, 12, 13, 14, 15, 2], [1, 21, 22, 2]))
    assert [row[seen].tolist() for row, seen in zip(chunks.tokens, chunks.seen, strict=True)] == [
        [1, 11, 12, 13, 14, 2],
        [1, 15, 2],
        [1, 21, 22, 2],
    ]
    assert chunks.present.tolist() == [[True, True], [True, False]]


@pytest.mark.parametrize(("frame", "length"), [((0, 0), 13), ((0, 1), 14), ((1, 1), 40)])
def test_the_chunks_hold_every_token_in_order(frame: tuple[int, int], length: int) -> None:
    before, after = frame
    text = list(range(1, length + 1))
    chunks = article_encoder(frame).cut(*padded(text))
    rows = [row[seen].tolist() for row, seen in zip(chunks.tokens, chunks.seen, strict=True)]
    assert all(row[:before] == text[:before] and row[len(row) - after :] == text[length - after :] for row in rows)
    assert [token for row in rows for token in row[before : len(row) - after]] == text[before : length - after]
    assert max(map(len, rows)) == 6


def test_before_it_has_learnt_a_short_text_has_the_vector_of_the_text_encoder() -> None:
    encoder = article_encoder()
    tokens, seen = padded([1, 11, 12, 2], [1, 21, 2])
    plain = TextEncoder(encoder.body, "mean")
    torch.testing.assert_close(encoder(tokens, seen), plain(tokens, seen))


def test_a_trained_transformer_reads_all_chunks_and_their_order() -> None:
    encoder = article_encoder()
    torch.nn.init.normal_(encoder.outward.weight)
    one, other = [11, 12, 13, 14], [21, 22, 23, 24]
    tokens, seen = padded([1, *one, *other, 2], [1, *other, *one, 2], [1, *one, *one, 2])
    vectors = encoder(tokens, seen)
    torch.testing.assert_close(vectors.norm(dim=-1), torch.ones(3))
    assert (vectors[0] - vectors[1]).abs().max() > 1e-3
    assert (vectors[0] - vectors[2]).abs().max() > 1e-3


def test_shorter_texts_beside_a_long_one_keep_their_vectors() -> None:
    encoder = article_encoder()
    torch.nn.init.normal_(encoder.outward.weight)
    short, long = [1, 21, 22, 2], [1, *range(11, 31), 2]
    both = encoder(*padded(short, long))
    for row, text in zip(both, (short, long), strict=True):
        torch.testing.assert_close(row, encoder(*padded(text))[0])


def test_everything_learns() -> None:
    encoder = article_encoder()
    torch.nn.init.normal_(encoder.outward.weight)
    encoder(*padded([1, *range(11, 31), 2]))[0, 0].backward()
    new = {name: weight for name, weight in encoder.named_parameters() if not name.startswith("body.")}
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in new.values())


def test_a_saved_encoder_comes_back(tmp_path: Path) -> None:
    encoder = article_encoder()
    torch.nn.init.normal_(encoder.outward.weight)
    encoder.save(tmp_path)
    loaded = ArticleEncoder.load(tmp_path)
    tokens = np.arange(1, 23)[None]
    assert isinstance(loaded, ArticleEncoder)
    assert torch.equal(loaded.read(tokens, tokens > 0), encoder.read(tokens, tokens > 0))
