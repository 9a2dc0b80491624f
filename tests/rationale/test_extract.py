"""f_R compared with values computed by hand and with a second implementation, word by word."""

import inspect
import re
from collections import Counter
from functools import cache

import pytest
import rjieba
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.corpus.sample.cases import sample_cases
from lexgear.rationale.budget import fitted_texts
from lexgear.rationale.extract import Extractor
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import Part, RationaleSettings
from lexgear.rationale.sentences import sentence_ends

CHARGES = {"盗窃罪": "以非法占有为目的，秘密窃取公私财物，数额较大", "抢劫罪": "以暴力、胁迫方法当场抢劫公私财物"}
LEXICON = Lexicon.from_charges(CHARGES, "zh")
# 王某/潜入/商店/盗窃/手机 — 随后/又/盗窃/现金，窃取/财物 — 天气晴朗 — 李某/当场/使用暴力/抢劫/财物
TEXT = "王某潜入商店盗窃手机。随后又盗窃现金，窃取财物。天气晴朗。李某当场使用暴力抢劫财物！"


@cache
def sample_extractor(order: str = "document", k3: int = 15) -> Extractor:
    sample = sample_cases()
    described = {node.number: "" for node in sample.law.of_kind("charge")}
    for document in sample.documents[::40]:
        for charge in document.charges:
            described[charge] += document.sections["reasoning"]
    return Extractor(Lexicon.from_charges(described, "zh"), RationaleSettings(k3=k3, order=order, passages="all"))


def picked(parts: tuple[Part, ...], kind: str) -> list[tuple[str, float, str]]:
    return [(part.text, part.score, part.charge) for part in parts if part.kind == kind]


def test_words_are_the_most_frequent_of_each_list_the_first_to_occur_before_its_equals() -> None:
    words = Extractor(LEXICON).query(TEXT).words
    assert picked(words, "word1") == [("盗窃", 2, "盗窃罪"), ("抢劫", 1, "抢劫罪")]
    assert picked(words, "word2") == [
        ("财物", 2, "抢劫罪"),
        ("窃取", 1, "盗窃罪"),
        ("当场", 1, "抢劫罪"),
        ("抢劫", 1, "抢劫罪"),
    ]


def test_k1_and_k2_limit_each_list() -> None:
    words = Extractor(LEXICON, RationaleSettings(k1=1, k2=2)).query(TEXT).words
    assert [part.text for part in words] == ["盗窃", "财物", "窃取"]


def test_a_query_is_scored_against_all_charges() -> None:
    sentences = Extractor(LEXICON).query(TEXT).sentences
    assert [part.score for part in sentences] == pytest.approx(
        [
            10 * 1 / 5,  # 盗窃
            (10 * 1 + 1 * (1 + 2)) / 6,  # 盗窃; 窃取, 财物 (in two definitions)
            0,
            (10 * 1 + 1 * (1 + 1 + 2)) / 5,  # 抢劫; 当场, 抢劫, 财物
        ]
    )
    assert [part.charge for part in sentences] == ["盗窃罪", "盗窃罪", "", "抢劫罪"]


def test_a_document_is_scored_against_its_own_charges() -> None:
    rationale = Extractor(LEXICON).document(TEXT, ["盗窃罪"])
    assert [part.score for part in rationale.sentences] == pytest.approx([10 / 5, (10 + 1 + 1) / 6, 0, 1 / 5])
    assert [part.text for part in rationale.words] == ["盗窃", "财物", "窃取"]
    assert {part.charge for part in rationale.words} == {"盗窃罪"}


def test_the_lambdas_weigh_the_lists() -> None:
    weighed = RationaleSettings(lambda1=3, lambda2=0.5)
    sentences = Extractor(LEXICON, weighed).query(TEXT).sentences
    assert [part.score for part in sentences] == pytest.approx([3 / 5, (3 + 1.5) / 6, 0, (3 + 2) / 5])


def test_chosen_sentences_keep_the_order_of_the_text_unless_asked_otherwise() -> None:
    in_order = Extractor(LEXICON, RationaleSettings(k3=2)).query(TEXT)
    by_score = Extractor(LEXICON, RationaleSettings(k3=2, order="score")).query(TEXT)
    assert [part.text[:2] for part in in_order.sentences] == ["随后", "李某"]
    assert [part.text[:2] for part in by_score.sentences] == ["李某", "随后"]


def test_a_document_without_charges_the_lexicon_knows_is_read_like_a_query() -> None:
    extractor = Extractor(LEXICON)
    assert extractor.document(TEXT, []) == extractor.document(TEXT, ["间谍罪"]) == extractor.query(TEXT)


