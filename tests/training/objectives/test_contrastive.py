"""Contrastive loss with negatives mined from the model's own index, refreshed during training."""

from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.model.encoder.bodies import T5Body
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.model.t5 import T5Shape
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop, LoopSettings
from lexgear.training.negatives import ExcludedNegatives, draw_negatives, mine_negatives
from lexgear.training.objectives.contrastive import Contrast, ContrastiveObjective, Pairs, contrastive_nll
from lexgear.training.workspace import Workspace

SHAPE = T5Shape(200, width=16, heads=2, head_width=8, inner=32, encoder_layers=1, dropout=0.0)
DOCUMENTS, TEXTS, QUERIES, LENGTH = 150, 30, 6, 12
CHANCE = np.random.default_rng(3)
NUMBERS = CHANCE.integers(1, 200, (DOCUMENTS, LENGTH))
EVERY = np.arange(TEXTS)


def examples(numbers: np.ndarray[tuple[int, int], np.dtype[np.int64]], leaves: list[list[int]]) -> Examples:
    return Examples(numbers, np.ones(numbers.shape, np.bool_), [np.array(row) for row in leaves])


def objective(**settings: object) -> ContrastiveObjective:
    """Return texts that each share their tokens with a document; a second document of each is excluded."""
    torch.manual_seed(0)
    encoder = TextEncoder(T5Body(SHAPE), "mean")
    texts = examples(NUMBERS[:TEXTS, ::-1].copy(), [[place] for place in range(TEXTS)])
    queries = examples(NUMBERS[:QUERIES, :6].copy(), [[place, place + 9] for place in range(QUERIES)])
    return ContrastiveObjective(
        Contrast(encoder, TEXTS + QUERIES, DOCUMENTS),
        Pairs(texts, [np.array([place, DOCUMENTS - 1 - place]) for place in range(TEXTS)]),
        Pairs(queries, queries.leaves),
        examples(NUMBERS, [[place] for place in range(DOCUMENTS)]),
        extra_per_batch=3,
        **settings,  # type: ignore[arg-type]
    )


def epochs(learnt: ContrastiveObjective, count: int) -> list[torch.Tensor]:
    """Return the negatives of each epoch, with training in between."""
    optimiser = torch.optim.Adam(learnt.model.parameters(), lr=0.05)
    found = []
    for epoch in range(count):
        learnt.begin_epoch()
        loss = learnt.losses(EVERY, np.random.default_rng(epoch))["contrastive"]
        found.append(learnt.model.negatives.clone())
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return found


def test_negatives_are_mined_anew_after_every_refresh_and_not_between() -> None:
    found = epochs(objective(refresh=2), 6)
    assert all((one == -1).all() for one in found[:2])  # in-batch negatives only
    assert torch.equal(found[2], found[3])
    assert torch.equal(found[4], found[5])
    assert not torch.equal(found[3], found[4])


def test_without_refresh_there_are_none_but_those_of_the_batch() -> None:
    learnt = objective(refresh=0)
    assert all((one == -1).all() for one in epochs(learnt, 4))
    read: list[int] = []
    forward = learnt.model.encoder.read
    learnt.model.encoder.read = lambda *texts: read.append(len(texts[0])) or forward(*texts)  # type: ignore[method-assign,func-returns-value]
    learnt.losses(EVERY, np.random.default_rng(9))
    assert read[0] == TEXTS + 3
    assert read[1] <= TEXTS + 3  # one document per text


def test_mined_negatives_are_hard_and_none_of_them_is_spared() -> None:
    learnt = objective(refresh=1)
    epochs(learnt, 3)
    encoder, texts = learnt.model.encoder, learnt.main.texts
    learnt.begin_epoch()  # mines with the current weights
    asked, documents = (encoder.read_all(part.numbers, part.mask) for part in (texts, learnt.documents))
    scores = asked @ documents.T
    hardest = learnt.model.negatives[:TEXTS, :10]
    rng = torch.randint(DOCUMENTS, (TEXTS, 10), generator=torch.Generator().manual_seed(0))
    assert (scores.gather(1, hardest).mean(1) > scores.gather(1, rng).mean(1) + 0.1).all()
    for text, negatives in enumerate(learnt.model.negatives[:TEXTS].tolist()):
        assert not {text, DOCUMENTS - 1 - text} & set(negatives)


def test_hard_negatives_are_read_and_counted() -> None:
    plain, hard = objective(refresh=0), objective(refresh=1, hard=4)
    for learnt in (plain, hard):
        epochs(learnt, 2)
    assert hard.tokens > plain.tokens


def test_the_nearest_are_mined_in_order_and_what_lacks_is_marked() -> None:
    asked, documents = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[1.0, 0.0], [0.6, 0.8], [0.8, 0.6]])
    excluded = ExcludedNegatives.of([np.array([0]), np.array([], np.int64)], 3)
    assert mine_negatives(asked, documents, excluded, 3).tolist() == [[2, 1, -1], [1, 2, 0]]
    assert excluded.among(np.array([1, 0]), np.array([2, 0])).tolist() == [[False, False], [False, True]]


def test_draws_come_from_what_was_mined() -> None:
    table = np.array([[4, 5, 6], [7, -1, -1]])
    found = draw_negatives(table, 200, np.random.default_rng(0))
    assert set(found[0].tolist()) == {4, 5, 6}
    assert set(found[1].tolist()) == {7}


def test_the_loss_is_the_softmax_over_what_is_not_spared() -> None:
    asked, found = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    excluded = np.array([[True, False, True]])
    loss = contrastive_nll(asked, found, np.array([0]), excluded, temperature=0.5)
    assert loss.item() == pytest.approx(-np.log(np.exp(2) / (np.exp(2) + np.exp(0))))


def test_learning_brings_texts_near_their_documents() -> None:
    learnt = objective(refresh=2, token_dropout=0.2)
    before = learnt.losses(EVERY, np.random.default_rng(1))["contrastive"].item()
    log = Loop(learnt.model, learnt, TEXTS, LoopSettings(epochs=8, batch_size=10, learning_rate=0.02)).run()
    assert log[-1]["contrastive"] < 0.5 * before
    assert log[-1]["tokens"] > 0


def test_training_that_stopped_goes_on_with_the_negatives_it_had(tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop(done: int, total: int | None, note: str = "") -> None:
        if note.startswith("epoch 4"):  # between two refreshes
            raise StoppedError

    def loop(workspace: Workspace | None) -> Loop:
        learnt = objective(refresh=2)
        return Loop(learnt.model, learnt, TEXTS, LoopSettings(epochs=5, batch_size=10), workspace=workspace)

    with pytest.raises(StoppedError):
        loop(Workspace(tmp_path / "run", "this")).run(stop)
    again, whole = loop(Workspace(tmp_path / "run", "this")), loop(None)
    assert again.run() == whole.run()
    mine, theirs = again.model.state_dict(), whole.model.state_dict()
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)
