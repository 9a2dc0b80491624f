"""Possible charges that are easily confused come with what distinguishes them and what speaks for either."""

from lexgear.judgment.disputes import find_disputes
from lexgear.judgment.expressions import expressions_in
from lexgear.judgment.records import PredictedCharge
from lexgear.law.distinctions import LANGUAGES

TEXT = "某某携带匕首，抢走女子的挎包后骑摩托车逃跑。"


def predicted(name: str, probability: float) -> PredictedCharge:
    expressions = expressions_in(TEXT, name)
    return PredictedCharge(name, probability, 0.0, (name,), probability >= 0.5, expressions=expressions)


def test_a_dispute_says_what_in_the_facts_speaks_for_either() -> None:
    [dispute] = find_disputes([predicted("抢夺罪", 0.5), predicted("抢劫罪", 0.4)], TEXT)
    assert dispute.charges == ("抢夺罪", "抢劫罪")
    snatching, robbery = dispute.reasons
    assert "匕首" in {part.text for part in robbery}
    assert "骑摩托车" in {part.text for part in snatching}
    assert all(TEXT[part.start : part.end] == part.text for part in (*snatching, *robbery))
    assert not {part.text for part in snatching} & {part.text for part in robbery}
    row = dispute.to_row()
    assert row["texts"].keys() == set(LANGUAGES)
    assert row["text"] == row["texts"]["en"]
    assert "凶器" in row["texts"]["zh"]


def test_unlikely_charges_and_charges_for_separate_acts_are_not_disputed() -> None:
    assert find_disputes([predicted("抢夺罪", 0.9), predicted("抢劫罪", 0.05)], TEXT) == ()
    assert find_disputes([predicted("抢夺罪", 0.6), predicted("危险驾驶罪", 0.4)], TEXT) == ()
