import hashlib
import json
import math
import random
import re
from collections import Counter
from collections.abc import Mapping

import bm25s
import pytest
import rjieba

from lexgear.corpus.extraction.penalties import KINDS
from lexgear.corpus.extraction.verdicts import read_verdict
from lexgear.corpus.json_rows import document_row, query_row
from lexgear.corpus.records import Collection, Document, Penalty
from lexgear.corpus.sample.case_plan import Case, Count
from lexgear.corpus.sample.cases import case_gloss, charge_gloss, sample_cases
from lexgear.corpus.sample.relevance import grade
from lexgear.corpus.sample.templates import charges
from lexgear.errors import InputError
from lexgear.law.numerals import chinese_numeral
from shared_data import SHARED, needs_shared

SHA256 = "d008f147b82e2035b5aaf9f6158d32a8bb8eb6979c16dca13d7870220b669cea"

LEVELS = ["law", "part", "chapter", "section", "article", "charge"]
SAMPLE = sample_cases()
BY_ID = {document.id: document for document in SAMPLE.documents}


def fingerprint(collection: Collection) -> str:
    content = {
        "documents": [document_row(document) for document in collection.documents],
        "queries": [query_row(query) for query in collection.queries],
        "qrels": collection.qrels,
        "pools": collection.pools,
        "law": collection.law.to_rows(),
    }
    canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def facts() -> list[tuple[str, str, tuple[str, ...]]]:
    documents = [(document.id, document.sections["fact"], document.charges) for document in SAMPLE.documents]
    return documents + [(query.id, query.text, query.charges) for query in SAMPLE.queries]


def test_the_sample_never_changes() -> None:
    assert fingerprint(SAMPLE) == SHA256


def test_making_it_again_gives_the_same_sample() -> None:
    assert fingerprint(sample_cases()) == fingerprint(SAMPLE)


def test_it_has_the_promised_size() -> None:
    assert [document.id for document in SAMPLE.documents] == [f"c{number:04}" for number in range(1, 1201)]
    assert [query.id for query in SAMPLE.queries] == [f"q{number:03}" for number in range(1, 121)]
    assert Counter(query.split for query in SAMPLE.queries) == {"train": 80, "test": 40}
    assert (SAMPLE.name, SAMPLE.language, SAMPLE.relevant_from) == ("sample-zh", "zh", 2)


def test_a_fifth_of_the_cases_have_several_charges() -> None:
    assert sum(len(document.charges) > 1 for document in SAMPLE.documents) == 240
    assert sum(len(query.charges) > 1 for query in SAMPLE.queries) == 24
    assert any(len(document.charges) == 3 for document in SAMPLE.documents)


def test_every_charge_is_in_the_law_and_in_a_dozen_cases() -> None:
    found = Counter(charge for document in SAMPLE.documents for charge in document.charges)
    placed = {node.title: node for node in SAMPLE.law.of_kind("charge")}
    assert set(found) == set(placed) and len(placed) == 46
    assert min(found.values()) >= 12
    assert {charge for query in SAMPLE.queries for charge in query.charges} <= set(found)
    assert len(SAMPLE.law.of_kind("chapter")) == 6
    assert placed["抢劫罪"].id == "cn-criminal/2/5/263/抢劫罪"
    drugs = SAMPLE.law["cn-criminal/2/6/7/347/走私、贩卖、运输、制造毒品罪"]
    assert [node.kind for node in SAMPLE.law.path(drugs)] == LEVELS
    assert all(len(node.text) > 30 for node in placed.values())


@needs_shared
def test_charges_and_headings_are_those_of_the_statute() -> None:
    official = json.loads((SHARED / "law-zh" / "crimes.json").read_text("utf-8"))
    assert set(charges()) <= set(official)
    lines = (SHARED / "law-zh" / "criminal_law.txt").read_text("utf-8").split("\n")
    special = lines[next(place for place, line in enumerate(lines) if line.startswith("第二编")) :]
    titles = {line.partition("\u3000")[2].strip() for line in special if line.startswith("第")}
    for kind in ("part", "chapter", "section"):
        assert {node.title for node in SAMPLE.law.of_kind(kind)} - {"分则"} <= titles
    for charge in SAMPLE.law.of_kind("charge"):
        article = SAMPLE.law[charge.parent or ""].number
        main, _, inserted = article.partition("-")
        heading = f"第{chinese_numeral(int(main))}条{f'之{chinese_numeral(int(inserted))}' if inserted else ''}\u3000"
        start = next(place for place, line in enumerate(special) if line.strip().startswith(heading))
        end = next(place for place, line in enumerate(special) if place > start and re.match(r"\s*第\w+条", line))
        assert charge.title in "".join(special[start:end]), charge.id


