"""Checkpoints of every family as they are published, compared with transformers."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from lexgear.errors import ErrorCode, InputError
from lexgear.model.checkpoints import load_checkpoint, load_tokens, pretrained
from lexgear.model.encoder.bodies import body_of_checkpoint
from lexgear.model.encoder.frozen import BertEncoder
from lexgear.model.tokenizer import Tokens
from published_formats import FAMILIES, FORMATS, TOKENIZER_FILES, published, to_pytorch
from shared_data import real_encoder

SHOWN = ["被告人翻墙进入商店，拿走现金五千余元。", "Ｘ盗 窃\n赌  Code", "被告人持刀威胁店主 "]


def their_tokenizer(directory: Path, family: str) -> Any:
    """Return transformers' tokenizer, read from the file of the family."""
    transformers = pytest.importorskip("transformers")
    kind = {"longformer": "Bert", "bert": "Bert", "roberta": "Roberta", "xlm-roberta": "XLMRoberta"}.get(family)
    kind = kind or {"camembert": "Camembert"}.get(family, "T5")
    return getattr(transformers, f"{kind}Tokenizer").from_pretrained(directory)


def our_states(directory: Path, numbers: Any, mask: Any, **options: Any) -> torch.Tensor:
    body, _ = body_of_checkpoint(directory, dropout=0.0, cls=False, window=0, **options)
    with torch.inference_mode():
        return body.eval().states(torch.from_numpy(numbers).long(), torch.from_numpy(mask))[torch.from_numpy(mask)]


def their_states(directory: Path, numbers: Any, mask: Any) -> torch.Tensor:
    """Return the encoder's states from weights that transformers reads itself, as safetensors."""
    transformers = pytest.importorskip("transformers")
    model = transformers.AutoModel.from_pretrained(directory, dtype=torch.float32).eval()
    model = model.encoder if model.config.is_encoder_decoder else model
    padded = torch.from_numpy(np.where(mask, numbers, model.config.pad_token_id or 0)).long()
    options: dict[str, Any] = {"input_ids": padded, "attention_mask": torch.from_numpy(mask).long()}
    if model.config.model_type == "longformer":
        options["global_attention_mask"] = torch.zeros_like(padded).index_fill(1, torch.tensor([0]), 1)
    with torch.inference_mode():
        states: torch.Tensor = model(**options).last_hidden_state[torch.from_numpy(mask)]
    return states


