"""Rankers that start from checkpoints as they are published: PyTorch weights, and a tokenizer in another place."""

from pathlib import Path

import pytest

from lexgear.errors import InputError
from lexgear.rankers.base import Ranker
from lexgear.rankers.dense.bert_family import Lawformer
from lexgear.rankers.dense.bi_encoder import Dense
from lexgear.rankers.generative.dsi import Dsi
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.settings import configure
from published_formats import published
from training.small_collection import small_collection

COLLECTION = small_collection(20)
QUICK = {"epochs": 1, "batch_size": 8, "max_length": 32, "learning_rate": 1e-4}


@pytest.mark.parametrize(
    ("ranker", "family", "encoder"),
    [
        (Gear, "bert", "prototypes"),
        (Dsi, "xlm-roberta", "vectors"),
        (Lexgear, "bert", ""),
        (Dense, "mt5", ""),
        (Lawformer, "longformer", ""),
    ],
)
def test_a_ranker_starts_from_what_was_downloaded(
    ranker: type[Ranker], family: str, encoder: str, tmp_path: Path
) -> None:
    backbone = published(tmp_path / "checkpoint", family, "bin")
    settings: dict[str, object] = {"backbone": str(backbone), **QUICK}
    [file] = [path for path in backbone.iterdir() if path.suffix in (".txt", ".model")]
    settings["tokenizer"] = str(file.rename(tmp_path / file.name))
    if encoder:
        settings[encoder] = str(published(tmp_path / "encoder", "bert", "bin"))
    made = ranker(configure(ranker.settings_type, **settings)).fit(COLLECTION)
    assert made.search(COLLECTION.queries[:1], 5)[0]


@pytest.mark.parametrize("ranker", [Gear, Dsi, Lexgear, Dense])
def test_a_tokenizer_without_a_checkpoint_is_refused(ranker: type[Ranker]) -> None:
    with pytest.raises(InputError, match=r"setting tokenizer: 'vocab\.txt' without a checkpoint"):
        configure(ranker.settings_type, tokenizer="vocab.txt")
