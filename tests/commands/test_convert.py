"""`lexgear convert`: published checkpoints as safetensors with a tokenizer."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from commands.conftest import Run
from lexgear.model.checkpoints import load_checkpoint, load_tokens
from lexgear.model.convert import distinct_weights
from published_formats import TEXTS, TOKENIZER_FILES, published


@pytest.mark.parametrize("family", ["bert", "camembert", "longformer", "mt5"])
def test_weights_and_tokens_stay_and_transformers_reads_the_result(run: Run, family: str, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    form = {"camembert": "sharded bin", "longformer": "safetensors"}.get(family, "bin")
    source, out = published(tmp_path / "source", family, form), tmp_path / "out"
    code, printed, _ = run("convert", str(source), str(out))
    assert code == 0
    assert f"{load_tokens(source).size:,} tokens" in printed
    assert TOKENIZER_FILES[family] in printed
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= {path.name for path in out.iterdir()}
    assert load_tokens(out).rows(TEXTS[:5]) == load_tokens(source).rows(TEXTS[:5])
    original = load_file(published(tmp_path / "same", family) / "model.safetensors")
    written = load_file(out / "model.safetensors")
    assert original.keys() == written.keys()
    assert all(torch.equal(original[name], weight) for name, weight in written.items())
    if family != "longformer":  # transformers expects RoBERTa's tokens there, Lawformer has BERT's
        theirs = transformers.AutoTokenizer.from_pretrained(out)
        assert [theirs(text)["input_ids"] for text in TEXTS[:3]] == load_tokens(out).rows(TEXTS[:3])
    assert json.loads((out / "converted.json").read_text())["source"] == "source"


def test_tied_weights_are_written_once_and_shared_memory_is_copied() -> None:
    table, both = torch.arange(6.0).reshape(3, 2), torch.arange(8.0)
    weights = {"shared.weight": table, "lm_head.weight": table, "a": both[:4], "b": both[4:], "t": table.T}
    distinct = distinct_weights(weights)
    assert list(distinct) == ["shared.weight", "a", "b", "t"]
    assert all(torch.equal(weight, weights[name]) for name, weight in distinct.items())
    assert len({weight.untyped_storage().data_ptr() for weight in distinct.values()}) == 4
    assert all(weight.is_contiguous() for weight in distinct.values())


def test_early_berts_and_tokenizers_from_elsewhere_become_complete(run: Run, tmp_path: Path) -> None:
    source = published(tmp_path / "source", "bert", "bin")
    (source / "config.json").rename(source / "bert_config.json")
    (source / "LICENSE").write_text("MIT")
    (source / "1_Pooling").mkdir()
    (source / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    vocabulary = (source / "vocab.txt").rename(tmp_path / "vocab.txt")
    code, _, problem = run("convert", str(source), "out")
    assert code == 2
    assert "a checkpoint without a tokenizer (add one of" in problem
    assert not (tmp_path / "out").exists()
    assert run("convert", str(source), "out", "--tokenizer", str(vocabulary))[0] == 0
    backbone, _ = load_checkpoint(str(tmp_path / "out"), 0.0)
    assert backbone.shape.reader
    assert backbone.shape.reader.pooling == "cls"
    assert (tmp_path / "out" / "LICENSE").read_text() == "MIT"


def test_bad_input_is_one_line_and_leaves_what_was_there(run: Run, tmp_path: Path) -> None:
    source, out = published(tmp_path / "source", "bert", "bin"), tmp_path / "out"
    assert run("convert", str(source), str(out))[0] == 0
    before = (out / "model.safetensors").read_bytes()
    (source / "pytorch_model.bin").write_bytes(b"damaged")
    for arguments, problem in (
        ((source, out), "pytorch_model.bin: not a readable PyTorch weight file"),
        ((tmp_path / "nowhere", out), "no checkpoint directory"),
        ((tmp_path, out), "no config.json"),
        ((source, source), "writing it would replace"),
    ):
        code, _, refused = run("convert", *map(str, arguments))
        assert code == 2
        assert problem in refused
        assert refused.splitlines()[-1].startswith("lexgear: ")
    assert (out / "model.safetensors").read_bytes() == before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("x")
    assert run("convert", str(out), "other")[0] == 2
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["thesis.txt"]


def test_a_tokenizer_with_more_tokens_than_the_model_is_refused(run: Run, tmp_path: Path) -> None:
    source, other = published(tmp_path / "source", "bert", "bin"), published(tmp_path / "other", "t5")
    code, _, problem = run("convert", str(source), "out", "--tokenizer", str(other))
    assert code == 2
    assert "the tokenizer has 1,500 tokens" in problem
