"""Graph network: a vector depends on its neighbours and on nothing else."""

import pytest
import torch
from torch.nn import functional

from lexgear.model.encoder.law_graph import Edges, LawNetwork

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
    one, other = (network(features(), Edges.of(pairs, NODES, CPU)) for pairs in (before, after))
    return torch.nonzero((one - other).abs().amax(1) > 1e-5).flatten().tolist()


def test_an_edge_moves_what_it_joins_and_what_is_near(network: LawNetwork) -> None:
    assert {4, 5} <= set(moved(network, PATH, [*PATH, (4, 5)]))
    assert 0 not in moved(network, PATH, [*PATH, (4, 5)])  # five steps away, and there are two layers


def test_without_edges_vectors_stay(network: LawNetwork) -> None:
    torch.testing.assert_close(network(features(), Edges.of([], NODES, CPU)), features())


def test_before_it_has_learnt_it_changes_nothing() -> None:
    torch.testing.assert_close(LawNetwork(WIDTH, 2)(features(), Edges.of(PATH, NODES, CPU)), features())


def test_an_edge_counts_once_whichever_way_round_and_none_leads_back() -> None:
    once, often = (Edges.of(pairs, NODES, CPU) for pairs in ([(0, 1)], [(0, 1), (1, 0), (0, 1), (2, 2)]))
    assert len(once) == len(often) == 2
    assert torch.equal(once.passed(features()), often.passed(features()))


def test_what_is_passed_is_the_normalised_adjacency_of_a_gcn() -> None:
    adjacency = torch.zeros(NODES, NODES)
    for one, other in PATH:
        adjacency[one, other] = adjacency[other, one] = 1
    degrees = adjacency.sum(1).clamp(min=1)
    expected = adjacency / (degrees[:, None] * degrees[None]).sqrt() @ features()
    torch.testing.assert_close(Edges.of(PATH, NODES, CPU).passed(features()), expected)


def test_vectors_have_unit_length(network: LawNetwork) -> None:
    lengths = network(features(), Edges.of(PATH, NODES, CPU)).norm(dim=-1)
    torch.testing.assert_close(lengths, torch.ones(NODES))
