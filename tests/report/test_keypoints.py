"""Key points are the judgment's own words at the places they are said to have."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.api import Index
from lexgear.corpus.records import Document
from lexgear.corpus.sample.cases import sample_cases
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.law.tree import LawTree
from lexgear.privacy.masking import Masker, Replacement, apply_replacements, document_masker
from lexgear.rationale.definitions import charge_lexicon
from lexgear.report.build import build_report
from lexgear.report.keypoints import KeyPoints, KeyPointSettings
from report.conftest import entries

CASES = sample_cases()
POINTS = KeyPoints(charge_lexicon(CASES.law, "zh"))
GIVEN = ("建国", "秀英", "伟", "芳", "志强", "丽", "军", "敏", "静", "磊")


def named(document: Document) -> Document:
    """The same case before anybody masked its defendants."""
    names = {
        one.name: f"{one.name[0]}{GIVEN[(at + len(document.text)) % len(GIVEN)]}"
        for at, one in enumerate(document.defendants)
    }
    real = Masker(names)
    return replace(
        document,
        title=real.mask(document.title).text,
        sections={name: real.mask(text).text for name, text in document.sections.items()},
        defendants=tuple(replace(one, name=names[one.name]) for one in document.defendants),
    )


@given(case=st.sampled_from(CASES.documents), query=st.sampled_from(CASES.queries), extra=st.text(max_size=40))
@settings(max_examples=60)
def test_every_key_point_stands_where_it_is_said_to_stand(case: Document, query: object, extra: str) -> None:
    document = named(case)
    document = replace(document, sections={**document.sections, "附录": extra})
    masker = document_masker(document, "zh")
    points = POINTS.find(document, f"{getattr(query, 'text', '')}{extra}")
    assert points
    for point in points:
        text = document.sections[point.section]
        verbatim = text[point.start : point.end]
        assert 0 <= point.start < point.end <= len(text)
        assert all(word in verbatim for word in point.matched)
        shown, replaced = masker.mask(text).quote(point.start, point.end)
        inside = [Replacement(one.start - point.start, one.end - point.start, one.shown) for one in replaced]
        assert apply_replacements(verbatim, inside) == shown
        assert all(one.name not in shown for one in document.defendants)
    places = [(list(document.sections).index(point.section), point.start) for point in points]
    assert places == sorted(set(places))


def test_quotes_of_a_report_are_cut_out_of_the_document(index: Index) -> None:
    for masked in (True, False):
        made = build_report(index, entries(CASES.queries[0].text, {"id": "c0001"}, {"id": "c0002"}, masked=masked))
        for case in made.cases:
            sections = index.stored.catalogue.document(case.id).sections
            assert {quote.section for quote in case.key_points} == {"fact", "reasoning", "verdict"}
            for quote in case.key_points:
                verbatim = sections[quote.section][quote.start : quote.end]
                inside = [
                    Replacement(one.start - quote.start, one.end - quote.start, one.shown) for one in quote.masked
                ]
                assert apply_replacements(verbatim, inside) == quote.text


def test_what_matched_the_query_decides_among_the_facts(index: Index) -> None:
    points = KeyPoints.of(index)
    document = index.stored.catalogue.document("c0001")
    facts = document.sections["fact"]
    wanted = facts.index("许某某曾向亲戚借款")
    asked = "他曾向亲戚借款买过一辆二手轿车，欠款还清。"
    found = [point.start for point in points.find(document, asked) if point.section == "fact"]
    other = [point.start for point in points.find(document, "趁春节送上现金") if point.section == "fact"]
    assert wanted in found
    assert wanted not in other


def test_the_sentence_that_names_the_charge_is_quoted_from_the_reasoning_and_the_verdict(index: Index) -> None:
    document = index.stored.catalogue.document("c0001")
    quoted = {
        point.section: document.sections[point.section][point.start : point.end]
        for point in KeyPoints.of(index).find(document, "无关的话")
    }
    assert "其行为已构成行贿罪" in quoted["reasoning"]
    assert "犯行贿罪" in quoted["verdict"]


def test_dates_and_forms_are_no_match(index: Index) -> None:
    document = index.stored.catalogue.document("c0001")
    for point in KeyPoints.of(index).find(document, "2018年1月至9月间，被告人在本院的被告人"):
        assert not any(word.isdecimal() or word == "被告人" for word in point.matched)


def test_no_more_is_quoted_than_the_settings_say(index: Index) -> None:
    document = index.stored.catalogue.document("c0002")
    few = KeyPoints.of(index, KeyPointSettings(fact=1, reasoning=1, verdict=1)).find(document, document.text)
    assert [point.section for point in few] == ["fact", "reasoning", "verdict"]


def test_a_law_without_charges_and_french_texts_are_quoted_too() -> None:
    code = sample_statutes()
    points = KeyPoints(charge_lexicon(LawTree(), "fr"))
    article = code.documents[3]
    found = points.find(article, "Comment demander au juge de paix un curateur ?")
    assert found
    words = {word for point in found for word in point.matched}
    assert {"demander", "curateur", "juge"} <= words  # as written, not as stems


@pytest.mark.parametrize("sections", [{}, {"fact": ""}, {"fact": " \n"}, {"text": "。"}, {"text": "\ud800。\x00"}])
def test_a_document_with_nothing_to_quote_has_no_key_points_or_short_ones(sections: dict[str, str]) -> None:
    for point in POINTS.find(Document("x", sections, charges=("盗窃罪",)), "盗窃"):
        assert sections[point.section][point.start : point.end].strip()


def test_key_points_are_about_the_charge_at_hand() -> None:
    document = Document(
        "1",
        {"reasoning": "被告人秘密窃取他人财物，其行为构成盗窃罪。被告人醉酒驾驶机动车，其行为构成危险驾驶罪。"},
        charges=("盗窃罪", "危险驾驶罪"),
    )
    finder = KeyPoints(charge_lexicon(CASES.law, "zh"), settings=KeyPointSettings(reasoning=1))
    for charge in document.charges:
        (point,) = finder.find(document, "被告人", [charge])
        assert charge in document.sections["reasoning"][point.start : point.end]


def test_evidence_and_remarks_on_fines_are_not_quoted() -> None:
    document = Document(
        "d",
        {
            "fact": "经审理查明，被告人李某翻墙入室盗窃现金。（赃款未追回）被告人李某又入室盗窃手机一部。\n"
            "上述事实，有下列证据证实：\n1.被告人李某供述：我盗窃了现金和手机。",
            "verdict": "一、被告人李某犯盗窃罪，判处拘役四个月，并处罚金一千元；罚金限判决生效后十日内缴纳。",
        },
        charges=("盗窃罪",),
    )
    quoted = [
        document.sections[one.section][one.start : one.end] for one in POINTS.find(document, "入室盗窃手机，罚金")
    ]
    assert "被告人李某又入室盗窃手机一部。" in quoted
    assert not [text for text in quoted if "供述" in text or text.startswith(("罚金", "（"))]
    assert any("判处拘役" in text for text in quoted)


def test_the_court_is_quoted_and_not_the_parties_if_it_states_its_findings() -> None:
    charged = "某区人民检察院指控：2018年3月2日，被告人李某入室盗窃手机一部。公诉机关认为，李某的行为构成盗窃罪。\n"
    defence = "被告人李某辩称没有盗窃手机。辩护人提出，被告人李某盗窃手机的证据不足。\n"
    found = "经审理查明：2018年3月2日夜，被告人李某翻窗入室，盗窃被害人手机一部。次日，被告人李某将手机卖给他人。\n"
    same = "经审理查明：事实与指控一致。\n"

    def quoted(fact: str) -> list[str]:
        document = Document("d", {"fact": fact}, charges=("盗窃罪",))
        return [fact[one.start : one.end] for one in POINTS.find(document, "李某入室盗窃手机")]

    assert all(one in found for one in quoted(charged + defence + found))
    assert any(one in charged for one in quoted(charged + same))


def test_orders_on_seized_things_are_not_quoted_and_mitigation_is() -> None:
    document = Document(
        "d",
        {
            "reasoning": "被告人李某秘密窃取他人财物，其行为构成盗窃罪。被告人李某退赔了全部损失，依法可以从轻处罚。"
            "扣押的作案工具螺丝刀一把，依法应予没收。违法所得予以追缴。",
            "verdict": "一、被告人李某犯盗窃罪，判处有期徒刑十年，并处没收个人财产一万元；"
            "二、责令被告人李某退赔被害人盗窃损失五百元；三、扣押的盗窃工具螺丝刀一把予以没收，上缴国库。",
        },
        charges=("盗窃罪",),
    )
    finder = KeyPoints(charge_lexicon(CASES.law, "zh"), settings=KeyPointSettings(least=0))
    points = finder.find(document, "盗窃用的螺丝刀是扣押的作案工具，应当没收，违法所得应当追缴。")
    quoted = [document.sections[one.section][one.start : one.end] for one in points]
    assert [text[:9] for text in quoted] == ["被告人李某秘密窃取", "被告人李某退赔了全", "一、被告人李某犯盗"]


def test_a_paragraph_sign_alone_is_no_key_point() -> None:
    statutes = sample_statutes()
    points = KeyPoints(charge_lexicon(statutes.law, "fr"))
    text = "§ 1er. Le bailleur restitue la garantie locative dans le mois. § 2. Le présent article est impératif."
    found = points.find(Document("a", {"text": text}, node=statutes.documents[0].node), "garantie locative")
    assert [text[one.start : one.end].strip() for one in found if one.end - one.start < 10] == []
