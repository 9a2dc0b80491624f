"""A part of the sample, prepared; and a model small enough to learn from it in a second."""

from dataclasses import replace
from functools import cache

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.corpus.sample.cases import sample_cases
from lexgear.model.generator.generator import Generator
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.learning.run import initial_generator
from lexgear.pretraining.learning.step import CaseSample, Step
from lexgear.pretraining.settings import PretrainSettings
from lexgear.settings import changed

SETTINGS = PretrainSettings(
    vocab_size=700,
    max_facts_length=96,
    max_reasoning_length=40,
    neighbours=6,
    negatives=2,
    validation_size=10,
    max_length=64,
    hidden_size=32,
    num_heads=2,
    head_size=16,
    intermediate_size=48,
    num_encoder_layers=1,
    num_decoder_layers=1,
    steps=8,
    batch_size=16,
    log_every=2,
    checkpoint_every=3,
)


@cache
def part_of_the_sample() -> Collection:
    whole = sample_cases()
    return replace(whole, documents=whole.documents[:120], queries=whole.queries[:12], qrels={}, pools={})


def still(prepared: Prepared, **changes: float) -> Generator:
    """An untrained model that drops nothing out."""
    return initial_generator(prepared, changed(SETTINGS, **changes)).eval()


def sample_of(prepared: Prepared, cases: list[int], seed: int = 0) -> CaseSample:
    return CaseSample(prepared, np.array(cases), SETTINGS.max_length, np.random.default_rng(seed))


def step_over(generator: Generator, prepared: Prepared, draw: CaseSample) -> Step:
    return Step(generator, prepared.ids.trie, draw.facts)
