"""Conversion of spiece.model files, compared with the sentencepiece library."""

import sys
from pathlib import Path
from typing import Any

import pytest

from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.errors import ErrorCode, InputError
from lexgear.model.sentencepiece import read_sentencepiece
from random_checkpoints import sentencepiece_model

STRANGE = ["", "  ", "ａｂｃ　１２３\n\n x  y ", "🙂🙂 x", "\x00", "▁甲 ▁", "㈠①é", "盗" * 3000, "\t被告人\t"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sentencepiece_model(tmp_path_factory.mktemp("sentencepiece"))


def same_numbers(model: Path, texts: list[str]) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    theirs, ours = sentencepiece.SentencePieceProcessor(model_file=str(model)), read_sentencepiece(model)
    assert ours.get_vocab_size() == theirs.get_piece_size()
    for text in texts:
        assert ours.encode(text).ids == [*theirs.encode(text), theirs.eos_id()]


def test_every_text_becomes_the_same_numbers_as_with_sentencepiece(model: Path) -> None:
    french = [document.text for document in sample_statutes().documents[:20]]  # mostly unknown characters
    same_numbers(model, [*(document.text for document in sample_cases().documents[-200:]), *french, *STRANGE])


@pytest.mark.parametrize("rule", [{"add_dummy_prefix": False}, {"normalization_rule_name": "identity"}])
def test_the_rules_of_the_model_are_kept(rule: dict[str, Any], tmp_path: Path) -> None:
    cases = [document.text for document in sample_cases().documents[-20:]]
    same_numbers(sentencepiece_model(tmp_path, **rule), [*cases, "ａｂｃ１２３ x y", "㈠①é"])


def test_bytes_stand_for_unknown_characters_if_the_model_has_them(tmp_path: Path) -> None:
    model = sentencepiece_model(tmp_path, byte_fallback=True)
    tokens = read_sentencepiece(model).encode("🙂").tokens
    assert [token for token in tokens if token.startswith("<0x")] == ["<0xF0>", "<0x9F>", "<0x99>", "<0x82>"]
    same_numbers(model, ["🙂🙂 x", "㈠①é"])


@pytest.mark.parametrize("kept", [0, 1, 100, 10_001])
def test_a_damaged_file_is_refused(model: Path, kept: int, tmp_path: Path) -> None:
    (tmp_path / "spiece.model").write_bytes(model.read_bytes()[:kept])
    with pytest.raises(InputError, match=r"spiece\.model: not a sentencepiece model") as refused:
        read_sentencepiece(tmp_path / "spiece.model")
    assert refused.value.code is ErrorCode.CHECKPOINT_INVALID


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a unigram model"):
        read_sentencepiece(sentencepiece_model(tmp_path, model_type="bpe"))


def test_without_sentencepiece_the_error_names_the_extra(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece.sentencepiece_model_pb2", None)
    with pytest.raises(InputError, match=r"pip install 'lexgear\[hub\]'") as missing:
        read_sentencepiece(model)
    assert missing.value.code is ErrorCode.MISSING_DEPENDENCY
