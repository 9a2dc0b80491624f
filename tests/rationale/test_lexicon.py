import json

import numpy as np
import pytest

from lexgear.errors import InputError
from lexgear.law.charges import shipped_charges
from lexgear.rationale.lexicon import Lexicon

CHARGES = {
    "盗窃罪": "以非法占有为目的，秘密窃取公私财物，数额较大的，处三年以下有期徒刑、拘役或者管制",
    "抢劫罪": "以暴力、胁迫方法当场抢劫公私财物",
}


def test_b1_holds_the_overlapping_words_of_a_name() -> None:
    lexicon = Lexicon.from_charges({"故意伤害罪": "", "伪造公司、企业、事业单位、人民团体印章罪": ""}, "zh")
    assert {"故意", "伤害", "故意伤害"} <= set(lexicon.rows[0].b1)
    assert {"伪造", "公司", "企业", "事业", "单位", "事业单位", "人民", "团体", "印章"} <= set(lexicon.rows[1].b1)


def test_b2_holds_the_words_of_the_definition_without_function_words_and_sanctions() -> None:
    b2 = Lexicon.from_charges(CHARGES, "zh").rows[0].b2
    assert {"占有", "秘密", "窃取", "财物"} <= set(b2)
    assert not {"或者", "以下", "有期徒刑", "拘役", "管制", "三年"} & set(b2)
    assert all(len(word) > 1 for word in b2)


def test_a_name_keeps_words_that_elsewhere_are_sanctions() -> None:
    assert "执行" in Lexicon.from_charges({"拒不执行判决、裁定罪": ""}, "zh").rows[0].b1


def test_every_charge_of_the_law_has_words_of_its_name() -> None:
    lexicon = Lexicon.from_charges(dict.fromkeys(shipped_charges().names, ""), "zh")
    assert [row.charge for row in lexicon.rows if not row.b1] == []


def test_accepted_descriptions_enter_b2_of_their_charge_alone() -> None:
    lexicon = Lexicon.from_charges(CHARGES, "zh", more={"盗窃罪": "扒窃 扒窃 撬锁"})
    assert lexicon.rows[0].b2["扒窃"] == 2
    assert "扒窃" not in lexicon.rows[1].b2


def test_a_description_of_an_unknown_charge_is_refused() -> None:
    with pytest.raises(InputError, match="诈骗罪"):
        Lexicon.from_charges(CHARGES, "zh", more={"诈骗罪": "虚构事实"})


def test_french_words_are_stems() -> None:
    row = Lexicon.from_charges({"Vol": "soustraction frauduleuse de biens"}, "fr").rows[0]
    assert dict(row.b1) == {"vol": 1}
    assert dict(row.b2) == {"soustract": 1, "fraudul": 1, "bien": 1}


def test_the_corpus_of_all_charges_adds_up_their_counts() -> None:
    lexicon = Lexicon.from_charges(CHARGES, "zh")
    corpus = lexicon.corpus((), 10, 1)
    number = corpus.numbers[lexicon.words["财物"]]
    assert corpus.tf[:, number].tolist() == [0, 2]
    assert corpus.weights[number] == 2
    assert corpus.weights[corpus.numbers[lexicon.words["抢劫"]]] == 11
    assert corpus.weights[0] == 0


def test_the_corpus_of_one_charge_knows_no_word_of_another() -> None:
    lexicon = Lexicon.from_charges(CHARGES, "zh")
    corpus = lexicon.corpus(("盗窃罪",), 10, 1)
    assert corpus.numbers[lexicon.words["抢劫"]] == 0
    assert corpus.tf[1, corpus.numbers[lexicon.words["财物"]]] == 1


def test_a_word_speaks_for_the_charge_whose_words_it_fills_most() -> None:
    lexicon = Lexicon.from_charges({"抢劫枪支、弹药、爆炸物、危险物质罪": "", "抢劫罪": ""}, "zh")
    corpus = lexicon.corpus((), 10, 1)
    number = corpus.numbers[lexicon.words["抢劫"]]
    assert corpus.charges[corpus.charge_of_word[0, number]] == "抢劫罪"


def test_evidence_is_summed_over_words_and_rare_words_count_more() -> None:
    lexicon = Lexicon.from_charges({"抢劫枪支罪": "", "抢劫罪": "", "盗窃罪": ""}, "zh")
    corpus = lexicon.corpus((), 10, 1)
    robbery, guns = (corpus.numbers[lexicon.words[word]] for word in ("抢劫", "枪支"))
    [both, one] = corpus.evidence(np.array([0, 0, 1]), np.array([robbery, guns, robbery]), 2).round(3).tolist()
    assert one == [pytest.approx(10 * np.log(4 / 2), abs=1e-3)] * 2 + [0]
    assert both[0] == pytest.approx(10 * np.log(4 / 2) + 10 * np.log(4 / 1), abs=1e-3)
    assert both[1:] == one[1:]


def test_plain_rows_through_json_give_the_same_lexicon() -> None:
    lexicon = Lexicon.from_charges(CHARGES, "zh", more={"抢劫罪": "持刀"})
    again = Lexicon.from_rows(json.loads(json.dumps(lexicon.to_rows())), "zh")
    assert again.rows == lexicon.rows
    assert again.words == lexicon.words


def test_a_definition_with_half_a_character_is_still_read() -> None:
    assert "财物" in Lexicon.from_charges({"盗窃罪": "财物\ud800数额"}, "zh").rows[0].b2
