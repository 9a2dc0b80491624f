"""L_i, L_r and L_c of the paper as tensor functions, and the bounded forms of L_c that are our default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from lexgear.errors import InputError
from lexgear.training.rewards import Distance

if TYPE_CHECKING:
    from torch import Tensor

Form = Literal["paper", "revised"]


@dataclass(frozen=True, slots=True)
class LossSettings:
    """The coefficients of the losses, named as in the paper."""

    mu: float = 1.0
    """μ, the unit of reward. Paper: 1."""
    gamma_h: float = 0.1
    """γ_h, how fast penalties shrink from the root to the leaves. Paper: tuned over 0.01 and 0.1."""
    gamma_r: float = 1.0
    """γ_r, how fast beams lose weight with their rank. Paper: 1 (printed as a second γ_h)."""
    lambda_w: float = 1.0
    """λ_w, the weight of the label term in L_c. Paper: tuned over 1, 10 and 100."""
    lambda_l: float = 1e-3
    """λ_l, the weight of L_c beside L_i and L_r. Paper: tuned over 1e-4 to 1e-2 in steps of 5e-4."""
    form: Form = "revised"
    """`paper`: L_c as printed, unbounded below. `revised`: the expected reward."""
    distance: Distance = "law"
    """`law`: wrong siblings differ by their distance in the law. `binary`: every mismatch differs by 1."""

    def __post_init__(self) -> None:
        for name, fine, wanted in (
            ("mu", self.mu > 0, "above 0"),
            ("gamma_h", 0 < self.gamma_h <= 1, "above 0 and at most 1"),
            ("gamma_r", 0 < self.gamma_r <= 1, "above 0 and at most 1"),
            ("lambda_w", self.lambda_w >= 0, "0 or above"),
            ("lambda_l", self.lambda_l >= 0, "0 or above"),
            ("form", self.form in get_args(Form), " or ".join(get_args(Form))),
            ("distance", self.distance in get_args(Distance), " or ".join(get_args(Distance))),
        ):
            if not fine:
                raise InputError(f"{name} is {getattr(self, name)!r}", remedy=f"choose {wanted}")


def sequence_nll(log_probs: Tensor, mask: Tensor) -> Tensor:
    """L_i and L_r: −log P(ID), the sum over its steps, the mean over the paths. Both arguments (paths, steps)."""
    return -_kept(log_probs, mask).sum() / _count(mask.any(-1))


def revision_loss(
    log_probs: Tensor, rewards: Tensor, mask: Tensor, *, gamma_r: float, form: Form = "revised", sampled: bool = False
) -> Tensor:
    """The reward term of L_c over predicted paths, best beam first, the mean over the queries.

    `log_probs`, `rewards` and `mask` are (queries, beams, steps); a beam without any step is no beam.
    Form `paper` is the same equation for beams and for samples; it has no baseline.
    """
    if form == "paper":
        return printed_revision_loss(log_probs, rewards, mask, gamma_r=gamma_r)
    if sampled:
        return reinforce(log_probs, rewards, mask)
    return beam_expectation(log_probs, rewards, mask, gamma_r=gamma_r)


def printed_revision_loss(log_probs: Tensor, rewards: Tensor, mask: Tensor, *, gamma_r: float) -> Tensor:
    """−Σ_b γ_r^b Σ_t log p(îd_t)·R_t, b from 1, as printed: making a punished path impossible gains without end."""
    products = _kept(log_probs, mask) * _kept(rewards, mask)
    return -(_beam_weights(products, gamma_r) * products.sum(-1)).sum() / _queries(mask)


def beam_expectation(log_probs: Tensor, rewards: Tensor, mask: Tensor, *, gamma_r: float) -> Tensor:
    """−Σ_b p̃_b·γ_r^b·Σ_t R_t, with p̃ the beams' probabilities renormalised: never beyond the largest reward."""
    import torch

    beams = mask.any(-1)
    scores = _kept(log_probs, mask).sum(-1)
    # The lowest finite number and not −inf: a query without beams then loses nothing instead of becoming NaN.
    shares = scores.masked_fill(~beams, torch.finfo(scores.dtype).min).softmax(-1)
    totals = _kept(rewards, mask).sum(-1)
    return -(shares * _beam_weights(log_probs, gamma_r) * totals).sum() / _queries(mask)


def reinforce(log_probs: Tensor, rewards: Tensor, mask: Tensor) -> Tensor:
    """REINFORCE over paths sampled from the model; the baseline of each is the mean reward of the others.

    The gradient is an unbiased estimate of that of −E[Σ_t R_t]; the value itself means nothing. Samples have no
    rank, so γ_r plays no part. A single sample has no others, and 0 as its baseline.
    """
    count = mask.any(-1).sum(-1, keepdim=True)
    totals = _kept(rewards, mask).sum(-1)
    others = (totals.sum(-1, keepdim=True) - totals) / (count - 1).clamp(min=1)
    scores = _kept(log_probs, mask).sum(-1)
    products = scores * (totals - others) / count.clamp(min=1)
    return -products.sum() / _queries(mask)


def expected_reward(node_log_probs: Tensor, node_rewards: Tensor) -> Tensor:
    """−Σ_n P(n)·R_n over the nodes of a tree: the exact −E[Σ_t R_t] of a walk down to wherever the nodes end.

    P(n) is the probability to reach node n, R_n the reward of its own step. The nodes stand in the last
    dimension; the mean is taken over any before it. Over leaves with their total rewards it is the same number.
    """
    return -(node_log_probs.exp() * node_rewards).sum(-1).mean()


def label_term(log_probs: Tensor, mask: Tensor, lambda_w: float) -> Tensor:
    """−λ_w·Σ_t log p(id_t), once for each relevant ID: (queries, IDs, steps), the mean over the queries."""
    return -lambda_w * _kept(log_probs, mask).sum() / _queries(mask)


def total(indexing: Tensor, retrieval: Tensor, revision: Tensor, lambda_l: float) -> Tensor:
    """L = L_i + L_r + λ_l·L_c."""
    return indexing + retrieval + lambda_l * revision


def _kept(values: Tensor, mask: Tensor) -> Tensor:
    """Zero where masked, whatever stood there: a product with the mask would let NaN and −inf through."""
    return values.masked_fill(~mask, 0.0)


def _count(present: Tensor) -> Tensor:
    return present.sum().clamp(min=1)


def _queries(mask: Tensor) -> Tensor:
    return _count(mask.any(-1).any(-1))


def _beam_weights(like: Tensor, gamma_r: float) -> Tensor:
    """γ_r^b for b = 1, 2, … over the beams of a (queries, beams, steps) tensor."""
    import torch

    ranks = torch.arange(1, like.shape[1] + 1, device=like.device, dtype=like.dtype)
    return gamma_r**ranks
