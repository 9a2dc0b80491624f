"""Fine-tuning of an encoder on token numbers: what it learns, and what it must not forget."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.docids.trie import Trie
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.generator import Generator
from lexgear.model.generator.whole_tree import whole_log_p
from lexgear.model.t5 import T5Shape
from lexgear.rankers.lexgear.adaptation.data import RAGGED, AdaptationData
from lexgear.rankers.lexgear.adaptation.encoding import TokenRows, batched_vectors
from lexgear.rankers.lexgear.adaptation.fine_tuning import Recipe, adapted, tuned

TOPICS = 12
RECIPE = Recipe(epochs=15, batch_size=6, learning_rate=3e-3, temperature=0.1)
TRIE = Trie.build(np.array([[1, 3, 10], [1, 4, 11], [2, 5, 11], [2, 5, 12]]), np.array([0, 1, 1, 2]))


@pytest.fixture
def generator() -> Generator:
    torch.manual_seed(0)
    shape = T5Shape.from_scratch(80, width=32, heads=2, encoder_layers=1, decoder_layers=1, dropout=0.0)
    return Generator(Backbone(shape), 6, summary=True).eval()


@pytest.fixture
def data() -> AdaptationData:
    """Questions and documents about the same topics in different words, of different lengths."""
    rng = np.random.default_rng(0)
    queries = [np.array([5 + topic, *rng.integers(60, 80, 2 + topic % 3)]) for topic in range(TOPICS)]
    documents = [np.array([*rng.integers(60, 80, 3 + topic % 4), 30 + topic]) for topic in range(TOPICS)]
    judged = [np.array([topic, (topic + 1) % TOPICS]) for topic in range(TOPICS)]
    grades = [np.array([3, 0]) for _ in range(TOPICS)]
    return AdaptationData(queries, documents, judged, grades)


def found_first(generator: Generator, data: AdaptationData) -> float:
    queries, documents = (
        batched_vectors(generator, TokenRows(rows, generator.device)) for rows in (data.queries, data.documents)
    )
    return float((queries @ documents.T).argmax(1).eq(torch.arange(TOPICS)).float().mean())


def with_pools(data: AdaptationData) -> AdaptationData:
    return AdaptationData(data.queries, data.documents, data.judged, data.grades, [np.arange(TOPICS)] * TOPICS)


def test_questions_find_their_documents_after_contrastive_training(generator: Generator, data: AdaptationData) -> None:
    before = {name: value.clone() for name, value in generator.state_dict().items()}
    assert found_first(generator, data) < 0.5
    assert found_first(adapted(generator, data, recipe=RECIPE), data) > 0.8
    assert all(value.equal(before[name]) for name, value in generator.state_dict().items())


def test_queries_find_the_best_of_their_pools_after_listwise_training(
    generator: Generator, data: AdaptationData
) -> None:
    assert found_first(adapted(generator, with_pools(data), recipe=RECIPE), data) > 0.8


def test_averaged_weights_are_the_mean_of_the_last_steps(generator: Generator, data: AdaptationData) -> None:
    short = replace(RECIPE, epochs=2, batch_size=TOPICS)  # two steps
    last = adapted(generator, data, recipe=short).state_dict()
    also_last = adapted(generator, data, recipe=replace(short, averaged=0.5)).state_dict()
    mean = adapted(generator, data, recipe=replace(short, averaged=1.0)).state_dict()
    name = "backbone.embed.weight"
    assert torch.equal(also_last[name], last[name])
    assert not torch.allclose(mean[name], last[name])
    longer = replace(RECIPE, averaged=0.6)
    assert found_first(adapted(generator, with_pools(data), recipe=longer), data) == 1.0


def test_the_same_seed_gives_the_same_encoder(generator: Generator, data: AdaptationData) -> None:
    short = Recipe(1, 6, 1e-3, 0.1)
    one, same, other = (adapted(generator, data, seed=seed, recipe=short).content.weight for seed in (0, 0, 1))
    assert one.equal(same)
    assert not one.equal(other)


def test_charges_stay_as_they_were(generator: Generator, data: AdaptationData) -> None:
    ends = np.flatnonzero((TRIE.child_count > 0) & (TRIE.document[TRIE.first_child] >= 0))
    texts = TokenRows(data.documents, generator.device).batch(np.arange(TOPICS))

    def charges(model: Generator) -> torch.Tensor:
        with torch.inference_mode():
            return whole_log_p(model, TRIE, model.read_tensors(*texts))[:, ends].exp()

    keeping = AdaptationData(data.queries, data.documents, data.judged, data.grades, trie=TRIE)
    free, kept = (adapted(generator, some, recipe=RECIPE) for some in (data, keeping))
    change = [float((charges(model) - charges(generator)).abs().mean()) for model in (free, kept)]
    assert change[1] < change[0] / 3
    assert found_first(kept, data) > 0.8


def test_a_tuned_generator_is_stored_in_8_bits_without_loss(generator: Generator, data: AdaptationData) -> None:
    from lexgear.pretraining.quantized_weights import quantize_losslessly

    found, vectors = tuned(generator, with_pools(data), seed=0)
    stored = quantize_losslessly(found.state_dict())
    assert stored["content.weight"].dtype == torch.int8
    rows = TokenRows(data.documents, found.device)
    assert vectors == pytest.approx(batched_vectors(found, rows).numpy())


@pytest.mark.parametrize("pooled", [False, True])
def test_data_are_read_as_they_were_written(data: AdaptationData, pooled: bool, tmp_path: Path) -> None:
    written = replace(with_pools(data), relevant_from=2, trie=TRIE) if pooled else data
    written.save(tmp_path / "data.npz")
    read = AdaptationData.load(tmp_path / "data.npz")
    for name in RAGGED:
        rows = getattr(written, name)
        assert [row.tolist() for row in getattr(read, name)] == [row.tolist() for row in rows]
    assert read.relevant_from == written.relevant_from
    assert (read.trie is None) == (not pooled)
    assert read.trie is None or read.trie.symbol.tolist() == TRIE.symbol.tolist()


def test_texts_in_a_batch_have_the_vectors_they_have_alone(generator: Generator, data: AdaptationData) -> None:
    rows = TokenRows(data.documents, generator.device)
    with torch.inference_mode():
        alone = [generator.vectors(generator.read_tensors(*rows.batch(np.array([at]))))[0] for at in range(TOPICS)]
    assert batched_vectors(generator, rows).numpy() == pytest.approx(torch.stack(alone).numpy(), abs=1e-5)
