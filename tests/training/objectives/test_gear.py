"""The paper's loss as printed: sums over all pairs and all relevant IDs, with beams searched without dropout."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from lexgear.corpus.records import Collection, Document
from lexgear.docids.law import law_ids
from lexgear.law.shipped import chinese_criminal_law
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.generator import Generator
from lexgear.model.t5 import T5Shape
from lexgear.training.examples import Examples, Ints, paths_to
from lexgear.training.losses import LossSettings
from lexgear.training.objectives.gear import GearObjective

DOCUMENTS = 24
CHARGES = ("盗窃罪", "抢劫罪", "诈骗罪")
IDS = law_ids(
    Collection(
        "test",
        "zh",
        tuple(Document(f"d{at}", {"fact": "某"}, charges=(CHARGES[at % 3],)) for at in range(DOCUMENTS)),
        law=chinese_criminal_law(),
    ),
    shape="fixed",
)
OWN = [IDS.trie.leaves_of(position) for position in range(DOCUMENTS)]
RELEVANT = [np.concatenate(OWN[:10]), np.concatenate(OWN[5:20])]
"""More IDs per query than a batch samples otherwise."""


def objective(dropout: float = 0.0, **losses: object) -> GearObjective:
    torch.manual_seed(0)
    shape = T5Shape(60, width=16, heads=2, head_width=8, inner=32, encoder_layers=1, decoder_layers=1, dropout=dropout)
    generator = Generator(Backbone(shape), IDS.law_symbols, DOCUMENTS)
    rng = np.random.default_rng(1)

    def texts(leaves: Sequence[Ints]) -> Examples:
        numbers = rng.integers(1, 60, (len(leaves), 8))
        return Examples(numbers, np.ones(numbers.shape, np.bool_), leaves)

    settings = LossSettings(form="paper", **losses)  # type: ignore[arg-type]
    return GearObjective(
        generator, IDS, texts(OWN), texts(RELEVANT), settings, queries_per_batch=2, beams=4, children=False
    )


def log_p(of: GearObjective, examples: Examples) -> list[float]:
    """Return log P of all IDs of each text, in order, each computed alone."""
    found = []
    for row, leaves in enumerate(examples.leaves):
        read = of.generator.read(examples.numbers[row : row + 1], examples.mask[row : row + 1])
        for leaf in leaves.tolist():
            steps = of.generator.step_log_probs(read, np.zeros(1), paths_to(IDS, [leaf]), IDS.trie, children=False)
            found.append(steps.sum().item())
    return found


def losses(of: GearObjective) -> dict[str, float]:
    found = of.losses(np.arange(6), np.random.default_rng(0))
    return {name: loss.item() for name, loss in found.items()}


def test_l_i_and_l_r_are_summed_over_all_pairs() -> None:
    gear = objective()
    found = losses(gear)
    assert found["L_i"] == pytest.approx(-sum(log_p(gear, gear.documents.first(6))), rel=1e-4)
    assert found["L_r"] == pytest.approx(-sum(log_p(gear, gear.queries)), rel=1e-4)


def test_the_label_term_counts_every_relevant_id_once() -> None:
    gear = objective(lambda_w=2.0, lambda_l=1.0)
    without = objective(lambda_w=0.0, lambda_l=1.0)
    term = losses(gear)["L_c"] - losses(without)["L_c"]
    assert term == pytest.approx(-2.0 * sum(log_p(gear, gear.queries)), rel=1e-4)


def test_beams_are_searched_without_dropout_and_training_goes_on_with_it() -> None:
    gear = objective(dropout=0.5)
    gear.generator.train()
    once, again = (gear._beams(gear.queries) for _ in range(2))
    assert [result.hits for result in once] == [result.hits for result in again]
    assert gear.generator.training
    gear.generator.eval()
    assert [result.hits for result in gear._beams(gear.queries)] == [result.hits for result in once]