def test_the_law_is_in_the_order_of_its_numbers() -> None:
    for node in SAMPLE.law:
        below = [child.number for child in SAMPLE.law.children(node) if child.kind != "charge"]
        assert below == sorted(below, key=lambda number: [int(part) for part in number.split("-")])


def test_facts_never_name_their_charge() -> None:
    for case_id, text, names in facts():
        for name in names:
            for word in {name.removesuffix("罪"), *charges()[name].aliases}:
                assert word not in text, f"{case_id} says {word}"
        assert not [name for name in charges() if name in text], case_id


def test_texts_are_filled_and_cleanly_punctuated() -> None:
    texts = [(query.id, query.text) for query in SAMPLE.queries]
    texts += [(document.id, part) for document in SAMPLE.documents for part in document.sections.values()]
    for case_id, text in texts:
        assert not re.search(r"[{}]|[，。：；、][，。：；、]|\d\.\d*0万", text), f"{case_id}: {text}"
        assert text.endswith(("。", "：")), case_id


def test_sections_have_the_length_of_a_short_judgment() -> None:
    for name, low, high in (("fact", 120, 600), ("reasoning", 120, 540), ("verdict", 50, 460)):
        lengths = [len(document.sections[name]) for document in SAMPLE.documents]
        assert low <= min(lengths) and max(lengths) <= high, name


def test_every_query_has_very_similar_cases_and_hard_zeros() -> None:
    for query_id, judged in SAMPLE.qrels.items():
        grades = Counter(judged.values())
        assert grades[3] >= 2, query_id
        assert 3 <= grades[2] + grades[3] <= 30, query_id
        assert grades[0] == 20, query_id
    assert set(SAMPLE.qrels) == {query.id for query in SAMPLE.queries}


def test_the_grades_are_spread() -> None:
    grades = Counter(value for judged in SAMPLE.qrels.values() for value in judged.values())
    assert grades[0] > grades[1] > grades[2] > grades[3] > 2 * len(SAMPLE.queries)


def test_the_charge_alone_does_not_make_a_case_relevant() -> None:
    shares = []
    for query in SAMPLE.queries:
        same = [document for document in SAMPLE.documents if set(query.charges) <= set(document.charges)]
        judged = SAMPLE.qrels[query.id]
        shares.append(sum(judged.get(document.id, 0) >= 2 for document in same) / len(same))
    assert sum(shares) / len(shares) < 0.4


def ndcg_at_10(ranking: list[str], judged: Mapping[str, int]) -> float:
    def gain(grades: list[int]) -> float:
        return sum((2.0**grade - 1) / math.log2(place + 2) for place, grade in enumerate(grades[:10]))

    return gain([judged.get(document, 0) for document in ranking[:10]]) / gain(sorted(judged.values(), reverse=True))


def test_knowing_the_charge_is_not_enough_to_rank() -> None:
    chance = random.Random(1)
    scores = []
    for query in SAMPLE.queries:
        shuffled = sorted(BY_ID.values(), key=lambda _: chance.random())
        ranking = sorted(shuffled, key=lambda document: -len(set(query.charges) & set(document.charges)))
        scores.append(ndcg_at_10([document.id for document in ranking], SAMPLE.qrels[query.id]))
    assert sum(scores) / len(scores) < 0.5


def test_shared_words_are_not_enough_to_rank() -> None:
    def words(text: str) -> list[str]:
        return [word for word in rjieba.cut(text) if len(word) > 1]

    index = bm25s.BM25(k1=1.5, b=0.75)
    texts = [words(document.sections["fact"] + document.sections["reasoning"]) for document in SAMPLE.documents]
    index.index(texts, show_progress=False)
    scores = []
    for query in SAMPLE.queries:
        best = (-index.get_scores(words(query.text))).argsort(kind="stable")[:10]
        ranking = [SAMPLE.documents[place].id for place in best]
        scores.append(ndcg_at_10(ranking, SAMPLE.qrels[query.id]))
    assert 0.3 < sum(scores) / len(scores) < 0.8


