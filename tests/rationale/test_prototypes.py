"""B3: the cosine term, and embedding of only those sentences that it can affect."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lexgear.rationale.extract import Extractor
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.prototypes import Prototypes
from lexgear.rationale.records import Rationale, RationaleSettings

CHARGES = {"盗窃罪": "秘密窃取公私财物", "抢劫罪": "以暴力当场抢劫公私财物", "赌博罪": ""}
LEXICON = Lexicon.from_charges(CHARGES, "zh")


class CharacterCounts:
    """Small encoder: character counts folded into 64 numbers; it records what it embeds."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen.extend(texts)
        vectors = np.zeros((len(texts), 64), np.float32)
        for row, text in enumerate(texts):
            for sign in text:
                vectors[row, ord(sign) % 64] += 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def embedding_all(text: str, k3: int, lambda3: float) -> list[int]:
    """Return the starts of the selected sentences if every sentence is embedded."""
    everything = Extractor(LEXICON, RationaleSettings(k3=10_000)).query(text).sentences
    prototypes = Prototypes.of(LEXICON, CharacterCounts())
    cosines = prototypes.cosines([part.text for part in everything], LEXICON.charges)
    scores = [part.score + lambda3 * row.max() for part, row in zip(everything, cosines, strict=True)]
    best = sorted(range(len(scores)), key=lambda place: -scores[place])[:k3]
    return sorted(everything[place].start for place in best)


def starts(rationale: Rationale) -> list[int]:
    return [part.start for part in rationale.sentences]


def test_a_prototype_is_the_embedded_definition_or_the_name_where_there_is_none() -> None:
    encoder = CharacterCounts()
    prototypes = Prototypes.of(LEXICON, encoder)
    assert encoder.seen == ["秘密窃取公私财物", "以暴力当场抢劫公私财物", "赌博罪"]
    assert prototypes.cosines(["赌博罪"], ["盗窃罪", "赌博罪"])[0] == pytest.approx([0, 1], abs=0.5)


def test_the_cosine_decides_between_sentences_of_equal_words() -> None:
    text = "天气晴朗。三人赌博。"  # 赌博 depends on the cosine alone: B1 and B2 have weight 0
    words_off = RationaleSettings(k3=1, lambda1=0, lambda2=0, lambda3=0.1)
    part = Extractor(LEXICON, words_off, CharacterCounts()).query(text).sentences[0]
    cosine = Prototypes.of(LEXICON, CharacterCounts()).cosines(["三人赌博。"], ["赌博罪"])[0, 0]
    assert (part.text, part.charge) == ("三人赌博。", "赌博罪")
    assert part.score == pytest.approx(0.1 * cosine)


def test_a_document_is_compared_with_its_own_charges_alone() -> None:
    text = "以暴力当场抢。秘密窃取。"
    words_off = RationaleSettings(k3=1, lambda1=0, lambda2=0)
    extractor = Extractor(LEXICON, words_off, CharacterCounts())
    assert extractor.document(text, ["盗窃罪"]).sentences[0].text == "秘密窃取。"
    assert extractor.document(text, ["抢劫罪"]).sentences[0].text == "以暴力当场抢。"


SENTENCES = st.lists(st.text("盗窃抢劫财物赌博暴力当场天", min_size=1, max_size=12), min_size=1, max_size=25)


@settings(max_examples=80)
@given(SENTENCES, st.integers(0, 6), st.sampled_from([0.0, 0.1, 0.5, 3.0]))
def test_the_choice_is_the_same_as_if_every_sentence_were_embedded(
    sentences: list[str], k3: int, lambda3: float
) -> None:
    text = "。".join(sentences)
    chosen = Extractor(LEXICON, RationaleSettings(k3=k3, lambda3=lambda3), CharacterCounts()).query(text)
    assert starts(chosen) == embedding_all(text, k3, lambda3)


def test_only_sentences_whose_cosine_can_change_the_choice_are_embedded() -> None:
    sure, close, hopeless = ["盗窃"] * 3, ["甲乙丙丁盗窃财物", "甲乙丙丁盗窃现金"], ["天气晴朗"] * 50
    text = "。".join([*hopeless, *sure, *close])
    encoder = CharacterCounts()
    extractor = Extractor(LEXICON, RationaleSettings(k3=4, lambda3=0.5), encoder)
    encoder.seen.clear()
    chosen = extractor.query(text)
    assert encoder.seen == [f"{close[0]}。", close[1]]
    assert starts(chosen) == embedding_all(text, 4, 0.5)


def test_where_every_sentence_is_chosen_none_is_embedded() -> None:
    encoder = CharacterCounts()
    extractor = Extractor(LEXICON, RationaleSettings(k3=15), encoder)
    encoder.seen.clear()
    assert len(extractor.query("甲盗窃。乙逃跑。").sentences) == 2
    assert encoder.seen == []
