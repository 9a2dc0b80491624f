import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.training.rewards import Path, Step, best_match, level_rewards

PART = Step(1, "part", rank=1, siblings=2)
MARKET, PROPERTY, ORDER = (Step(10 + rank, "chapter", rank, siblings=10) for rank in (2, 4, 5))
GOODS = Step(20, "section", rank=0, siblings=8)
ROBBERY, THEFT, SNATCHING = (Step(30 + rank, "article", rank, siblings=14) for rank in (0, 1, 4))
FAKE_GOODS = Step(39, "article", rank=0, siblings=11)
ROBBERY_CHARGE, THEFT_CHARGE, FAKE_GOODS_CHARGE = (Step(symbol, "charge", 0, 1) for symbol in (40, 41, 42))
CASE, OTHER_CASE = Step(725, "document", rank=7, siblings=90), Step(726, "document", rank=8, siblings=90)

ROBBED: Path = (PART, PROPERTY, ROBBERY, ROBBERY_CHARGE, CASE)
STOLEN: Path = (PART, PROPERTY, THEFT, THEFT_CHARGE, OTHER_CASE)
FAKED: Path = (PART, MARKET, GOODS, FAKE_GOODS, FAKE_GOODS_CHARGE, OTHER_CASE)


def test_the_right_path_earns_the_unit_at_every_step() -> None:
    assert level_rewards(ROBBED, ROBBED, mu=2.0, gamma_h=0.1).tolist() == [2.0] * 5


def test_a_wrong_article_costs_its_distance_in_the_law_and_what_follows_costs_the_whole_unit() -> None:
    # t=1, 2: part and chapter are right: 2 each.
    # t=3: neighbours among 14 articles: −0.5^2 · 2 · 1/14 = −1/28.
    # t=4: charges of different articles are no siblings: −0.5^3 · 2 · 1 = −0.25.
    # t=5: another document: −0.5^4 · 2 · 1 = −0.125.
    rewards = level_rewards(STOLEN, ROBBED, mu=2.0, gamma_h=0.5)
    assert rewards == pytest.approx([2.0, 2.0, -1 / 28, -0.25, -0.125])


def test_an_article_further_away_costs_more() -> None:
    # |4 − 0| / 14 against |1 − 0| / 14.
    near, far = (level_rewards((PART, PROPERTY, article), ROBBED, gamma_h=1.0)[2] for article in (THEFT, SNATCHING))
    assert near == pytest.approx(-1 / 14)
    assert far == pytest.approx(-4 / 14)


def test_without_distance_every_mismatch_costs_the_same() -> None:
    # −0.5^2, −0.5^3, −0.5^4, whatever stands there.
    rewards = level_rewards(STOLEN, ROBBED, gamma_h=0.5, distance="binary")
    assert rewards == pytest.approx([1.0, 1.0, -0.25, -0.125, -0.0625])
    assert level_rewards((PART, PROPERTY, SNATCHING), ROBBED, gamma_h=0.5, distance="binary")[2] == rewards[2]


def test_documents_of_one_charge_are_equal_or_wholly_different() -> None:
    wrong = (*ROBBED[:-1], OTHER_CASE)
    assert level_rewards(wrong, ROBBED, gamma_h=0.5)[-1] == pytest.approx(-(0.5**4))


def test_the_same_document_under_another_charge_is_still_the_right_document() -> None:
    assert level_rewards((*STOLEN[:-1], CASE), ROBBED)[-1] == 1.0


def test_penalties_are_larger_near_the_root() -> None:
    market, article = (PART, MARKET, ROBBERY), (PART, PROPERTY, THEFT)
    wrong_chapter = level_rewards(market, ROBBED, gamma_h=0.1, distance="binary")[1]
    wrong_article = level_rewards(article, ROBBED, gamma_h=0.1, distance="binary")[2]
    assert wrong_chapter == pytest.approx(-0.1)
    assert wrong_article == pytest.approx(-0.01)


def test_a_path_with_a_section_beside_one_without() -> None:
    # t=1: part, right: 1.                      t=2: chapters 2 places apart of 10: −0.5 · 0.2 = −0.1.
    # t=3: the gold path has no section: −0.5^2. t=4: articles of different parents: −0.5^3.
    # t=5: charges of different parents: −0.5^4. t=6: another document: −0.5^5.
    rewards = level_rewards(FAKED, ROBBED, gamma_h=0.5)
    assert rewards == pytest.approx([1.0, -0.1, -0.25, -0.125, -0.0625, -0.03125])


def test_a_path_without_a_section_beside_one_with() -> None:
    # t=3 is an article of another parent and passes the section over: −0.5^2 · (1 + 1).
    rewards = level_rewards(ROBBED, FAKED, gamma_h=0.5)
    assert rewards == pytest.approx([1.0, -0.1, -0.5, -0.125, -0.0625])