def test_a_sibling_charge_in_the_same_scene_can_be_relevant() -> None:
    gold = {query.id: set(query.charges) for query in SAMPLE.queries}
    foreign = [
        value
        for query_id, judged in SAMPLE.qrels.items()
        for document, value in judged.items()
        if not gold[query_id] & set(BY_ID[document].charges)
    ]
    assert Counter(foreign)[1] > 50
    assert 0 < Counter(foreign)[2] < Counter(foreign)[1]
    assert 3 not in foreign


def test_a_grade_falls_as_circumstances_differ() -> None:
    query = Case((Count("盗窃罪", "entry", "phone", 0),), "alone", "surrender", "full", "none")
    other_goods = Case((Count("盗窃罪", "entry", "cash", 0),), "alone", "caught", "full", "none")
    other_means = Case((Count("盗窃罪", "trust", "phone", 0),), "alone", "surrender", "none", "none")
    all_else = Case((Count("盗窃罪", "trust", "cash", 2),), "others", "deny", "none", "repeat")
    assert [grade(query, case) for case in (query, other_goods, other_means, all_else)] == [3, 2, 1, 0]


def test_half_of_the_charges_is_not_very_similar() -> None:
    both = (Count("盗窃罪", "entry", "phone", 0), Count("诈骗罪", "online", "phone", 0))
    query = Case(both, "alone", "surrender", "full", "none")
    half = Case(both[:1], "alone", "surrender", "full", "none")
    assert grade(query, query) == 3
    assert grade(query, half) < 3
    assert grade(half, query) == 3


def test_pools_hold_a_hundred_candidates_with_all_judged_ones() -> None:
    for query_id, candidates in SAMPLE.pools.items():
        assert len(set(candidates)) == len(candidates) == 100
        assert set(SAMPLE.qrels[query_id]) <= set(candidates) <= set(BY_ID)


def parsed_number(text: str) -> int:
    """Second implementation of reading Chinese numerals, digit by digit."""
    total = section = digit = 0
    for sign in text:
        if sign in "零一二三四五六七八九":
            digit = "零一二三四五六七八九".index(sign)
        elif sign == "万":
            total, section, digit = (section + digit) * 10_000, 0, 0
        else:
            section += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[sign]
            digit = 0
    return total + section + digit


@pytest.mark.parametrize("number", [1, 10, 15, 20, 101, 110, 205, 1001, 1010, 10_000, 15_000, 120_500, 2_003_000])
def test_numbers_are_written_as_they_are_read(number: int) -> None:
    assert parsed_number(chinese_numeral(number)) == number


def parsed_term(text: str) -> int:
    found = re.fullmatch(r"(?:(\w+?)年)?(?:(\w+?)个月)?", text)
    assert found
    years, months = (parsed_number(part) if part else 0 for part in found.groups())
    return years * 12 + months


def read_penalty(order: str) -> Penalty:
    """Read the final penalty back from the verdict."""
    final = order.rsplit("决定执行", 1)[-1].rsplit("判处", 1)[-1]
    fine = re.search(r"罚金人民币(\w+)元", final)
    yuan = parsed_number(fine[1]) if fine else None
    if "死刑" in final:
        return Penalty("death-suspended", fine=yuan)
    if "无期徒刑" in final:
        return Penalty("life", fine=yuan)
    kinds = {"有期徒刑": "imprisonment", "拘役": "detention", "管制": "control"}
    for word, kind in kinds.items():
        if found := re.search(rf"{word}(\w+)", final):
            probation = re.search(r"缓刑(\w+)", final)
            return Penalty(kind, parsed_term(found[1]), parsed_term(probation[1]) if probation else None, yuan)
    return Penalty("fine", fine=yuan)


def orders(document: Document) -> list[str]:
    verdict = document.sections["verdict"]
    return re.findall(r"被告人[^，。；]+?犯[^。]+。", verdict)


def test_the_defendants_are_those_that_are_read_from_the_verdict() -> None:
    assert any(defendant.counts for document in SAMPLE.documents for defendant in document.defendants)
    for document in SAMPLE.documents:
        assert read_verdict(document.sections["verdict"]) == document.defendants, document.id


