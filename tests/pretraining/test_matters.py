"""Classifier of criminal and other matters."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.docids.law import law_ids
from lexgear.law.shipped import chinese_criminal_law
from lexgear.model.checkpoints import Backbone, load_checkpoint
from lexgear.model.tokenizer import Tokens
from lexgear.pretraining.data.token_streams import Stream
from lexgear.pretraining.learning.matters import LabelledTexts, MatterSettings, train_matters
from lexgear.pretraining.matters import MatterClassifier, Matters, load_matters
from random_encoders import random_encoder

CHARGES = ("cn-criminal/2/5/264/盗窃罪", "cn-criminal/2/5/263/抢劫罪")
OTHERS = ("debt", "family")
TEXTS = {0: "偷走他的手机", 1: "持刀抢了现金", 2: "借钱一直不还", 3: "我们打算离婚"}
"""One text per matter, in the order of the softmax."""
SETTINGS = MatterSettings(
    steps=120,
    lay_texts=4,
    cases=2,
    max_case_length=30,
    head_cases=4,
    learning_rate=0.03,
    token_dropout=0.0,
    label_smoothing=0.0,
)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> tuple[Backbone, Tokens]:
    directory = random_encoder(tmp_path_factory.mktemp("encoder"), "bert", list(TEXTS.values()))
    return load_checkpoint(str(directory), 0.0, pooling="cls")


@pytest.fixture(scope="module")
def matters(start: tuple[Backbone, Tokens]) -> Matters:
    backbone, tokens = start
    torch.manual_seed(0)
    texts = Stream.of(np.array(row[1:-1]) for row in tokens.rows(list(TEXTS.values())))
    labelled = LabelledTexts(texts, [np.array([matter]) for matter in TEXTS])
    classifier = MatterClassifier(backbone, len(TEXTS), rank=2)
    frame = tokens.rows([""])[0]
    train_matters(classifier, labelled, labelled, len(CHARGES), (frame[0], frame[1]), SETTINGS)
    learnt = classifier.learnt()
    return Matters(classifier.merge(), tokens, CHARGES, OTHERS, 0.5, learnt)


@pytest.fixture(scope="module")
def law() -> DocIds:
    return law_ids(Collection("law", "zh", (), law=chinese_criminal_law()), whole_law=True)


def test_texts_are_told_apart_and_other_matters_are_named(matters: Matters) -> None:
    assert [matters.read(text).other_matter for text in TEXTS.values()] == [None, None, "debt", "family"]
    assert [int(np.argmax(matters.read(text).log_p)) for text in TEXTS.values()] == list(TEXTS)
    assert np.exp(matters.read(TEXTS[0]).log_p).sum() == pytest.approx(1)


def test_the_threshold_decides_in_doubt(matters: Matters) -> None:
    crime = matters.read(TEXTS[2]).crime
    for threshold, found in ((crime - 1e-6, None), (crime + 1e-6, "debt")):
        assert replace(matters, threshold=threshold).read(TEXTS[2]).other_matter == found


def test_training_can_go_on_from_a_classifier(start: tuple[Backbone, Tokens], matters: Matters) -> None:
    backbone, tokens = start
    texts = Stream.of(np.array(row[1:-1]) for row in tokens.rows(list(TEXTS.values())))
    swapped = LabelledTexts(texts, [np.array([matter]) for matter in (1, 0, 2, 3)])  # theft is robbery now
    classifier = MatterClassifier(backbone, len(TEXTS), rank=2)
    classifier.load_state_dict(dict(matters.learnt), strict=False)
    frame = tokens.rows([""])[0]
    again = replace(SETTINGS, head_cases=0, steps=200)
    train_matters(classifier, swapped, swapped, len(CHARGES), (frame[0], frame[1]), again)
    changed = replace(matters, classifier=classifier.merge())
    assert [int(np.argmax(changed.read(text).log_p)) for text in TEXTS.values()] == [1, 0, 2, 3]


def test_the_encoder_of_the_base_stays_as_it_is(start: tuple[Backbone, Tokens], matters: Matters) -> None:
    backbone, _ = start
    merged = dict(matters.classifier.encoder.named_parameters())
    changed = [name for name, weight in backbone.encoder.named_parameters() if not weight.equal(merged[name])]
    assert {name.split(".")[-2] for name in changed} <= {"q", "k", "v", "o", "inward", "outward"}
    assert changed


def test_stored_classifiers_decide_alike(start: tuple[Backbone, Tokens], matters: Matters, tmp_path: Path) -> None:
    backbone, tokens = start
    matters.save(tmp_path / "matters.safetensors")
    again = load_matters(tmp_path / "matters.safetensors", backbone, tokens, matters.to_row())
    for text in TEXTS.values():
        assert again.read(text).log_p == pytest.approx(matters.read(text).log_p, abs=0.1)  # half precision


def test_charges_of_a_text_are_probabilities_at_their_nodes(matters: Matters, law: DocIds) -> None:
    log_p = matters.read(TEXTS[1]).charge_log_p(law)
    nodes = {law.node_name(node): node for node in law.nodes_of("charge").tolist()}
    theft, robbery = (nodes[name] for name in CHARGES)
    assert np.exp(log_p[[theft, robbery]]).sum() == pytest.approx(1)
    assert log_p[robbery] > log_p[theft]
    assert log_p[nodes["cn-criminal/2/5/266/诈骗罪"]] == log_p[theft]  # charges that it does not know: the least
