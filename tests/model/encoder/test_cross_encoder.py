"""Cross-encoder: it learns from pairs, and scores do not depend on the batch."""

import numpy as np
import pytest
import torch

from lexgear.model.checkpoints import Backbone
from lexgear.model.encoder.cross_encoder import BATCH_SIZE, CrossEncoder, best, join_pairs
from lexgear.model.t5 import T5Shape
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop, LoopSettings
from lexgear.training.objectives.cross_encoder import PairObjective

SIGN = 2
SHAPE = T5Shape(40, width=32, heads=2, head_width=16, inner=64, encoder_layers=1, decoder_layers=1, dropout=0.0)


def reader() -> CrossEncoder:
    torch.manual_seed(0)
    return CrossEncoder(Backbone(SHAPE)).eval()


def rows(texts: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    width = max(map(len, texts))
    numbers = np.array([text + [0] * (width - len(text)) for text in texts])
    return numbers, np.array([[place < len(text) for place in range(width)] for text in texts])


def test_a_query_stands_before_its_document_without_a_gap() -> None:
    both = join_pairs(rows([[5], [6, 7]]), rows([[8, 9], [9]]), SIGN)
    assert both.numbers.tolist() == [[5, SIGN, 8, 9], [6, 7, SIGN, 9]]
    assert both.asked.tolist() == [1, 2]
    assert both.mask.all()


def topics() -> tuple[Examples, Examples, np.ndarray]:
    """Return documents of eight topics with three tokens each; a query has one token of its document's topic."""
    rng = np.random.default_rng(3)
    topic = rng.integers(0, 8, 200)
    documents = 4 + 4 * topic[:, None] + rng.integers(0, 4, (200, 5))
    queries = 4 + 4 * topic[:, None] + rng.integers(0, 4, (200, 2))
    every = [np.array([place]) for place in range(200)]
    return (
        Examples(queries, np.ones_like(queries, dtype=np.bool_), every),
        Examples(documents, np.ones_like(documents, dtype=np.bool_), every),
        topic,
    )


def test_after_training_a_query_scores_higher_beside_a_document_of_its_own_topic() -> None:
    queries, documents, topic = topics()
    model = reader()
    objective = PairObjective(model, queries, documents, topic, SIGN)
    log = Loop(model, objective, 160, LoopSettings(epochs=12, batch_size=16, learning_rate=0.01)).run()
    assert log[-1]["filtering"] < 0.3 < np.log(2) == pytest.approx(log[0]["filtering"], abs=0.3)
    assert log[-1]["tokens"] > 0
    unseen = slice(160, 200)
    asked = queries.numbers[unseen], queries.mask[unseen]
    shown = documents.numbers[unseen], documents.mask[unseen]
    own, other = (
        model.scores(asked, (np.roll(shown[0], turn, axis=0), shown[1]), SIGN)[topic[160:] != np.roll(topic[160:], 7)]
        for turn in (0, 7)
    )
    assert np.mean(own > other) > 0.8


def test_a_document_is_no_wrong_answer_to_its_own_other_query() -> None:
    queries, documents, _ = topics()
    same = PairObjective(reader(), queries, documents, np.zeros(200, dtype=np.int64), SIGN)
    assert same.losses(np.arange(4), np.random.default_rng())["filtering"].item() == 0


def test_the_document_is_read_and_not_the_query_alone() -> None:
    model = reader()
    one, other = (model.scores(rows([[5]]), rows([text]), SIGN)[0] for text in ([8, 9], [10, 11]))
    assert one != other


def test_scores_come_in_the_order_of_the_pairs_whatever_the_batches_are() -> None:
    queries, documents, _ = topics()
    model = reader()
    every = model.scores((queries.numbers, queries.mask), (documents.numbers, documents.mask), SIGN)
    assert len(every) == 200 > BATCH_SIZE
    last = slice(BATCH_SIZE, None)
    some = model.scores(
        (queries.numbers[last], queries.mask[last]), (documents.numbers[last], documents.mask[last]), SIGN
    )
    assert np.array_equal(every[last], some)


def test_the_best_are_kept_the_first_of_equals_before_the_others() -> None:
    assert best(np.array([[0.1, 0.9, 0.5], [2.0, 2.0, 2.0]], dtype=np.float32), 2) == [[1, 2], [0, 1]]
