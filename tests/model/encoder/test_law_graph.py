"""Graph network: a vector depends on its neighbours and on nothing else."""

import pytest
import torch
from torch.nn import functional

from lexgear.model.encoder.law_graph import Edges, GraphLayer, LawNetwork

CPU = torch.device("cpu")
NODES, WIDTH = 6, 8
PATH = [(0, 1), (1, 2), (2, 3), (3, 4)]
"""Path graph; node 5 is isolated."""


def features() -> torch.Tensor:
    return functional.normalize(torch.randn(NODES, WIDTH, generator=torch.Generator().manual_seed(1)), dim=-1)


@pytest.fixture
def network() -> LawNetwork:
    """Return two layers with random weights."""
    torch.manual_seed(0)
    made = LawNetwork(WIDTH, 2)
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return made


def moved(network: LawNetwork, before: list[tuple[int, int]], after: list[tuple[int, int]]) -> list[int]:
    """Return the nodes whose vectors differ between two sets of edges."""
    one, other = (network(features(), Edges.of(pairs, CPU)) for pairs in (before, after))
    return torch.nonzero((one - other).abs().amax(1) > 1e-5).flatten().tolist()


def test_an_edge_moves_what_it_joins_and_what_is_near(network: LawNetwork) -> None:
    assert {4, 5} <= set(moved(network, PATH, [*PATH, (4, 5)]))
    assert 0 not in moved(network, PATH, [*PATH, (4, 5)])  # five steps away, and there are two layers


def test_without_edges_vectors_stay(network: LawNetwork) -> None:
    torch.testing.assert_close(network(features(), Edges.of([], CPU)), features())


def test_before_it_has_learnt_it_changes_nothing() -> None:
    torch.testing.assert_close(LawNetwork(WIDTH, 2)(features(), Edges.of(PATH, CPU)), features())


def test_an_edge_counts_once_whichever_way_round() -> None:
    once, often = (Edges.of(pairs, CPU) for pairs in ([(0, 1)], [(0, 1), (1, 0), (0, 1), (2, 2)]))
    assert len(once) == len(often) == 4  # both ways, and from each of the two to itself
    assert torch.equal(once.sources, often.sources)
    assert torch.equal(once.targets, often.targets)


def test_a_node_attends_to_its_neighbours_and_itself_as_in_gatv2() -> None:
    torch.manual_seed(0)
    layer = GraphLayer(WIDTH)
    torch.nn.init.normal_(layer.outward.weight)
    states, neighbours = features(), {0: [1], 1: [0, 2], 2: [1, 3], 3: [2, 4], 4: [3]}
    found = layer(states, Edges.of(PATH, CPU))
    for node, near in neighbours.items():
        sent = layer.source(states[[*near, node]])
        scores = functional.leaky_relu(sent + layer.target(states[node]), 0.2) @ layer.attention
        together = (scores.softmax(0).unsqueeze(1) * sent).sum(0)
        torch.testing.assert_close(found[node], states[node] + layer.outward(together.relu()))
    assert torch.equal(found[5], states[5])


def test_how_much_a_neighbour_counts_depends_on_both_nodes() -> None:
    torch.manual_seed(0)
    layer, states = GraphLayer(WIDTH), features()
    torch.nn.init.normal_(layer.outward.weight)
    torch.nn.init.normal_(layer.attention, std=3)
    before = layer(states, Edges.of(PATH, CPU))
    with torch.no_grad():
        layer.attention.zero_()  # all neighbours count alike, as in a convolution
    assert (layer(states, Edges.of(PATH, CPU)) - before).abs().max() > 0.01


def test_vectors_have_unit_length(network: LawNetwork) -> None:
    lengths = network(features(), Edges.of(PATH, CPU)).norm(dim=-1)
    torch.testing.assert_close(lengths, torch.ones(NODES))
