"""Losses L_i, L_r and L_c of the paper, and the bounded forms of L_c that are the default here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from lexgear.errors import ErrorCode, InputError
from lexgear.training.rewards import Distance

if TYPE_CHECKING:
    from torch import Tensor

Form = Literal["paper", "revised"]


@dataclass(frozen=True, slots=True)
class LossSettings:
    """Coefficients of the losses, named as in the paper."""

    mu: float = 1.0
    """μ, the unit of reward. Paper: 1."""
    gamma_h: float = 0.1
    """γ_h, decay of penalties from the root to the leaves. Paper: tuned over 0.01 and 0.1."""
    gamma_r: float = 1.0
    """γ_r, decay of a beam's weight with its rank. Paper: 1 (printed as a second γ_h)."""
    lambda_w: float = 1.0
    """λ_w, weight of the label term in L_c. Paper: tuned over 1, 10 and 100."""
    lambda_l: float = 1e-3
    """λ_l, weight of L_c relative to L_i and L_r. Paper: tuned over 1e-4 to 1e-2 in steps of 5e-4."""
    form: Form = "revised"
    """`paper`: L_c as printed, unbounded below. `revised`: the expected reward."""
    distance: Distance = "law"
    """`law`: a wrong sibling differs by its distance in the law. `binary`: every mismatch differs by 1."""

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
                value = getattr(self, name)
                raise InputError(
                    f"setting {name}: {value!r} is not allowed",
                    code=ErrorCode.INVALID_SETTING,
                    remedy=f"choose {wanted}",
                    name=name,
                    value=value,
                )


def sequence_nll(log_probs: Tensor, mask: Tensor, *, mean: bool = True) -> Tensor:
    """Return L_i or L_r: −log P(ID), summed over steps and averaged over paths, or summed as in the paper.

    Both tensors are (paths, steps).
    """
    summed = -_kept(log_probs, mask).sum()
    return summed / _count(mask.any(-1)) if mean else summed


def revision_loss(
    log_probs: Tensor, rewards: Tensor, mask: Tensor, *, gamma_r: float, form: Form = "revised", sampled: bool = False
) -> Tensor:
    """Return the reward term of L_c over predicted paths, best beam first, averaged over the queries.

    `log_probs`, `rewards` and `mask` are (queries, beams, steps); a beam without steps is ignored. The form `paper`
    uses the same equation for beams and for samples and has no baseline.
    """
    if form == "paper":
        return printed_revision_loss(log_probs, rewards, mask, gamma_r=gamma_r)
    if sampled:
        return reinforce(log_probs, rewards, mask)
    return beam_expectation(log_probs, rewards, mask, gamma_r=gamma_r)


def printed_revision_loss(log_probs: Tensor, rewards: Tensor, mask: Tensor, *, gamma_r: float) -> Tensor:
    """Return −Σ_b γ_r^b Σ_t log p(îd_t)·R_t with b from 1, as printed.

    It is unbounded below: lowering the probability of a punished path always lowers the loss.
    """
    products = _kept(log_probs, mask) * _kept(rewards, mask)
    return -(_beam_weights(products, gamma_r) * products.sum(-1)).sum() / _queries(mask)


def beam_expectation(log_probs: Tensor, rewards: Tensor, mask: Tensor, *, gamma_r: float) -> Tensor:
    """Return −Σ_b p̃_b·γ_r^b·Σ_t R_t, p̃ being the beams' renormalised probabilities; bounded by the largest reward."""
    import torch

    beams = mask.any(-1)
    scores = _kept(log_probs, mask).sum(-1)
    # The lowest finite number instead of −inf: a query without beams then has loss 0 instead of NaN.
    shares = scores.masked_fill(~beams, torch.finfo(scores.dtype).min).softmax(-1)
    totals = _kept(rewards, mask).sum(-1)
    return -(shares * _beam_weights(log_probs, gamma_r) * totals).sum() / _queries(mask)


def reinforce(log_probs: Tensor, rewards: Tensor, mask: Tensor) -> Tensor:
    """Return the REINFORCE loss of sampled paths; the baseline of each path is the mean reward of the others.

    Its gradient is an unbiased estimate of the gradient of −E[Σ_t R_t]; its value has no meaning. Samples have no rank,
    so γ_r does not apply. A single sample has the baseline 0.
    """
    count = mask.any(-1).sum(-1, keepdim=True)
    totals = _kept(rewards, mask).sum(-1)
    others = (totals.sum(-1, keepdim=True) - totals) / (count - 1).clamp(min=1)
    scores = _kept(log_probs, mask).sum(-1)
    products = scores * (totals - others) / count.clamp(min=1)
    return -products.sum() / _queries(mask)


def expected_reward(node_log_probs: Tensor, node_rewards: Tensor) -> Tensor:
    """Return −Σ_n P(n)·R_n over the nodes of a tree: the exact value of −E[Σ_t R_t] for a walk down these nodes.

    P(n) is the probability of reaching node n, R_n the reward of its own step. Nodes are the last dimension; the mean
    is taken over all dimensions before it. Leaves with their total rewards give the same value.
    """
    return -(node_log_probs.exp() * node_rewards).sum(-1).mean()


def label_term(log_probs: Tensor, mask: Tensor, lambda_w: float) -> Tensor:
    """Return −λ_w·Σ_t log p(id_t), summed over the relevant IDs (queries, IDs, steps) and averaged over the queries."""
    return -lambda_w * _kept(log_probs, mask).sum() / _queries(mask)


def total(indexing: Tensor, retrieval: Tensor, revision: Tensor, lambda_l: float) -> Tensor:
    """Return L = L_i + L_r + λ_l·L_c."""
    return indexing + retrieval + lambda_l * revision


def _kept(values: Tensor, mask: Tensor) -> Tensor:
    """Return the values with 0 at masked positions; multiplying by the mask would propagate NaN and −inf."""
    return values.masked_fill(~mask, 0.0)


def _count(present: Tensor) -> Tensor:
    return present.sum().clamp(min=1)


def _queries(mask: Tensor) -> Tensor:
    return _count(mask.any(-1).any(-1))


def _beam_weights(like: Tensor, gamma_r: float) -> Tensor:
    """Return γ_r^b, b = 1, 2, …, for the beams of a (queries, beams, steps) tensor."""
    import torch

    ranks = torch.arange(1, like.shape[1] + 1, device=like.device, dtype=like.dtype)
    return gamma_r**ranks
