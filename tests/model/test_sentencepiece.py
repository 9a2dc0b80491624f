"""A T5's spiece.model read by us, held to sentencepiece itself."""

from pathlib import Path

import pytest

from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.errors import InputError
from lexgear.model.sentencepiece import read_sentencepiece
from random_checkpoints import sentencepiece_model

STRANGE = ["", "  ", "ａｂｃ　１２３\n\n x  y ", "🙂🙂 x", "\x00", "▁甲 ▁", "㈠①é", "盗" * 3000, "\t被告人\t"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sentencepiece_model(tmp_path_factory.mktemp("sentencepiece"))


def test_every_text_becomes_the_same_numbers_as_with_sentencepiece(model: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    theirs, ours = sentencepiece.SentencePieceProcessor(model_file=str(model)), read_sentencepiece(model)
    assert ours.get_vocab_size() == theirs.get_piece_size()
    french = [document.text for document in sample_statutes().documents[:20]]  # mostly unknown characters
    for text in [*(document.text for document in sample_cases().documents[-200:]), *french, *STRANGE]:
        assert ours.encode(text).ids == [*theirs.encode(text), theirs.eos_id()]


@pytest.mark.parametrize("kept", [0, 1, 100, 10_001])
def test_a_damaged_file_is_refused(model: Path, kept: int, tmp_path: Path) -> None:
    (tmp_path / "spiece.model").write_bytes(model.read_bytes()[:kept])
    with pytest.raises(InputError, match=r"spiece\.model: not a sentencepiece model of a T5"):
        read_sentencepiece(tmp_path / "spiece.model")


def test_a_model_of_another_kind_is_refused(model: Path, tmp_path: Path) -> None:
    another = b"\x12\x02\x18\x02"  # field 2, the trainer's settings: field 3, the kind, is 2, byte pairs
    (tmp_path / "spiece.model").write_bytes(model.read_bytes() + another)
    with pytest.raises(InputError, match="no unigram model"):
        read_sentencepiece(tmp_path / "spiece.model")
