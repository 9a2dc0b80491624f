"""Weights and the map from shares to probabilities, learnt on made-up walks whose best weights are known."""

import numpy as np
import pytest

from lexgear.docids.trie import Trie
from lexgear.rankers.lexgear.weighting.calibration import calibrated
from lexgear.rankers.lexgear.weighting.labelled_texts import LabelledQuery, LabelledText
from lexgear.rankers.lexgear.weighting.ranking import candidates_of, document_scores, learn_ranking
from lexgear.rankers.lexgear.weighting.walk_grid import learn_walk, walk_grid
from lexgear.rankers.lexgear.weighting.weights import LEAF_SCORES, LeafScores, Weights

# Two charges under one article, a third under another; document 1 hangs under two of them.
TRIE = Trie.build(np.array([[1, 3, 10], [1, 4, 11], [2, 5, 11], [2, 5, 12]]), np.array([0, 1, 1, 2]))
CHARGES = np.flatnonzero((TRIE.child_count > 0) & (TRIE.document[TRIE.first_child] >= 0))


def labelled_text(right: int, *, generator_knows: bool, words_know: bool) -> LabelledText:
    """Return a text of one charge; a source that does not know the charge predicts the opposite."""
    generated = np.full(TRIE.node_count, np.nan)
    generated[0] = 0.0
    p = np.where(np.arange(3) == right, 0.8, 0.1) if generator_knows else np.where(np.arange(3) == right, 0.02, 0.49)
    generated[CHARGES] = np.log(p)
    for article in (1, 2):
        generated[article] = np.logaddexp.reduce(generated[CHARGES[TRIE.parent[CHARGES] == article]])
    nearness = np.zeros(TRIE.node_count)
    nearness[CHARGES] = np.where(np.arange(3) == right, 0.3, 0.1) * (1 if words_know else -1)
    return LabelledText(generated, nearness, np.arange(3) == right)


def test_the_source_that_predicts_the_charges_gets_the_weight() -> None:
    words = learn_walk(TRIE, CHARGES, [labelled_text(n % 3, generator_knows=False, words_know=True) for n in range(30)])
    model = learn_walk(TRIE, CHARGES, [labelled_text(n % 3, generator_knows=True, words_know=False) for n in range(30)])
    assert words.generator == 0
    assert model.generator >= 1
    assert model.law_words == 0
    text = labelled_text(1, generator_knows=False, words_know=True)
    p = [words.probability(share) for share in text.log_p(TRIE, words)[CHARGES]]
    assert p[1] > 0.8
    assert max(p[0], p[2]) < 0.2


def test_without_data_the_defaults_are_returned() -> None:
    assert learn_walk(TRIE, CHARGES, []) == Weights()
    assert (
        learn_walk(TRIE, np.empty(0, dtype=np.int64), [labelled_text(0, generator_knows=True, words_know=True)])
        == Weights()
    )
    assert learn_ranking([(0.0, Weights())], [], TRIE) == Weights()


def test_queries_choose_the_walk_that_ranks_best() -> None:
    text, nothing = labelled_text(0, generator_knows=False, words_know=True), np.zeros(3)
    parts = LeafScores(*[nothing] * 6)
    ranked = LabelledQuery(text, np.arange(3), np.arange(3), parts, np.array([3, 0, 0]), (np.arange(3),))
    without_words, with_words = Weights(generator=1.0, law_words=0.0), Weights(generator=0.0, law_words=30.0)
    assert learn_ranking([(1.0, without_words), (1.0, with_words)], [ranked] * 10, TRIE).law_words == 30
    assert learn_ranking([(1.0, without_words), (9.0, with_words)], [ranked] * 10, TRIE).law_words == 0


@pytest.mark.parametrize("relevant", [0, 2])
def test_the_ranking_learns_whether_charges_or_content_help(relevant: int) -> None:
    """Words do not distinguish the documents; the charge favours document 0, the content document 2."""
    text, nothing = labelled_text(0, generator_knows=True, words_know=True), np.zeros(3)
    parts, grades = (
        LeafScores(nothing, np.array([0.0, 0.0, 2.0]), *[nothing] * 4),
        np.where(np.arange(3) == relevant, 3, 0),
    )
    ranked = LabelledQuery(text, np.arange(3), np.arange(3), parts, grades, (np.arange(3),))
    before, learnt = Weights(), learn_ranking([(0.0, Weights())], [ranked] * 40, TRIE)
    assert (learnt.content > 2 * before.content) == (relevant == 2)
    assert (learnt.charge > before.charge) == (relevant == 0)
    scores = document_scores(TRIE, text.log_p(TRIE, learnt), learnt.charge, parts.combined(learnt))
    assert np.argmax(scores) == relevant


