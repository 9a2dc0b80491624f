import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from lexgear.errors import InputError
from lexgear.training.losses import (
    LossSettings,
    expected_reward,
    label_term,
    revision_loss,
    sequence_nll,
    total,
)
from training.trees import Tree, random_tree

HALF, QUARTER, EIGHTH = math.log(0.5), math.log(0.25), math.log(0.125)
NAN, INFINITE = math.nan, -math.inf


def tensor(values: Any) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def everywhere(values: Tensor) -> Tensor:
    return torch.ones(values.shape, dtype=torch.bool)


# Each equation beside a value worked by hand.


def test_the_likelihood_loss_is_minus_the_log_of_the_paths_probability_averaged_over_paths() -> None:
    # Path 1: −log(1/2 · 1/4) = 3 log 2. Path 2, one step: −log(1/8) = 3 log 2. Path 3: −log(1/2) = log 2.
    # The last row is padding and no path.
    log_probs = tensor([[HALF, QUARTER], [EIGHTH, NAN], [HALF, INFINITE], [NAN, NAN]])
    mask = torch.tensor([[True, True], [True, False], [True, False], [False, False]])
    assert sequence_nll(log_probs, mask).item() == pytest.approx((3 + 3 + 1) * math.log(2) / 3)


def test_the_revision_loss_as_printed() -> None:
    # γ_r = 1/2, so beam 1 weighs 1/2 and beam 2 weighs 1/4.
    # Beam 1: log(1/2)·1 + log(1/4)·1 = −3 log 2.  Beam 2: log(1/8)·(−1) + log(1/2)·(−0.1) = 3.1 log 2.
    # L_c = −(1/2 · (−3 log 2) + 1/4 · 3.1 log 2) = (1.5 − 0.775) log 2.
    log_probs, rewards = tensor([[[HALF, QUARTER], [EIGHTH, HALF]]]), tensor([[[1, 1], [-1, -0.1]]])
    loss = revision_loss(log_probs, rewards, everywhere(rewards), gamma_r=0.5, form="paper")
    assert loss.item() == pytest.approx(0.725 * math.log(2))


def test_the_expected_reward_over_beams() -> None:
    # P(beam 1) = 1/8, P(beam 2) = 1/16: shares 2/3 and 1/3. Total rewards 2 and −1.1, weights 1/2 and 1/4.
    # L_c = −(2/3 · 1/2 · 2 + 1/3 · 1/4 · (−1.1)) = −2/3 + 1.1/12.
    log_probs, rewards = tensor([[[HALF, QUARTER], [EIGHTH, HALF]]]), tensor([[[1, 1], [-1, -0.1]]])
    loss = revision_loss(log_probs, rewards, everywhere(rewards), gamma_r=0.5)
    assert loss.item() == pytest.approx(-2 / 3 + 1.1 / 12)


def test_reinforce_with_the_mean_of_the_others_as_baseline() -> None:
    # Totals 3, 1, −1; the others' means 0, 1, 2; advantages 3, 0, −3.
    # log P: −log 2, −2 log 2, −3 log 2. L_c = −1/3 · (3 · (−1) + 0 · (−2) + (−3) · (−3)) log 2 = −2 log 2.
    log_probs, rewards = tensor([[[HALF], [QUARTER], [EIGHTH]]]), tensor([[[3], [1], [-1]]])
    loss = revision_loss(log_probs, rewards, everywhere(rewards), gamma_r=0.5, sampled=True)
    assert loss.item() == pytest.approx(-2 * math.log(2))


def test_a_single_sample_has_no_baseline() -> None:
    # −log(1/2) · 2 = 2 log 2.
    loss = revision_loss(tensor([[[HALF]]]), tensor([[[2]]]), torch.tensor([[[True]]]), gamma_r=1.0, sampled=True)
    assert loss.item() == pytest.approx(2 * math.log(2))


def test_the_exact_expectation_over_the_law() -> None:
    # Chapters .75 and .25; below the first, articles .5 and .25 (of the root). Rewards 1, −0.2, 1, −0.1.
    # −(.75 · 1 + .25 · (−.2) + .5 · 1 + .25 · (−.1)) = −1.175.
    probabilities, rewards = tensor([0.75, 0.25, 0.5, 0.25]), tensor([1, -0.2, 1, -0.1])
    assert expected_reward(probabilities.log(), rewards).item() == pytest.approx(-1.175)
    # A second query with rewards −1 everywhere: its loss is 1.75, and the mean (−1.175 + 1.75) / 2.
    both = expected_reward(probabilities.log().expand(2, 4), torch.stack([rewards, -torch.ones_like(rewards)]))
    assert both.item() == pytest.approx(0.2875)