def test_the_penalty_field_agrees_with_the_verdict() -> None:
    for document in SAMPLE.documents:
        written = orders(document)
        assert len(written) == len(document.defendants), document.id
        for order, defendant in zip(written, document.defendants, strict=True):
            assert order.startswith(f"被告人{defendant.name}犯"), document.id
            assert defendant.penalty == read_penalty(order), document.id
            assert all(f"犯{charge}，" in order for charge in defendant.charges), document.id
        worst = min(
            (defendant.penalty for defendant in document.defendants if defendant.penalty),
            key=lambda penalty: (KINDS.index(penalty.kind), -(penalty.months or 0)),
        )
        assert document.penalty == worst


def test_sentences_are_such_as_the_law_allows() -> None:
    for document in SAMPLE.documents:
        recidivist = "累犯" in document.sections["reasoning"]
        for defendant in document.defendants:
            penalty = defendant.penalty
            assert penalty
            if penalty.probation_months:
                assert (penalty.months or 0) <= 36
                assert penalty.probation_months >= (penalty.months or 0)
            if recidivist and defendant is document.defendants[0]:
                assert penalty.kind in ("imprisonment", "life", "death-suspended"), document.id
                assert not penalty.probation_months, document.id
            if penalty.kind == "detention":
                assert 1 <= (penalty.months or 0) <= (12 if len(document.charges) > 1 else 6)
        first, *rest = [defendant.penalty for defendant in document.defendants]
        assert first
        for other in rest:
            assert other
            assert (KINDS.index(first.kind), -(first.months or 0)) <= (KINDS.index(other.kind), -(other.months or 0))


def test_drunk_drivers_get_detention_and_the_negligent_are_no_recidivists() -> None:
    for document in SAMPLE.documents:
        for order in orders(document):
            for sentence in re.findall(r"犯危险驾驶罪，判处([^，；。]+)", order):
                assert sentence.startswith("拘役"), document.id
        if {"交通肇事罪", "过失致人死亡罪"} & set(document.charges):
            assert "累犯" not in document.sections["reasoning"], document.id


def test_all_kinds_of_sentence_occur() -> None:
    kinds = Counter(document.penalty.kind for document in SAMPLE.documents if document.penalty)
    assert set(kinds) == {"death-suspended", "life", "imprisonment", "detention", "control", "fine"}


def test_the_articles_cited_are_those_the_field_lists() -> None:
    for document in SAMPLE.documents:
        basis = document.sections["reasoning"].rsplit("《中华人民共和国刑法》", 1)[1]
        cited = [
            f"{parsed_number(main)}{f'-{parsed_number(inserted)}' if inserted else ''}"
            for main, inserted in re.findall(r"第([^第、条]+)条(?:之([一二三四]))?", basis)
        ]
        assert [citation.number for citation in document.articles] == cited, document.id
        assert {citation.law for citation in document.articles} == {"刑法"}


def test_dates_are_in_order() -> None:
    for document in SAMPLE.documents:
        days = [
            f"{year}-{int(month):02}-{int(day):02}"
            for year, month, day in re.findall(r"(\d{4})年(\d+)月(\d+)日", document.sections["fact"])
        ]
        assert max(days) < document.date, document.id
        assert document.number.startswith(f"（{document.date[:4]}）")


def test_grave_sentences_come_from_intermediate_courts() -> None:
    for document in SAMPLE.documents:
        assert (document.level == "intermediate") == ("中级人民法院" in document.court)
        if document.penalty and document.penalty.kind in ("life", "death-suspended"):
            assert document.level == "intermediate"
        assert document.region in document.court


def test_every_case_has_a_line_of_english() -> None:
    assert charge_gloss("盗窃罪") == "theft"
    for case_id in [*BY_ID, *(query.id for query in SAMPLE.queries)]:
        line = case_gloss(case_id)
        assert line.isascii() and len(line) > 30
    first = SAMPLE.documents[0]
    assert case_gloss(first.id).startswith(charge_gloss(first.charges[0]))


def test_an_unknown_case_or_charge_is_refused() -> None:
    with pytest.raises(InputError, match="c9999"):
        case_gloss("c9999")
    with pytest.raises(InputError, match="theft"):
        charge_gloss("theft")