def test_texts_read_together_are_read_as_if_alone() -> None:
    extractor, sample = sample_extractor(), sample_cases()
    documents = sample.documents[:150]
    texts, charges = [document.text for document in documents], [document.charges for document in documents]
    texts[3:6] = ["", "。）", "\r"]
    assert extractor.many(texts, charges) == [extractor.document(t, c) for t, c in zip(texts, charges, strict=True)]
    assert extractor.many(texts) == [extractor.query(text) for text in texts]


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("number", range(0, 1200, 97))
def test_the_sample_read_word_by_word_gives_the_same(number: int, own: bool) -> None:
    document = sample_cases().documents[number]
    extractor = sample_extractor(k3=5)
    rationale = extractor.document(document.text, document.charges) if own else extractor.query(document.text)
    rows = [row for row in extractor.lexicon.rows if not own or row.charge in document.charges]
    b1: Counter[str] = sum((Counter(row.b1) for row in rows), Counter())
    b2: Counter[str] = sum((Counter(row.b2) for row in rows), Counter())
    frequency = Counter(rjieba.cut(document.text))
    for kind, listed, k in (("word1", b1, 10), ("word2", b2, 20)):
        best = sorted((word for word in frequency if word in listed), key=lambda word: -frequency[word])[:k]
        assert [(part.text, part.score) for part in rationale.words if part.kind == kind] == [
            (word, frequency[word]) for word in best
        ]
    scored = []
    start = 0
    for end in sentence_ends(document.text, "zh").tolist():
        words = [word for word in rjieba.cut(document.text[start:end]) if word[0].isalnum()]
        if words:
            total = sum(10 * b1[word] + b2[word] for word in words) / len(words)
            scored.append((document.text[start:end].strip(), total))
        start = end
    best_places = sorted(sorted(range(len(scored)), key=lambda place: -round(scored[place][1], 9))[:5])
    assert [part.text for part in rationale.sentences] == [scored[place][0] for place in best_places]
    assert [part.score for part in rationale.sentences] == pytest.approx([scored[place][1] for place in best_places])


ODD = st.text(st.sampled_from("盗窃财物抢劫罪当场暴力 \n\r\0。！，；）“”😀\ud800\udfffé١3a"), max_size=120)


@settings(max_examples=60)
@given(st.lists(ODD, max_size=6))
def test_spans_point_at_the_text(texts: list[str]) -> None:
    for text, rationale in zip(texts, Extractor(LEXICON).many(texts), strict=True):
        for part in (*rationale.words, *rationale.sentences):
            assert part.text == re.sub("[\ud800-\udfff]", "\ufffd", text[part.start : part.end])
            assert part.text == part.text.strip() != ""
        rationale.text().encode("utf-8")


def test_a_span_is_the_first_occurrence_of_the_word_itself() -> None:
    lexicon = Lexicon.from_charges({"伤害罪": ""}, "zh")
    text = "甲犯故意伤害罪，乙伤害他人。"
    assert "故意伤害罪" in rjieba.cut(text) or "故意伤害" in rjieba.cut(text)
    part = Extractor(lexicon).query(text).words[0]
    assert (part.text, part.start) == ("伤害", text.rindex("伤害"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "甲",
        "。",
        "。！？，" * 1000,
        "😀" * 1000,
        "\ud800\udfff",
        "\0\0",
        " \n\t　",
        "a" * 3_000_000,
        "盗窃" * 1_000_000,
    ],
    ids=["0", "1", "stop", "signs", "emoji", "surrogates", "nul", "space", "one token", "2 million"],
)
def test_no_text_is_too_odd_or_too_long(text: str) -> None:
    extractor = Extractor(LEXICON)
    assert len(extractor.many([text, "甲盗窃。"], [["盗窃罪"], ["盗窃罪"]])) == 2
    fitted_texts([extractor.query(text)], 512, lambda pieces: [*map(len, pieces)])


def test_ten_megabytes_without_a_full_stop_give_readable_sentences() -> None:
    text = "被告人当场盗窃财物" * (10_000_000 // 27)
    rationale = Extractor(LEXICON).query(text)
    assert len(rationale.sentences) == 15
    assert all(0 < len(part.text) <= 500 for part in rationale.sentences)


def test_a_query_is_read_from_its_text_alone() -> None:
    assert list(inspect.signature(Extractor.query).parameters) == ["self", "text"]


def test_shuffled_labels_leave_the_inputs_of_queries_as_they_are() -> None:
    extractor, queries = sample_extractor(), sample_cases().queries
    before = [extractor.query(query.text).text().encode() for query in queries]
    extractor.many([query.text for query in queries], [query.charges for query in reversed(queries)])
    assert [rationale.text().encode() for rationale in extractor.many([query.text for query in queries])] == before


def test_progress_ends_at_the_number_of_texts() -> None:
    seen: list[tuple[int, int | None]] = []
    Extractor(LEXICON).many([TEXT] * 130, progress=lambda done, total, note="": seen.append((done, total)))
    assert seen[-1] == (130, 130)
    assert len(seen) > 1


def test_french_words_are_found_by_their_stems_and_shown_as_written() -> None:
    lexicon = Lexicon.from_charges({"Vol": "soustraction frauduleuse d'un bien"}, "fr")
    text = "Le locataire est parti. Il a commis deux vols, avec des biens soustraits frauduleusement !"
    rationale = Extractor(lexicon, RationaleSettings(k3=1)).query(text)
    assert [part.text for part in rationale.words] == ["vols", "biens", "frauduleusement"]
    assert [part.text for part in rationale.sentences] == [text[24:]]
    assert rationale.sentences[0].score == pytest.approx((10 + 1 + 1) / 10)
