"""Base model trained in seconds on a part of the built-in sample."""

from dataclasses import replace
from pathlib import Path

from lexgear.corpus.records import Collection
from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.judgment.base_calibration import learn_base_walk
from lexgear.pretraining.base import load_base, save_base, save_walk_weights
from lexgear.pretraining.data.prepare import Sources, prepare
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.learning.run import PretrainingRun
from lexgear.pretraining.settings import PretrainSettings

SETTINGS = PretrainSettings(
    vocab_size=2000,
    max_facts_length=128,
    max_reasoning_length=40,
    validation_size=30,
    max_length=96,
    hidden_size=64,
    num_heads=2,
    head_size=32,
    intermediate_size=128,
    num_encoder_layers=1,
    num_decoder_layers=1,
    steps=80,
    batch_size=32,
    learning_rate=5e-3,
    dropout=0.0,
    span_weight=0,
    reasoning_weight=0,
    own_facts_weight=0,
    similarity_weight=0,
    checkpoint_every=1000,
)


CHARGES = {"盗窃罪", "抢劫罪", "诈骗罪", "故意伤害罪", "危险驾驶罪", "寻衅滋事罪"}
"""Charges of all judgments."""


def judgments() -> Collection:
    """Return the cases of the sample with no other charges."""
    whole = sample_cases()
    known = tuple(document for document in whole.documents if {*document.charges} <= CHARGES)
    return replace(whole, documents=known, queries=(), qrels={}, pools={})


def tiny_base(where: Path, collection: Collection) -> Path:
    """Train a base model and return its directory."""
    save_collection(collection, where / "sample", SkippedRecords())
    prepared_at, out = where / "base.prepared", where / "base"
    prepare(Sources([where / "sample"]), SETTINGS, prepared_at)
    prepared = Prepared.load(prepared_at)
    save_base(out, prepared_at, SETTINGS, *PretrainingRun(prepared, SETTINGS).run())
    save_walk_weights(out, learn_base_walk(load_base(out), prepared))
    return out