def test_the_label_term_counts_each_relevant_id_once() -> None:
    # Query 1, two IDs: log 2 + 2 log 2 and 3 log 2. Query 2, one ID: log 2. λ_w = 10: 10 · (6 + 1) log 2 / 2.
    log_probs = tensor([[[HALF, QUARTER], [EIGHTH, NAN]], [[HALF, NAN], [NAN, NAN]]])
    assert label_term(log_probs, ~log_probs.isnan(), lambda_w=10.0).item() == pytest.approx(35 * math.log(2))


def test_the_total_weighs_the_revision_loss() -> None:
    assert total(tensor(2), tensor(3), tensor(-40), lambda_l=0.01).item() == pytest.approx(4.6)


# Gradients, enumerated over a tree of 50 leaves.


def tree_log_probs(tree: Tree, logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return log P(node | parent) and log P(node) of every node."""
    steps = [logits[node] - logits[tree.children(above)].logsumexp(0) for node, above in enumerate(tree.parents)]
    conditional = torch.stack(steps)
    return conditional, torch.stack([conditional[tree.path(node)].sum() for node in range(len(tree.parents))])


def padded_paths(tree: Tree) -> tuple[Tensor, Tensor]:
    """Return the nodes on the path to each leaf, and their mask."""
    walks = [tree.path(leaf) for leaf in tree.leaves]
    width = max(map(len, walks))
    return (
        torch.tensor([walk + [0] * (width - len(walk)) for walk in walks]),
        torch.tensor([[True] * len(walk) + [False] * (width - len(walk)) for walk in walks]),
    )


def by_expectation(tree: Tree, logits: Tensor, rewards: Tensor) -> Tensor:
    return expected_reward(tree_log_probs(tree, logits)[1], rewards)


def by_all_leaves(tree: Tree, logits: Tensor, rewards: Tensor) -> Tensor:
    leaves = list(tree.leaves)
    totals = torch.stack([rewards[tree.path(leaf)].sum() for leaf in leaves])
    return expected_reward(tree_log_probs(tree, logits)[1][leaves], totals)


def by_beams(tree: Tree, logits: Tensor, rewards: Tensor) -> Tensor:
    """With every leaf among the beams, their renormalised probabilities are the true ones."""
    nodes, mask = padded_paths(tree)
    conditional, _ = tree_log_probs(tree, logits)
    return revision_loss(conditional[nodes][None], rewards[nodes][None], mask[None], gamma_r=1.0)


def by_reinforce(tree: Tree, logits: Tensor, rewards: Tensor) -> Tensor:
    """Return the mean over all 2,500 pairs of samples, weighted by their probability."""
    nodes, mask = padded_paths(tree)
    conditional, reached = tree_log_probs(tree, logits)
    often = reached[list(tree.leaves)].exp().detach()
    count = len(tree.leaves)
    pairs = torch.cartesian_prod(torch.arange(count), torch.arange(count))

    def loss(walk: Tensor, reward: Tensor, real: Tensor) -> Tensor:
        return revision_loss(walk[None], reward[None], real[None], gamma_r=1.0, sampled=True)

    losses: Tensor = torch.vmap(loss)(conditional[nodes][pairs], rewards[nodes][pairs], mask[pairs])
    return (often[pairs].prod(-1) * losses).sum()


@pytest.mark.parametrize("loss", [by_expectation, by_all_leaves, by_beams, by_reinforce])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_autograd_equals_the_gradient_enumerated_over_50_leaves(
    loss: Callable[[Tree, Tensor, Tensor], Tensor], seed: int
) -> None:
    tree = random_tree(50, seed)
    source = np.random.default_rng(seed)
    start, earned = source.normal(size=len(tree.parents)), source.uniform(-1, 1, size=len(tree.parents))
    value, gradient = tree.expected_reward_gradient(start, earned)
    logits = tensor(start).requires_grad_()
    result = loss(tree, logits, tensor(earned))
    result.backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert np.abs(gradient).max() > 0.01
    assert np.abs(-logits.grad.numpy() - gradient).max() < 1e-6
    if loss is not by_reinforce:
        assert result.item() == pytest.approx(-value, abs=1e-9)


def test_the_baseline_makes_the_gradient_steadier() -> None:
    # All rewards far from zero, as after a while of training: without a baseline that common part is noise.
    source = torch.Generator().manual_seed(0)
    logits = torch.zeros(5, dtype=torch.float64, requires_grad=True)
    rewards = tensor([4.0, 4.5, 5.0, 5.5, 6.0])

    def spread(samples: int) -> float:
        gradients = []
        for _ in range(300):
            drawn = torch.multinomial(logits.softmax(0), samples, replacement=True, generator=source)
            walks, earned = logits.log_softmax(0)[drawn], rewards[drawn]
            walks, earned = walks.view(1, samples, 1), earned.view(1, samples, 1)
            loss = revision_loss(walks, earned, everywhere(walks), gamma_r=1.0, sampled=True)
            gradients.append(torch.autograd.grad(loss, logits)[0])
        return torch.stack(gradients).var(0).sum().item()

    # Two samples alone would halve the variance.
    assert spread(2) < spread(1) / 10


# What one step of training does.

FORKED = Tree(parents=(-1, -1, 0, 0, 1, 1), leaves=(2, 3, 4, 5))
FORKED_REWARDS = tensor([1, -0.5, 1, -0.1, -0.1, -0.1])
"""Node 0 and its leaf 2 are right; leaf 3 is a wrong document of the right charge; all below node 1 is wrong."""


def by_printed_form(tree: Tree, logits: Tensor, rewards: Tensor) -> Tensor:
    nodes, mask = padded_paths(tree)
    conditional, _ = tree_log_probs(tree, logits)
    return revision_loss(conditional[nodes][None], rewards[nodes][None], mask[None], gamma_r=1.0, form="paper")


@pytest.mark.parametrize("loss", [by_expectation, by_beams, by_reinforce, by_printed_form])
def test_one_step_raises_rewarded_paths_and_lowers_punished_ones(
    loss: Callable[[Tree, Tensor, Tensor], Tensor],
) -> None:
    logits = tensor([0.1, 0.3, -0.2, 0.2, 0.0, 0.4]).requires_grad_()
    gradient = torch.autograd.grad(loss(FORKED, logits, FORKED_REWARDS), logits)[0]
    moved = logits - 0.1 * gradient
    (step_before, before), (step_after, after) = (tree_log_probs(FORKED, values) for values in (logits, moved))
    assert after[0] > before[0]
    assert after[2] > before[2]
    assert step_after[3] < step_before[3]
    assert (after[[1, 4, 5]] < before[[1, 4, 5]]).all()


def test_the_label_term_raises_the_relevant_ids_even_where_no_beam_found_them() -> None:
    logits = torch.zeros(6, dtype=torch.float64, requires_grad=True)
    conditional, before = tree_log_probs(FORKED, logits)
    relevant = conditional[[0, 2]].view(1, 1, 2)
    gradient = torch.autograd.grad(label_term(relevant, everywhere(relevant), lambda_w=1.0), logits)[0]
    _, after = tree_log_probs(FORKED, logits - 0.1 * gradient)
    assert after[2] > before[2]
    assert (after[[3, 4, 5]] < before[[3, 4, 5]]).all()


# Bounds.


def pushed_away(nats: float, form: Any) -> float:
    """Return the loss of a right beam and a punished one with probability e^−nats."""
    log_probs, rewards = tensor([[[-0.1, -0.1], [-nats, -nats]]]), tensor([[[1, 1], [-1, -0.1]]])
    return revision_loss(log_probs, rewards, everywhere(rewards), gamma_r=1.0, form=form).item()


def test_the_printed_form_falls_below_any_bound() -> None:
    for bound in (-1e2, -1e4, -1e6):
        assert pushed_away(-2 * bound, "paper") < bound


def test_the_revised_form_stays_within_the_largest_reward() -> None:
    # The best that can be is the right beam alone, with its total of 2.
    assert [pushed_away(nats, "revised") for nats in (1e2, 1e4, 1e6)] == pytest.approx([-2.0] * 3)
    source = torch.Generator().manual_seed(0)
    for _ in range(200):
        log_probs = -torch.rand(3, 8, 5, generator=source, dtype=torch.float64) * 1000
        rewards = torch.rand(3, 8, 5, generator=source, dtype=torch.float64) * 2 - 1
        loss = revision_loss(log_probs, rewards, everywhere(rewards), gamma_r=0.9)
        assert abs(loss.item()) <= rewards.sum(-1).abs().max().item()


def test_the_exact_expectation_is_bounded_by_a_unit_a_level() -> None:
    source = torch.Generator().manual_seed(0)
    tree = random_tree(50, seed=3)
    depth = max(len(tree.path(leaf)) for leaf in tree.leaves)
    for scale in (1.0, 30.0, 1000.0):
        logits = scale * torch.randn(len(tree.parents), generator=source, dtype=torch.float64)
        rewards = torch.rand(len(tree.parents), generator=source, dtype=torch.float64) * 2 - 1
        assert abs(by_expectation(tree, logits, rewards).item()) <= depth


# Padding.

Variant = dict[str, Any]
VARIANTS: list[Variant] = [{"form": "paper"}, {"form": "revised"}, {"form": "revised", "sampled": True}]


@pytest.mark.parametrize("variant", VARIANTS, ids=["paper", "beams", "samples"])
@pytest.mark.parametrize("filler", [NAN, INFINITE, 7.0])
def test_padding_changes_neither_loss_nor_gradient(variant: Variant, filler: float) -> None:
    log_probs, rewards = tensor([[[HALF, QUARTER], [EIGHTH, HALF]]]), tensor([[[1, 1], [-1, -0.1]]])
    padded, padded_rewards = torch.full((2, 3, 4), filler).double(), torch.full((2, 3, 4), filler).double()
    padded[:1, :2, :2], padded_rewards[:1, :2, :2] = log_probs, rewards
    mask = torch.zeros(2, 3, 4, dtype=torch.bool)
    mask[:1, :2, :2] = True
    log_probs.requires_grad_()
    padded.requires_grad_()
    plain = revision_loss(log_probs, rewards, everywhere(rewards), gamma_r=0.5, **variant)
    loss = revision_loss(padded, padded_rewards, mask, gamma_r=0.5, **variant)
    assert loss.item() == pytest.approx(plain.item())
    expected = torch.zeros(2, 3, 4, dtype=torch.float64)
    expected[:1, :2, :2] = torch.autograd.grad(plain, log_probs)[0]
    assert torch.allclose(torch.autograd.grad(loss, padded)[0], expected)


@pytest.mark.parametrize("variant", VARIANTS, ids=["paper", "beams", "samples"])
def test_a_batch_with_nothing_predicted_loses_nothing(variant: Variant) -> None:
    log_probs = torch.full((2, 3, 4), NAN, requires_grad=True)
    mask = torch.zeros(2, 3, 4, dtype=torch.bool)
    loss = revision_loss(log_probs, log_probs.detach(), mask, gamma_r=1.0, **variant)
    assert loss.item() == 0
    assert torch.autograd.grad(loss, log_probs)[0].eq(0).all()


def test_likelihood_and_labels_of_an_empty_batch_are_nothing() -> None:
    assert sequence_nll(torch.full((2, 4), NAN), torch.zeros(2, 4, dtype=torch.bool)).item() == 0
    assert label_term(torch.full((2, 1, 4), NAN), torch.zeros(2, 1, 4, dtype=torch.bool), lambda_w=1.0).item() == 0


def test_a_node_that_cannot_be_reached_leaves_no_trace() -> None:
    log_probs = tensor([0.0, INFINITE]).requires_grad_()
    loss = expected_reward(log_probs, tensor([0.5, -1]))
    assert loss.item() == -0.5
    assert torch.autograd.grad(loss, log_probs)[0].tolist() == [-0.5, 0.0]


# Settings.


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"gamma_h": 0.0}, "setting gamma_h: 0.0 is not allowed (choose above 0 and at most 1)"),
        ({"gamma_r": 1.5}, "setting gamma_r: 1.5 is not allowed (choose above 0 and at most 1)"),
        ({"mu": 0.0}, "setting mu: 0.0 is not allowed (choose above 0)"),
        ({"lambda_l": NAN}, "setting lambda_l: nan is not allowed (choose 0 or above)"),
        ({"form": "printed"}, "setting form: 'printed' is not allowed (choose paper or revised)"),
        ({"distance": "integer"}, "setting distance: 'integer' is not allowed (choose law or binary)"),
    ],
)
def test_settings_outside_their_range_are_refused_with_the_remedy(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        LossSettings(**wrong)
    assert str(error.value) == message


def test_reading_the_settings_does_not_load_torch() -> None:
    code = "import sys, lexgear.training.losses as l; l.LossSettings(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
