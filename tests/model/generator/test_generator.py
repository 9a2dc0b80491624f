import numpy as np
import pytest
import torch

from lexgear.corpus.sample.cases import sample_cases
from lexgear.docids.ids import DocIds
from lexgear.docids.law import law_ids
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.generator import Generator
from lexgear.model.generator.walk import ModelWalk
from lexgear.model.t5 import T5Shape


@pytest.fixture(scope="module")
def ids() -> DocIds:
    return law_ids(sample_cases())


@pytest.fixture(scope="module")
def generator(ids: DocIds) -> Generator:
    torch.manual_seed(5)
    shape = T5Shape(vocabulary=40, width=24, heads=2, head_width=12, inner=32, encoder_layers=1, decoder_layers=2)
    return Generator(Backbone(shape), ids.law_symbols, ids.document_count, summary=True).eval()


def texts(count: int) -> tuple[np.ndarray, np.ndarray]:
    numbers = np.random.default_rng(0).integers(1, 40, (count, 9))
    mask = np.ones(numbers.shape, dtype=bool)
    mask[-1, 5:] = False
    return numbers, mask


def padded_paths(ids: DocIds, leaves: list[int]) -> np.ndarray:
    lines = [ids.trie.ancestry(leaf) for leaf in leaves]
    return np.array([[*line, *[-1] * (max(map(len, lines)) - len(line))] for line in lines])


@pytest.mark.parametrize("children", [True, False])
def test_the_walk_gives_what_teacher_forcing_gives(generator: Generator, ids: DocIds, children: bool) -> None:
    with torch.inference_mode():
        read = generator.read(*texts(2))
        leaves = np.concatenate([ids.trie.leaves_of(document) for document in (0, 7, 400, 1100)]).tolist()
        paths = padded_paths(ids, leaves)
        owners = np.array([0, 1] * len(leaves))[: len(leaves)]
        forced = generator.step_log_probs(read, owners, paths, ids.trie, children=children).numpy()
    for owner, path, expected in zip(owners, paths, forced, strict=True):
        walk = ModelWalk(generator, ids.trie, read, int(owner), children=children)
        node = 0
        for step, child in enumerate(path[path >= 0]):
            [below] = walk.expand([node])
            assert below[child - ids.trie.first_child[node]] == pytest.approx(expected[step], abs=1e-4)
            node = int(child)


def test_the_children_of_every_node_share_a_probability_of_one(generator: Generator, ids: DocIds) -> None:
    with torch.inference_mode():
        walk = ModelWalk(generator, ids.trie, generator.read(*texts(1)), 0)
        level = [0]
        while level:
            below = walk.expand(level)
            assert [np.exp(probabilities).sum() for probabilities in below] == pytest.approx([1.0] * len(level))
            level = [child for node in level for child in ids.trie.children(node) if ids.trie.document[child] < 0]


def test_text_vectors_have_unit_length_and_ignore_padding(generator: Generator) -> None:
    numbers, mask = texts(2)
    with torch.inference_mode():
        both = generator.vectors(generator.read(numbers, mask))
        alone = generator.vectors(generator.read(numbers[1:, :5], mask[1:, :5]))
    assert torch.allclose(both.norm(dim=1), torch.ones(2), atol=1e-5)
    assert torch.allclose(both[1], alone[0], atol=1e-5)
