import numpy as np
import pytest
import torch

from lexgear.model.generator.walk import ModelWalk
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.learning.measures import charge_accuracy, validate
from pretraining.small import SETTINGS, still


def test_one_pass_over_the_law_scores_every_charge_as_walking_there_does(prepared: Prepared) -> None:
    generator, trie = still(prepared), prepared.ids.trie
    read = generator.read_only(*prepared.facts.windows(np.array([0, 5]), SETTINGS.max_length))
    with torch.inference_mode():
        whole = WholeTree(generator, trie, read).log_p.numpy()
    for text in (0, 1):
        walk = ModelWalk(generator, trie, read, text)
        expected = np.zeros(trie.node_count)
        for node in range(trie.node_count):
            [steps] = walk.expand([node])
            below = trie.children(node)
            expected[below.start : below.stop] = expected[node] + steps
        np.testing.assert_allclose(whole[text], expected, atol=1e-5)
    leaves = np.flatnonzero(trie.child_count == 0)
    np.testing.assert_allclose(np.exp(whole[:, leaves]).sum(1), 1, rtol=1e-9)


def test_measures_are_shares_of_the_cases_kept_out(prepared: Prepared) -> None:
    found = validate(still(prepared), prepared, SETTINGS.max_length)
    assert set(found) == {"first", "top3", "own"}
    assert 0 <= found["first"] <= found["top3"] <= 1
    cases = np.arange(prepared.learnt, len(prepared.facts))
    asking = int((prepared.reasoning.lengths[cases] > 0).sum())  # only the court's reasoning looks for its facts
    for name, number in (("first", len(cases)), ("top3", len(cases)), ("own", asking)):
        assert found[name] * number == pytest.approx(round(found[name] * number))


def test_a_model_that_knows_one_charge_alone_is_right_where_it_applies(prepared: Prepared) -> None:
    generator, trie = still(prepared), prepared.ids.trie
    cases = np.arange(len(prepared.facts))
    charge = int(prepared.charges.numbers[0])
    with torch.no_grad():
        generator.backbone.decoder.norm.weight.zero_()
        generator.backbone.decoder.norm.weight[0] = 1
        for table in (generator.start, generator.law_in.weight):
            table[..., 0] = 100.0  # every state points the same way
        generator.law_out.weight[:, 0] = 0.0
        generator.law_out.weight[trie.symbol[list(trie.ancestry(charge))], 0] = 5.0
    found = charge_accuracy(generator, prepared, prepared.facts, prepared.charges, cases, 8)
    assert found["first"] == pytest.approx(np.mean([charge in prepared.charges.row(case) for case in cases.tolist()]))