def test_the_candidates_of_a_query_carry_the_scores_of_their_documents() -> None:
    text, parts = labelled_text(1, generator_knows=True, words_know=True), LeafScores(*np.arange(18.0).reshape(6, 3))
    positions = np.array([2, 1])
    lists = (np.array([0, 1]), np.array([1]))
    both, last = candidates_of(
        LabelledQuery(text, positions, positions, parts.of(positions), np.array([0, 3]), lists), Weights(), TRIE
    )
    scores = document_scores(TRIE, text.log_p(TRIE, Weights()), Weights().charge, parts.combined(Weights()))
    weights = [getattr(Weights(), name) for name in ("charge", *LEAF_SCORES)]
    assert both.fixed + both.parts @ weights == pytest.approx(scores[positions])
    assert last.fixed + last.parts @ weights == pytest.approx(scores[positions[1:]])
    assert last.grades.tolist() == [3]


def test_a_document_scores_by_all_its_charges() -> None:
    log_p = np.log(np.full(TRIE.node_count, 0.5))
    log_p[CHARGES] = np.log([0.5, 0.3, 0.2])
    scores = document_scores(TRIE, log_p, 2.0, np.array([1.0, 0.0, 0.0]))
    assert scores == pytest.approx([2 * np.log(0.5) + 1, 2 * np.log(0.3 + 0.2), 2 * np.log(0.2)])


def test_calibration_recovers_slope_and_offset() -> None:
    rng = np.random.default_rng(0)
    shares = np.log(rng.random(20_000))
    true = Weights(slope=1.5, offset=0.7)
    applies = rng.random(len(shares)) < [true.probability(share) for share in shares]
    _, slope, offset = calibrated(shares, applies)
    assert [slope, offset] == pytest.approx([1.5, 0.7], abs=0.1)


def test_a_handful_of_texts_does_not_give_certainty() -> None:
    _, slope, offset = calibrated(np.log([0.9, 0.1, 0.8, 0.2]), np.array([True, False, True, False]))
    weights = Weights(slope=slope, offset=offset)
    assert weights.probability(np.log(0.9)) < 0.99


def test_probability_rises_with_the_share_and_stays_between_zero_and_one() -> None:
    weights = Weights(slope=0.5, offset=1.0)
    values = [weights.probability(np.log(share)) for share in (1e-30, 1e-9, 0.01, 0.5, 1.0)]
    assert values == sorted(values)
    assert 0 < values[0] < 0.01
    assert 0.99 < values[-1] < 1  # a charge that has the whole mass is all but certain


def test_weights_of_earlier_versions_are_read() -> None:
    """The ranking of these did not know legal terms, and must not change."""
    old = {"generator": 0.1, "charge": 3.0, "asked": 5.0, "nearest": 0.3, "alone": 0.05, "slope": 2.0}
    read = Weights.from_row(old)
    assert read == Weights(
        0.1, charge=3.0, past_questions=5.0, nearest_question=0.3, legal_terms=0.0, slope=2.0, odds=False
    )
    assert read.probability(-1.5) == pytest.approx(1 / (1 + np.exp(3.0)))
    assert Weights.from_row(Weights(content=2.0).to_row()) == Weights(content=2.0)


def test_many_judgments_count_no_more_than_the_queries() -> None:
    by_words = [labelled_text(n % 3, generator_knows=False, words_know=True) for n in range(10)]
    by_generator = [labelled_text(n % 3, generator_knows=True, words_know=False) for n in range(60)]
    alone = walk_grid(TRIE, CHARGES, by_words, by_generator[:1] * 10)
    many = walk_grid(TRIE, CHARGES, by_words * 50, by_generator[:1] * 10)
    assert [loss for loss, _ in many] == pytest.approx([loss for loss, _ in alone], rel=1e-6)
