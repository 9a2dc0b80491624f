"""T5 compared with transformers, and its tree decoder with sequences."""

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from lexgear.model.generator.decoder_memory import Branch, Cache
from lexgear.model.t5 import Decoder, Encoder, Linear, T5Shape

SHAPE = T5Shape(
    vocabulary=50, width=32, heads=4, head_width=8, inner=48, encoder_layers=2, decoder_layers=3, dropout=0.0
)


def random_modules(seed: int = 0) -> tuple[Encoder, Decoder]:
    torch.manual_seed(seed)
    return Encoder(SHAPE).eval(), Decoder(SHAPE).eval()


def chain(length: int) -> tuple[Tensor, Tensor]:
    return torch.arange(length), torch.ones(length, length, dtype=torch.bool).tril()


def test_a_tree_pass_equals_each_path_taken_alone() -> None:
    encoder, decoder = random_modules()
    memory = decoder.memory(
        encoder(torch.randn(1, 7, 32), torch.ones(1, 7, dtype=torch.bool)), torch.ones(1, 7, dtype=torch.bool)
    )
    nodes = torch.randn(1, 6, 32)
    parents = [-1, 0, 0, 1, 1, 3]  # a small tree: 0-(1-(3-(5), 4), 2)
    sees = torch.eye(6, dtype=torch.bool)
    for node, parent in enumerate(parents):
        if parent >= 0:
            sees[node] |= sees[parent]
    depths = sees.sum(1) - 1
    tree = decoder(nodes, depths, sees, memory)
    for leaf in (2, 4, 5):
        path = sees[leaf].nonzero().flatten()
        alone = decoder(nodes[:, path], *chain(len(path)), memory)
        assert torch.allclose(tree[:, path], alone, atol=1e-5)


def test_steps_with_cached_ancestors_equal_the_whole_pass() -> None:
    encoder, decoder = random_modules(1)
    mask = torch.tensor([[True] * 5 + [False] * 2])
    memory = decoder.memory(encoder(torch.randn(1, 7, 32), mask), mask)
    path = torch.randn(1, 4, 32)
    whole = decoder(path, *chain(4), memory)
    cache = [Cache() for _ in range(3)]
    for depth in range(4):
        bias = decoder.above_bias(torch.arange(depth, -1, -1)[None])
        state = decoder.step(path[:, depth], [Branch(1, bias, cache, memory)])
        assert torch.allclose(state, whole[:, depth], atol=1e-5)


def test_branches_of_several_queries_in_one_step_equal_each_alone() -> None:
    encoder, decoder = random_modules(4)
    mask = torch.ones(1, 7, dtype=torch.bool)
    memories = [decoder.memory(encoder(torch.randn(1, 7, 32), mask), mask) for _ in range(3)]
    nodes = [torch.randn(size, 32) for size in (2, 1, 3)]

    def branch(place: int) -> Branch:
        apart = torch.full((len(nodes[place]),) * 2, -1).fill_diagonal_(0)
        return Branch(len(nodes[place]), decoder.above_bias(apart), [Cache() for _ in range(3)], memories[place])

    together = decoder.step(torch.cat(nodes), [branch(place) for place in range(3)])
    alone = torch.cat([decoder.step(nodes[place], [branch(place)]) for place in range(3)])
    assert torch.allclose(together, alone, atol=1e-5)


def test_a_cache_keeps_what_it_was_given_however_much_it_grows() -> None:
    keys, values = torch.randn(1, 2, 300, 4), torch.randn(1, 2, 300, 4)
    cache = Cache()
    for start in (0, 1, 60, 65, 66, 299):
        end = {0: 1, 1: 60, 60: 65, 65: 66, 66: 299, 299: 300}[start]
        seen = cache.append(keys[:, :, start:end], values[:, :, start:end])
        assert torch.equal(seen[0], keys[:, :, :end])
        assert torch.equal(seen[1], values[:, :, :end])


@pytest.mark.parametrize("rows", [1, Linear.FEW, Linear.FEW + 1])
def test_a_product_follows_its_weights_however_they_change(rows: int) -> None:
    torch.manual_seed(6)
    layer, states = Linear(8, 5), torch.randn(2, rows, 8)[:1]

    def right() -> bool:
        with torch.no_grad():
            return torch.allclose(layer(states), functional.linear(states, layer.weight), atol=1e-6)

    assert right()
    with torch.no_grad():
        layer.weight.mul_(2)
    assert right()
    layer.load_state_dict({"weight": torch.randn(5, 8)}, assign=True)
    assert right()
    layer.double().float()
    assert right()
    assert layer.state_dict().keys() == {"weight"}


def test_padding_changes_nothing() -> None:
    encoder, _ = random_modules(2)
    text = torch.randn(1, 5, 32)
    padded = torch.cat([text, torch.randn(1, 4, 32)], dim=1)
    mask = torch.tensor([[True] * 5 + [False] * 4])
    alone = encoder(text, torch.ones(1, 5, dtype=torch.bool))
    assert torch.allclose(encoder(padded, mask)[:, :5], alone, atol=1e-5)


@pytest.mark.parametrize("gated", [True, False])
def test_a_loaded_checkpoint_gives_what_transformers_gives(gated: bool) -> None:
    transformers = pytest.importorskip("transformers")
    from lexgear.model.checkpoints import from_transformers

    torch.manual_seed(3)
    config = transformers.T5Config(
        vocab_size=60,
        d_model=32,
        d_kv=8,
        d_ff=48,
        num_layers=2,
        num_decoder_layers=3,
        num_heads=4,
        feed_forward_proj="gated-gelu" if gated else "relu",
        dropout_rate=0.0,
        decoder_start_token_id=0,
    )
    theirs = transformers.T5Model(config).eval()
    ours = from_transformers(theirs)
    text, mask = torch.randint(1, 60, (2, 9)), torch.ones(2, 9, dtype=torch.long)
    mask[1, 6:] = 0
    path = torch.randint(1, 60, (2, 5))
    with torch.no_grad():
        expected = theirs(input_ids=text, attention_mask=mask, decoder_input_ids=path)
        states = ours.encoder(ours.embed(text), mask.bool())
        memory = ours.decoder.memory(states, mask.bool())
        got = ours.decoder(ours.embed(path), *chain(5), memory)
    assert torch.allclose(got, expected.last_hidden_state, atol=1e-4)
    assert torch.allclose(states[0], expected.encoder_last_hidden_state[0], atol=1e-4)
