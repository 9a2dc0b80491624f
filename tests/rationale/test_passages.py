"""f_R selects from the passages that state facts, unless it is to read all, as in the paper."""

import pytest

from lexgear.rationale.extract import Extractor
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import Rationale, RationaleSettings
from lexgear.settings import stored_settings

CHARGES = {"盗窃罪": "以非法占有为目的，秘密窃取公私财物，数额较大", "抢劫罪": "以暴力、胁迫方法当场抢劫公私财物"}
LEXICON = Lexicon.from_charges(CHARGES, "zh")
ACCUSATION = "公诉机关指控，被告人某于2018年3月5日翻窗进入商店盗窃手机三部。"
PLEA = "被告人某辩称其没有盗窃，不构成盗窃罪。"
FINDING = "经审理查明，被告人某翻窗进入商店，窃取手机三部，数额较大。"
EVIDENCE = "上述事实，有被害人某关于手机被盗窃的陈述、盗窃现场勘验笔录、扣押清单、鉴定意见等证据证实。"
LAW = "《中华人民共和国刑法》第二百六十四条规定：“盗窃公私财物，数额较大的，处三年以下有期徒刑”。"
CASE = ACCUSATION + PLEA + FINDING + EVIDENCE + LAW


def rationale(text: str, passages: str = "stated") -> Rationale:
    return Extractor(LEXICON, RationaleSettings(passages=passages)).query(text)  # type: ignore[arg-type]


def test_claims_of_the_defence_evidence_and_quoted_law_are_not_selected() -> None:
    assert [part.text for part in rationale(CASE).sentences] == [ACCUSATION, FINDING]
    assert [part.text for part in rationale(CASE, "all").sentences] == [ACCUSATION, PLEA, FINDING, EVIDENCE, LAW]


def test_words_are_counted_in_the_same_passages() -> None:
    assert {part.text: part.score for part in rationale(CASE).words}["盗窃"] == 1
    assert {part.text: part.score for part in rationale(CASE, "all").words}["盗窃"] == 5


def test_scores_and_spans_of_selected_sentences_are_those_of_the_whole_text() -> None:
    everything = {part.text: part for part in rationale(CASE, "all").sentences}
    assert all(part == everything[part.text] for part in rationale(CASE).sentences)


@pytest.mark.parametrize("text", [PLEA, EVIDENCE, "盗窃手机。", ""])
def test_a_text_that_states_no_facts_is_read_whole(text: str) -> None:
    assert rationale(text) == rationale(text, "all")


def test_what_is_left_out_of_one_text_does_not_depend_on_the_others() -> None:
    texts = [PLEA, CASE, "", FINDING + PLEA, EVIDENCE]
    assert Extractor(LEXICON).many(texts) == [rationale(text) for text in texts]


def test_french_texts_are_read_whole() -> None:
    lexicon = Lexicon.from_charges({"vol": "soustraire le bien d'autrui"}, "fr")
    text = "Le prévenu conteste le vol. Il a pris le bien d'autrui."
    every = RationaleSettings(passages="all")
    assert Extractor(lexicon).query(text) == Extractor(lexicon, every).query(text)


def test_an_index_of_an_earlier_version_keeps_reading_all_passages() -> None:
    assert stored_settings(RationaleSettings, {"k1": 10}).passages == "all"
    assert stored_settings(RationaleSettings, {"k1": 10, "passages": "stated"}).passages == "stated"
