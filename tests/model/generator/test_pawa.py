"""Adaptive decoder: a state has other logits under another prefix or for another text, in walks as in training."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from lexgear.docids.trie import Trie
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.model.generator.pawa import PawaGenerator
from lexgear.model.generator.walk import ModelWalk
from lexgear.model.t5 import T5Shape

DIGITS = 3
PATHS = np.array([(a, b, c) for a in range(DIGITS) for b in range(DIGITS) for c in range(DIGITS)])
TRIE = Trie.build(PATHS, np.arange(len(PATHS)))
LEAVES: list[int] = np.flatnonzero(TRIE.leaf_mask).tolist()
SHAPE = T5Shape(vocabulary=40, width=16, heads=2, head_width=8, inner=24, encoder_layers=1, decoder_layers=1)


def node_at(*path: int) -> int:
    node = 0
    for symbol in path:
        node = TRIE.children(node)[symbol]
    return node


@pytest.fixture
def plain() -> Generator:
    torch.manual_seed(1)
    return Generator(Backbone(SHAPE), DIGITS).eval()


@pytest.fixture
def pawa(plain: Generator) -> PawaGenerator:
    made = PawaGenerator(plain.backbone, DIGITS).eval()
    made.load_state_dict(plain.state_dict(), strict=False)
    return made


def taught(pawa: PawaGenerator) -> PawaGenerator:
    """Return the generator with a random adaptive layer."""
    torch.nn.init.normal_(pawa.adapter.outward.weight)
    return pawa


def read_by(generator: Generator, first: int = 1) -> EncodedTexts:
    return generator.read_only(np.arange(first, first + 6)[None], np.ones((1, 6), dtype=np.bool_))


def scores(
    pawa: PawaGenerator, state: torch.Tensor, nodes: list[int], texts: list[EncodedTexts], *, children: bool = True
) -> list[list[float]]:
    """Return the log probabilities of the children of nodes, all reached with the same state."""
    with torch.inference_mode():
        adapted = pawa.node_states(state.expand(len(nodes), -1), np.array(nodes), texts, TRIE)
        found = pawa.child_log_probs(adapted, np.array(nodes), TRIE, children=children)
    return [row.round(4).tolist() for row in found]


@pytest.mark.parametrize("children", [True, False])
def test_the_same_state_has_other_logits_under_another_prefix(pawa: PawaGenerator, children: bool) -> None:
    state, read = torch.randn(1, SHAPE.width), read_by(pawa)
    # Same depth and same last digit: only the prefix differs.
    nodes = [node_at(0, 2), node_at(1, 2)]
    one, same = scores(pawa, state, nodes, [read, read], children=children)
    assert one == same
    one, other = scores(taught(pawa), state, nodes, [read, read], children=children)
    assert np.abs(np.subtract(one, other)).max() > 0.01


@pytest.mark.parametrize("children", [True, False])
def test_the_same_state_and_prefix_have_other_logits_for_another_text(pawa: PawaGenerator, children: bool) -> None:
    state, texts = torch.randn(1, SHAPE.width), [read_by(pawa, 1), read_by(pawa, 20)]
    nodes = [node_at(0, 2)] * 4
    one, same = scores(pawa, state, nodes[:2], texts, children=children)
    assert one == same
    first, second, *again = scores(taught(pawa), state, nodes, texts * 2, children=children)
    assert np.abs(np.subtract(first, second)).max() > 0.01
    assert again == [first, second]


def test_the_order_and_the_length_of_a_prefix_count(pawa: PawaGenerator) -> None:
    read = read_by(taught(pawa))
    nodes = [node_at(0, 1), node_at(1, 0), node_at(1), node_at()]
    found = scores(pawa, torch.randn(1, SHAPE.width), nodes, [read] * 4)
    assert len({tuple(row) for row in found}) == 4


def test_the_adaptive_decoder_has_four_layers_at_most() -> None:
    for layers, adaptive in ((1, 1), (6, 4)):
        made = PawaGenerator(Backbone(replace(SHAPE, decoder_layers=layers)), DIGITS)
        assert len(made.adapter.decoder.blocks) == adaptive


@pytest.mark.parametrize("children", [True, False])
def test_before_the_adaptive_layer_has_learnt_it_is_the_plain_generator(
    plain: Generator, pawa: PawaGenerator, children: bool
) -> None:
    paths = np.array([TRIE.ancestry(leaf) for leaf in LEAVES])
    owners = np.zeros(len(paths), dtype=np.int64)
    with torch.inference_mode():
        one, same = (
            made.step_log_probs(read_by(made), owners, paths, TRIE, children=children) for made in (plain, pawa)
        )
        other = taught(pawa).step_log_probs(read_by(pawa), owners, paths, TRIE, children=children)
    assert torch.equal(one, same)
    assert not torch.allclose(one, other, atol=0.01)


@pytest.mark.parametrize("children", [True, False])
def test_a_walk_finds_what_training_sees(pawa: PawaGenerator, children: bool) -> None:
    read, paths = read_by(taught(pawa)), np.array([TRIE.ancestry(leaf) for leaf in LEAVES])
    with torch.inference_mode():
        steps = pawa.step_log_probs(read, np.zeros(len(paths), dtype=np.int64), paths, TRIE, children=children)
    walk = ModelWalk(pawa, TRIE, read, 0, children=children)
    asked = [0, *TRIE.children(0)]
    inner = [node for node in np.flatnonzero(TRIE.child_count).tolist() if node not in asked]
    answers = dict(zip([*asked, *inner], [*walk.expand(asked), *walk.expand(inner)], strict=True))
    for path, row in zip(paths, steps.numpy(), strict=True):
        walked = [answers[int(TRIE.parent[node])][TRIE.sibling_rank(node)] for node in path]
        assert walked == pytest.approx(row, abs=1e-5)


def test_the_adaptive_layer_learns(pawa: PawaGenerator) -> None:
    taught(pawa)
    paths = np.array([TRIE.ancestry(leaf) for leaf in LEAVES[:4]])
    read = pawa.read(np.arange(1, 7)[None], np.ones((1, 6), dtype=np.bool_))
    pawa.step_log_probs(read, np.zeros(4, dtype=np.int64), paths, TRIE).sum().backward()  # type: ignore[no-untyped-call]
    for name, weight in pawa.adapter.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.abs().sum() > 0, name
