"""Matter of a text: the charge it tells of, or another matter such as a debt, a divorce or a recipe.

A base model learns from judgments, and laypeople write differently. The classifier is the encoder of a base model with
low-rank updates of its layers (Hu et al., 2022), learnt from lay texts and parts of cases, and a softmax over all
charges and the other matters. The base model itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save
from torch import Tensor, nn

from lexgear.docids.ids import DocIds
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory, read_json, write_json_list
from lexgear.model.bert import BertEncoder
from lexgear.model.checkpoints import Backbone
from lexgear.model.encoder.quantized import first_states
from lexgear.model.tokenizer import Tokens

UPDATED = ("q", "k", "v", "o", "inward", "outward")
"""Linear layers of a BERT layer that are updated."""
MAX_LENGTH = 384
"""Tokens that are read of a text."""
WEIGHTS = "matters.safetensors"
"""Name of the file in a base model and in an index."""
ABOUT = "matters.json"
"""Name of the description in an index; a base model has it in `base.json`."""


class LowRankUpdate(nn.Module):
    """A linear layer that stays as it is, with a learnt update of low rank."""

    def __init__(self, linear: nn.Linear, rank: int) -> None:
        super().__init__()
        self.linear = linear.requires_grad_(False)
        self.down = nn.Linear(linear.in_features, rank, bias=False)
        self.up = nn.Linear(rank, linear.out_features, bias=False)
        nn.init.zeros_(self.up.weight)

    def forward(self, states: Tensor) -> Tensor:
        """Map states as the linear layer does, plus the update."""
        mapped: Tensor = self.linear(states) + self.up(self.down(states))
        return mapped

    @torch.no_grad()
    def merged(self) -> nn.Linear:
        """Return one linear layer that does the same."""
        linear = deepcopy(self.linear)
        linear.weight += self.up.weight @ self.down.weight
        return linear


class MatterClassifier(nn.Module):
    """Encoder of a base model with low-rank updates, and a softmax over matters."""

    def __init__(self, backbone: Backbone, matters: int, rank: int) -> None:
        super().__init__()
        if not isinstance(backbone.encoder, BertEncoder):
            raise InputError("only the encoder of a BERT can classify matters", code=ErrorCode.CHECKPOINT_INVALID)
        self.embed = backbone.embed.requires_grad_(False)
        self.encoder = deepcopy(backbone.encoder).requires_grad_(False)
        for layer in self.encoder.bert_layers():
            for name in UPDATED:
                setattr(layer, name, LowRankUpdate(getattr(layer, name), rank))
        self.head = nn.Linear(backbone.shape.width, matters)

    def forward(self, numbers: Tensor, seen: Tensor) -> Tensor:
        """Return the scores of the matters of each text."""
        scores: Tensor = self.head(self.states(numbers, seen))
        return scores

    def states(self, numbers: Tensor, seen: Tensor) -> Tensor:
        """Return the state of each text's first token."""
        return self.encoder.first_states(self.embed(numbers), seen)

    def learnt(self) -> dict[str, Tensor]:
        """Return the weights that are learnt: the updates and the softmax."""
        wanted = (".up.", ".down.", "head.")
        return {name: value for name, value in self.state_dict().items() if any(part in name for part in wanted)}

    def merge(self) -> Self:
        """Put the updates into the layers, so that the classifier reads as fast as the base model."""
        for layer in self.encoder.bert_layers():
            for name in UPDATED:
                setattr(layer, name, getattr(layer, name).merged())
        return self.eval()


@dataclass(frozen=True, eq=False)
class Matters:
    """A trained classifier with its tokenizer and the names of its matters."""

    classifier: MatterClassifier
    """With merged updates."""
    tokens: Tokens
    charges: tuple[str, ...]
    """Law nodes of the charges, the first matters of the softmax."""
    others: tuple[str, ...]
    """The other matters."""
    threshold: float
    """Probability of a crime below which a text is no criminal matter."""
    learnt: Mapping[str, Tensor]
    """The weights that were learnt, to be written with an index."""
    walk: Mapping[str, float] = field(default_factory=dict)
    """Weights of the walk down the law for short texts, with their calibration; none if they were not learnt."""

    @torch.inference_mode()
    def read(self, text: str) -> Reading:
        """Return the probabilities of the matters of a text without person names."""
        classifier, device = self.classifier, self.classifier.head.weight.device
        numbers, mask = self.tokens.encode([text], MAX_LENGTH)
        embedded = classifier.embed(torch.from_numpy(numbers.astype(np.int64)).to(device))
        first = first_states(classifier.encoder, embedded, torch.from_numpy(mask).to(device))
        return Reading(self, torch.log_softmax(classifier.head(first).double(), -1)[0].cpu().numpy())

    def to_row(self) -> dict[str, Any]:
        """Return what is stored beside the weights, as plain values for JSON."""
        row = {"charges": list(self.charges), "others": list(self.others), "threshold": self.threshold}
        return row | {"walk": dict(self.walk)}

    def save(self, file: Path) -> None:
        """Write what was learnt, in half precision; the weights of the encoder are not repeated."""
        file.write_bytes(save({name: value.half().cpu().contiguous() for name, value in self.learnt.items()}))


@dataclass(frozen=True, eq=False)
class Reading:
    """Probabilities of the matters of one text."""

    matters: Matters
    log_p: NDArray[np.float64]
    """Of the charges and the other matters."""

    @property
    def crime(self) -> float:
        """Probability that the text is a criminal matter."""
        return float(np.exp(self.log_p[: len(self.matters.charges)]).sum())

    @property
    def other_matter(self) -> str | None:
        """The most probable matter of a text that is no criminal matter; None for a criminal one."""
        if self.crime >= self.matters.threshold:
            return None
        return self.matters.others[int(np.argmax(self.log_p[len(self.matters.charges) :]))]

    def charge_log_p(self, ids: DocIds) -> NDArray[np.float64]:
        """Return log P of the charge at each node of a trie, given that some charge applies; 0 at other nodes."""
        own = self.log_p[: len(self.matters.charges)]
        known = dict(zip(self.matters.charges, (own - np.logaddexp.reduce(own)).tolist(), strict=True))
        least = min(known.values())
        found = np.zeros(ids.trie.node_count)
        found[ids.nodes_of("charge")] = [known.get(name, least) for name in ids.charge_names]
        return found


def load_matters(file: Path, backbone: Backbone, tokens: Tokens, about: Mapping[str, Any]) -> Matters:
    """Read the classifier that `Matters.save` wrote, for the encoder it was learnt with."""
    charges, others = tuple(about["charges"]), tuple(about["others"])
    learnt = {name: value.float() for name, value in load_file(file).items()}
    rank = next(value for name, value in learnt.items() if ".down." in name).shape[0]
    classifier = MatterClassifier(backbone, len(charges) + len(others), rank)
    classifier.load_state_dict(learnt, strict=False)
    return Matters(classifier.merge(), tokens, charges, others, float(about["threshold"]), learnt, about["walk"])


def write_matters(directory: PartsDirectory, matters: Matters) -> None:
    """Write a classifier as parts of an index."""
    matters.save(directory / WEIGHTS)
    write_json_list(directory / ABOUT, [matters.to_row()])


def read_matters(directory: PartsDirectory, backbone: Backbone, tokens: Tokens) -> Matters | None:
    """Read what `write_matters` wrote; None if an index has no classifier."""
    if not (directory / WEIGHTS).exists():
        return None
    [about] = read_json(directory / ABOUT)
    return load_matters(directory / WEIGHTS, backbone, tokens, about)
