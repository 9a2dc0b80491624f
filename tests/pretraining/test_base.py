import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from lexgear.corpus.records import Document
from lexgear.docids.law import law_ids
from lexgear.errors import InputError
from lexgear.lexical.words import segmenter
from lexgear.model.generator.generator import Generator
from lexgear.model.generator.walk import ModelWalk
from lexgear.pretraining import quantized_weights as packing
from lexgear.pretraining.base import Base, load_base, save_base
from lexgear.pretraining.data.leak_guard import fingerprint
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.learning.checkpoint import Position
from lexgear.pretraining.learning.run import PretrainingRun
from lexgear.pretraining.quantized_weights import read_weights, write_weights
from pretraining.small import SETTINGS, part_of_the_sample


@pytest.fixture(scope="module")
def learnt(prepared_at: Path) -> tuple[Generator, Position]:
    return PretrainingRun(Prepared.load(prepared_at), SETTINGS).run()


@pytest.fixture(scope="module")
def base_at(learnt: tuple[Generator, Position], prepared_at: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("base") / "base"
    save_base(out, prepared_at, SETTINGS, *learnt)
    return out


@pytest.fixture
def base(base_at: Path) -> Base:
    return load_base(base_at)


def test_a_base_that_is_loaded_reads_as_the_one_that_was_saved(
    base: Base, learnt: tuple[Generator, Position], prepared: Prepared
) -> None:
    generator, _ = learnt
    texts = prepared.facts.windows(np.arange(4), SETTINGS.max_length)
    ours, theirs = (model.vectors(model.read_only(*texts)) for model in (base.generator, generator))
    assert torch.allclose(ours, theirs, atol=1e-2)  # weights are stored in 8 bits
    assert base.ids.names == prepared.ids.names
    assert base.tokens.size == prepared.words
    assert base.backbone.shape.vocabulary == prepared.words + 65


def test_a_base_says_what_it_was_made_of(base: Base, base_at: Path) -> None:
    about = base.about
    assert (about["steps"], about["seed"], about["law_symbols"]) == (8, 0, base.ids.law_symbols)
    assert about["tokens"] > 0
    assert set(about["measures"]) == {"first", "top3", "own"}
    assert len(about["data"]["sources"]["sample/documents.jsonl"]) == 64
    assert about["data"]["counts"]["sample-zh"]["cases"] > 100
    rows = [json.loads(line) for line in (base_at / "training.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows if "law" in row] == [2, 4, 6, 8]
    curves = (base_at / "training.svg").read_text()
    for name in ("spans", "law", "retelling", "own_facts", "likeness", "first", "top3", "own"):
        assert f">{name}</text>" in curves


def test_another_law_takes_over_the_symbols_of_the_same_name(base: Base) -> None:
    ids = law_ids(part_of_the_sample(), whole_law=True)
    generator = base.started(ids, documents=7, summary=True)
    known = {name: symbol for symbol, name in enumerate(base.ids.names)}
    assert sum(name in known for name in ids.names[: ids.law_symbols]) > 100
    for symbol, name in enumerate(ids.names[: ids.law_symbols]):
        if name in known:
            for table, ours in ((base.generator.law_in, generator.law_in), (base.generator.law_out, generator.law_out)):
                assert torch.equal(ours.weight[symbol], table.weight[known[name]]), name
    strangers = {name for name in ids.names[: ids.law_symbols] if name not in known}
    assert all(name.endswith("/here") or name == "uncharged" for name in strangers)
    assert generator.documents.num_embeddings == 7
    own, theirs = generator.backbone.state_dict(), base.backbone.state_dict()
    assert all(torch.equal(own[name], theirs[name]) for name in own)


def test_a_place_the_base_does_not_know_is_as_probable_as_those_beside_it(base: Base, prepared: Prepared) -> None:
    whole = part_of_the_sample()
    ids = law_ids(replace(whole, documents=(*whole.documents, Document("odd", {"fact": "无"}))), whole_law=True)
    assert ids.uncharged == 1
    generator = base.started(ids)
    walk = ModelWalk(generator, ids.trie, generator.read_only(*prepared.facts.windows(np.arange(1), 64)), 0)
    top = [ids.node_name(node) for node in ids.trie.children(0)]
    assert sorted(top) == ["cn-criminal/2", "uncharged"]
    assert np.exp(walk.expand([0])[0]) == pytest.approx([0.5, 0.5], abs=1e-6)


def test_what_is_started_from_a_base_leaves_the_base_as_it_was(base: Base) -> None:
    before = base.generator.start.clone()
    generator = base.started(base.ids, summary=False)
    with torch.no_grad():
        for parameter in generator.parameters():
            parameter.add_(1)
    assert torch.equal(base.generator.start, before)
    assert generator.summary is None


def test_a_base_knows_what_it_has_learnt_from(base: Base, prepared: Prepared) -> None:
    facts = [document.sections["fact"] for document in part_of_the_sample().documents]
    known = sum(base.knows(text) for text in facts)
    kept_out = len(prepared.facts) - prepared.learnt
    assert len(facts) - kept_out <= known < len(facts)
    assert base.knows(facts[0].replace("，", " , ")) == base.knows(facts[0])
    assert not base.knows(facts[0] + "被抓获")


def test_what_reads_like_no_case_is_not_familiar(base: Base) -> None:
    cut = segmenter("zh")
    facts = [cut(document.sections["fact"]) for document in part_of_the_sample().documents]
    assert np.mean([base.familiar(words) for words in facts]) > 0.8
    assert not base.familiar(cut("今天夜间到明天白天，本市晴转多云，北风三到四级，请注意添衣保暖。"))


def test_a_base_of_an_earlier_release_knows_neutral_texts(base: Base) -> None:
    text = part_of_the_sample().documents[0].sections["fact"]
    about = {name: value for name, value in base.about.items() if name != "fingerprints"}
    earlier = replace(base, about=about, seen=np.array([fingerprint(text)], dtype=np.uint64))
    assert earlier.knows(text)
    assert not earlier.knows(text + "又")


@pytest.mark.parametrize("largest", [15 << 20, 1000])
def test_weights_are_whole_numbers_of_a_scale_in_files_that_are_not_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, largest: int
) -> None:
    monkeypatch.setattr(packing, "MAX_FILE_BYTES", largest)
    rng = torch.Generator().manual_seed(0)
    tables = {f"table-{n}": torch.randn(9, 40, generator=rng) * torch.logspace(-6, 2, 9)[:, None] for n in range(5)}
    weights = {**tables, "norm": torch.rand(40), "empty": torch.zeros(3, 4)}
    write_weights(tmp_path, weights)
    assert len([*tmp_path.iterdir()]) == (1 if largest > 1000 else 3)
    found = read_weights(tmp_path)
    assert set(found) == set(weights)
    assert found["norm"].equal(weights["norm"])
    assert not found["empty"].any()
    for name, table in tables.items():
        apart = (found[name] - table).abs().amax(1) / table.abs().amax(1)
        assert apart.max() <= 0.501 / 127


def test_what_is_no_base_is_refused(tmp_path: Path, base_at: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_base(tmp_path)
    (tmp_path / "base.json").write_text('{"format": 99, "law_symbols": 1}')
    with pytest.raises(InputError, match="not a base model of format 1"):
        load_base(tmp_path)
    for file in base_at.iterdir():
        cut = -10 if file.suffix == ".safetensors" else None
        (tmp_path / file.name).write_bytes(file.read_bytes()[:cut])
    with pytest.raises(InputError, match="damaged base model"):
        load_base(tmp_path)


def test_weights_that_were_packed_go_back_into_as_few_bytes_unharmed() -> None:
    torch.manual_seed(0)
    packed_before = packing.dequantize(packing.quantize({"a": torch.randn(40, 30), "b": torch.zeros(3, 3)}))
    stored = packing.quantize_losslessly({**packed_before, "other": torch.randn(5, 7), "norm": torch.randn(4)})
    assert [stored[name].dtype for name in ("a", "b", "other")] == [torch.int8, torch.int8, torch.float32]
    again = packing.dequantize(stored)
    assert all(again[name].equal(weight) for name, weight in packed_before.items())
    assert again.keys() == {"a", "b", "other", "norm"}