def test_an_article_beside_the_sections_of_its_chapter_is_compared_with_articles_only() -> None:
    # Article 1 stands directly in the chapter whose section 1 the gold path takes: two levels differ, no distance.
    beside = Step(50, "article", rank=8, siblings=9)
    gold = (PART, MARKET, replace(GOODS, siblings=9), FAKE_GOODS, FAKE_GOODS_CHARGE, CASE)
    assert level_rewards((PART, MARKET, beside), gold, gamma_h=1.0) == pytest.approx([1.0, 1.0, -2.0])


def test_the_right_document_reached_past_the_law_pays_for_the_levels_it_passed_over() -> None:
    # t=1: no such level in the gold path: −1. t=2: the document is right, part to charge passed over: 1 − 0.5 · 4.
    uncharged = Step(60, "uncharged", rank=2, siblings=3)
    assert level_rewards((uncharged, CASE), ROBBED, gamma_h=0.5) == pytest.approx([-1.0, -1.0])


def test_laws_that_nest_their_levels_the_other_way_round_never_reward_a_mismatch() -> None:
    # t=1: a chapter of another parent, the title passed over: −2. t=2: the title after all, wrong: −0.5.
    # t=3: a wrong article, nothing passed over: −0.25.
    predicted = tuple(Step(symbol, kind, 0, 3) for symbol, kind in ((7, "chapter"), (8, "title"), (9, "article")))
    gold = tuple(Step(symbol, kind, 1, 3) for symbol, kind in ((1, "title"), (2, "chapter"), (3, "article")))
    assert level_rewards(predicted, gold, gamma_h=0.5) == pytest.approx([-2.0, -0.5, -0.25])


def test_clusters_below_clusters_are_aligned_by_depth() -> None:
    first, second, third = (Step(symbol, "cluster", symbol, 10) for symbol in (3, 4, 5))
    # t=2: clusters 4 and 5 below the same cluster: −0.1 · 1/10. t=3: the gold path ends a level earlier.
    rewards = level_rewards((first, second, second, CASE), (first, third, CASE), gamma_h=0.1)
    assert rewards == pytest.approx([1.0, -0.01, -0.01, 1.0])


def test_clusters_of_one_digit_in_different_clusters_are_not_the_same_parent() -> None:
    three, five, four, seven, nine = (Step(symbol, "cluster", symbol, 10) for symbol in (3, 5, 4, 7, 9))
    # t=1: −2/10. t=2: the digit is right, as the equation is printed. t=3: 7 below 3-4 and 9 below 5-4 are no
    # siblings, though both hang under a 4: −0.5^2 · 1, not −0.5^2 · 2/10.
    rewards = level_rewards((three, four, seven), (five, four, nine), gamma_h=0.5)
    assert rewards == pytest.approx([-0.2, 1.0, -0.25])


symbols = st.integers(0, 2)
kinds = ("part", "chapter", "section", "article", "charge", "document")
paths = st.lists(
    st.tuples(st.sampled_from(kinds), symbols), min_size=1, max_size=6, unique_by=lambda pair: pair[0]
).map(
    lambda pairs: tuple(
        Step(symbol, kind, symbol, 3) for kind, symbol in sorted(pairs, key=lambda p: kinds.index(p[0]))
    )
)


@given(predicted=paths, gold=paths)
def test_the_first_steps_earn_the_same_however_the_path_goes_on(predicted: Path, gold: Path) -> None:
    whole = level_rewards(predicted, gold, gamma_h=0.5)
    for length in range(len(predicted)):
        assert level_rewards(predicted[:length], gold, gamma_h=0.5).tolist() == whole[:length].tolist()


@given(predicted=paths, gold=paths)
def test_no_path_earns_more_than_the_right_one(predicted: Path, gold: Path) -> None:
    assert level_rewards(predicted, gold).sum() <= len(gold)
    assert (level_rewards(predicted, gold) <= 1).all()


def test_a_beam_is_compared_with_the_relevant_id_that_suits_it_best() -> None:
    # Against its own ID the beam is wholly right; the order of the labels must not punish it.
    for golds in itertools.permutations([STOLEN, ROBBED, FAKED]):
        match = best_match(ROBBED, golds)
        assert golds[match.gold] is ROBBED
        assert match.rewards.tolist() == [1.0] * 5


@given(predicted=paths, golds=st.lists(paths, min_size=1, max_size=4))
def test_no_other_relevant_id_would_give_more(predicted: Path, golds: list[Path]) -> None:
    match = best_match(predicted, golds, mu=2.0, gamma_h=0.5, distance="binary")
    totals = [level_rewards(predicted, gold, mu=2.0, gamma_h=0.5, distance="binary").sum() for gold in golds]
    assert match.rewards.sum() == max(totals)
    assert match.gold == totals.index(max(totals))


def test_a_query_without_relevant_ids_is_refused() -> None:
    with pytest.raises(ValueError, match="without relevant IDs"):
        best_match(ROBBED, [])