@pytest.mark.parametrize("family", FAMILIES)
def test_tokens_and_states_are_those_of_transformers_in_every_format(family: str, tmp_path: Path) -> None:
    directories = {form: published(tmp_path / form, family, form) for form in FORMATS}
    tokens = load_tokens(directories["bin"])
    theirs = their_tokenizer(directories["bin"], family)
    assert tokens.rows(SHOWN) == [theirs(text)["input_ids"] for text in SHOWN]
    numbers, mask = tokens.encode(SHOWN, 60)
    expected = their_states(directories["safetensors"], numbers, mask)
    for directory in directories.values():
        torch.testing.assert_close(our_states(directory, numbers, mask), expected, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("family", ["bert", "camembert", "t5", "mt5"])
def test_a_backbone_is_the_same_from_both_formats(family: str, tmp_path: Path) -> None:
    directory = published(tmp_path, family)
    torch.manual_seed(0)
    before = load_checkpoint(str(directory), 0.0)[0].state_dict()
    to_pytorch(directory)
    torch.manual_seed(0)
    after = load_checkpoint(str(directory), 0.0)[0].state_dict()
    assert after.keys() == before.keys()
    assert all(torch.equal(after[name], weight) for name, weight in before.items())


@pytest.mark.parametrize("name", ["bge", "e5"])
def test_the_real_encoders_load_from_pytorch_files(name: str, tmp_path: Path) -> None:
    directory = real_encoder(name)
    for file in ("config.json", "tokenizer.json"):
        (tmp_path / file).symlink_to(directory / file)
    torch.save(load_file(directory / "model.safetensors"), tmp_path / "pytorch_model.bin")
    numbers, mask = load_tokens(tmp_path).encode([*SHOWN, "Le bailleur rend la garantie locative."], 60)
    torch.testing.assert_close(our_states(tmp_path, numbers, mask), their_states(directory, numbers, mask))


def test_the_first_berts_have_a_configuration_and_weights_of_other_names(tmp_path: Path) -> None:
    directory = published(tmp_path / "bert", "bert")
    numbers, mask = load_tokens(directory).encode(SHOWN, 60)
    expected = their_states(directory, numbers, mask)
    weights = load_file(directory / "model.safetensors")
    former = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    renamed = {}
    for name, weight in weights.items():
        for now, then in former.items():
            name = name.replace(now, then)  # noqa: PLW2901
        renamed[f"bert.{name}"] = weight
    (directory / "model.safetensors").unlink()
    torch.save(renamed, directory / "pytorch_model.bin", _use_new_zipfile_serialization=False)
    settings = (directory / "config.json").read_text().replace('"model_type": "bert",', "")
    (directory / "bert_config.json").write_text(settings)
    (directory / "config.json").unlink()
    torch.testing.assert_close(our_states(directory, numbers, mask), expected, atol=2e-5, rtol=1e-4)
    assert load_checkpoint(str(directory), 0.0)[0].shape.reader is not None
    assert BertEncoder.of_checkpoint(directory).encode(SHOWN).shape == (3, 16)


@pytest.mark.parametrize("family", ["roberta", "camembert", "longformer"])
def test_a_tokenizer_can_lie_elsewhere(family: str, tmp_path: Path) -> None:
    directory = published(tmp_path / "checkpoint", family)
    wanted = load_tokens(directory).rows(SHOWN)
    (tmp_path / "tokenizer").mkdir()
    for name in (TOKENIZER_FILES[family], *(["merges.txt"] if family == "roberta" else [])):
        (directory / name).rename(tmp_path / "tokenizer" / name)
    with pytest.raises(InputError, match="a checkpoint without a tokenizer"):
        load_tokens(directory)
    for place in (tmp_path / "tokenizer", tmp_path / "tokenizer" / TOKENIZER_FILES[family]):
        assert load_tokens(directory, str(place)).rows(SHOWN) == wanted
        _, tokens = body_of_checkpoint(directory, dropout=0.0, cls=False, window=0, tokenizer=str(place))
        assert tokens.rows(SHOWN) == wanted


def test_what_is_no_tokenizer_is_refused(tmp_path: Path) -> None:
    directory = published(tmp_path / "checkpoint", "bert")
    (tmp_path / "notes.md").write_text("x")
    with pytest.raises(InputError, match=r"notes\.md: not a tokenizer"):
        load_tokens(directory, str(tmp_path / "notes.md"))
    with pytest.raises(InputError, match="no checkpoint directory"):
        load_tokens(directory, str(tmp_path / "nowhere" / "vocab.txt"))
    (tmp_path / "vocab.txt").write_bytes(b"[CLS]\n\xff\xfe")
    with pytest.raises(InputError, match=r"vocab\.txt: not a readable vocabulary"):
        load_tokens(directory, str(tmp_path / "vocab.txt"))


def test_accents_and_chinese_characters_are_split_as_the_settings_say(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nété\nete\n盗窃\n盗\n窃")
    for lower in (True, False):
        for accents in (None, True, False):
            (tmp_path / "tokenizer_config.json").write_text(
                f'{{"do_lower_case": {str(lower).lower()}, "strip_accents": {str(accents).lower()}}}'.replace(
                    "none", "null"
                )
            )
            theirs = transformers.BertTokenizer.from_pretrained(tmp_path)
            assert Tokens.of_checkpoint(tmp_path).rows(["été 盗窃 Été"]) == [theirs("été 盗窃 Été")["input_ids"]]


class Malicious:
    """Object whose pickle creates a file when it is loaded without care."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.system, (f"touch {self.path}",)


@pytest.mark.parametrize("zipped", [True, False])
def test_code_in_a_weight_file_is_refused_and_not_run(zipped: bool, tmp_path: Path) -> None:
    directory, trace = published(tmp_path / "bert", "bert", "bin"), tmp_path / "was-run"
    weights = torch.load(directory / "pytorch_model.bin", weights_only=True) | {"x": Malicious(trace)}
    torch.save(weights, directory / "pytorch_model.bin", _use_new_zipfile_serialization=zipped)
    for load in (lambda: pretrained("AutoModel", directory), lambda: load_checkpoint(str(directory), 0.0)):
        with pytest.raises(InputError, match=r"pytorch_model\.bin: refused.*code to run \(posix\.system\)") as refused:
            load()
        assert refused.value.code is ErrorCode.CHECKPOINT_INVALID
    assert not trace.exists()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "not a readable PyTorch weight file"),
        (b"no weights", "not a readable PyTorch weight file"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "a Git LFS pointer"),
    ],
)
def test_a_damaged_weight_file_is_refused(content: bytes, problem: str, tmp_path: Path) -> None:
    directory = published(tmp_path, "bert", "bin")
    whole = (directory / "pytorch_model.bin").read_bytes()
    (directory / "pytorch_model.bin").write_bytes(content)
    with pytest.raises(InputError, match=problem):
        load_checkpoint(str(directory), 0.0)
    (directory / "pytorch_model.bin").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="not a readable PyTorch weight file"):
        load_checkpoint(str(directory), 0.0)


def test_a_training_state_is_refused(tmp_path: Path) -> None:
    directory = published(tmp_path, "bert", "bin")
    torch.save({"epoch": 3, "state": {"x": torch.zeros(1)}}, directory / "pytorch_model.bin")
    with pytest.raises(InputError, match="not a file of weights by name"):
        load_checkpoint(str(directory), 0.0)


@pytest.mark.parametrize("name", ["pytorch_model-00002-of-00002.bin", "../outside.bin"])
def test_every_listed_weight_file_must_lie_beside_its_list(name: str, tmp_path: Path) -> None:
    directory = published(tmp_path / "bert", "bert", "sharded bin")
    torch.save({}, tmp_path / "outside.bin")
    index, last = directory / "pytorch_model.bin.index.json", "pytorch_model-00002-of-00002.bin"
    (directory / last).unlink()
    index.write_text(index.read_text().replace(last, name))
    with pytest.raises(InputError, match=r"index\.json: the weight file .* is missing"):
        load_checkpoint(str(directory), 0.0)
