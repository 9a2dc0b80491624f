"""One interface over our own tokenizer and those of checkpoints."""

import json
from pathlib import Path

import numpy as np
import pytest

from lexgear.corpus.sample.cases import sample_cases
from lexgear.errors import InputError
from lexgear.model.tokenizer import Tokens
from random_checkpoints import random_bert, sentencepiece_model

FACTS = [document.sections["fact"] for document in sample_cases().documents[:100]]
STRANGE = ["", "。", "\ud800x", "\x00", "🙂" * 10, "Ａ" * 5000, "<pad> 盗窃 <pad>", "</s>"]


@pytest.fixture(scope="module")
def own() -> Tokens:
    return Tokens.train(FACTS, language="zh", size=800)


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Tokens:
    return Tokens.of_checkpoint(sentencepiece_model(tmp_path_factory.mktemp("t5")).parent)


@pytest.mark.parametrize("name", ["own", "t5"])
def test_tokens_come_back_from_disk_and_no_text_is_too_strange(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    tokens: Tokens = request.getfixturevalue(name)
    tokens.save(tmp_path / "tokenizer.json")
    again = Tokens.load(tmp_path / "tokenizer.json")
    assert again.size == tokens.size
    for text in (FACTS[0], *STRANGE):
        numbers, mask = tokens.encode([text], 64)
        assert numbers.shape[1] <= 64
        assert mask.all()
        assert np.array_equal(numbers, again.encode([text], 64)[0])
    assert tokens.encode(["被告人驾驶车辆"], 64)[1].sum() > 1


@pytest.mark.parametrize("name", ["own", "t5"])
def test_shorter_texts_are_padded_and_what_counts_stands_in_front(name: str, request: pytest.FixtureRequest) -> None:
    tokens: Tokens = request.getfixturevalue(name)
    texts = ["<pad>" * 3 + FACTS[1], "被告人", ""]
    numbers, mask = tokens.encode(texts, 500)
    for row, seen, text in zip(numbers, mask, texts, strict=True):
        [alone], _ = tokens.encode([text], 500)
        assert row[seen].tolist() == alone.tolist()
        assert seen.tolist() == sorted(seen, reverse=True)


def test_a_checkpoint_reads_the_text_as_it_is_and_ends_it_even_where_it_is_cut(t5: Tokens) -> None:
    whole, cut = t5.encode([FACTS[0]], 1000)[0][0], t5.encode([FACTS[0]], 10)[0][0]
    assert cut.tolist() == [*whole[:9], 1]
    assert whole[-1] == 1
    spaced = " ".join(FACTS[0])
    assert t5.encode([spaced], 1000)[0].shape[1] > len(whole)  # spaces are tokens: the text was not segmented first


def test_a_tokenizer_knows_how_many_special_tokens_frame_a_text(own: Tokens, t5: Tokens, tmp_path: Path) -> None:
    assert [own.frame, t5.frame, Tokens.of_checkpoint(random_bert(tmp_path)).frame] == [(0, 0), (0, 1), (1, 1)]


def test_a_berts_vocabulary_gives_what_transformers_gives(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    directory = random_bert(tmp_path)
    theirs = transformers.BertTokenizer(str(directory / "vocab.txt"))
    for text in ("盗窃财物，暴力抢劫", "Ｘ盗 窃\n赌", "", "🙂"):
        assert Tokens.of_checkpoint(directory).encode([text], 20)[0][0].tolist() == theirs(text)["input_ids"]


@pytest.mark.parametrize(("lower", "known"), [(True, True), (False, False)])
def test_a_berts_vocabulary_is_read_in_lower_case_unless_it_says_otherwise(
    lower: bool, known: bool, tmp_path: Path
) -> None:
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\ncode")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": lower}))
    [[_, number, _]] = Tokens.of_checkpoint(tmp_path).encode(["Code"], 9)[0].tolist()
    assert (number == 4) == known


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("readme.md", "", "a checkpoint without a tokenizer"),
        ("tokenizer.json", "{}", r"tokenizer\.json: not a readable tokenizer"),
        ("vocab.txt", "a\n[UNK]", r"without \[CLS\]"),
    ],
)
def test_a_checkpoint_whose_tokenizer_cannot_be_read_is_refused(
    name: str, content: str, problem: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=problem):
        Tokens.of_checkpoint(tmp_path)
