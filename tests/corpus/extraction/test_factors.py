"""Legal factors: what a sentence states counts, what it denies, quotes or only claims does not."""

import pytest

from lexgear.corpus.extraction.factors.factor import Factor
from lexgear.corpus.extraction.factors.find import factor_names, find_factors, find_query_factors
from lexgear.wording.translations import LANGUAGES, texts


def names(section: str, text: str) -> set[str]:
    return {factor.name for factor in find_factors({section: text})}


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        ("home_entry", "被告人张某翻窗进入被害人李某家中，盗走现金。"),
        ("break_in", "被告人用螺丝刀撬开门锁。"),
        ("pickpocketing", "被告人在公交车上扒窃手机一部。"),
        ("night", "2018年3月5日凌晨2时许，被告人来到该店。"),
        ("public_place", "被告人在某市人民路超市盗窃香烟。"),
        ("online", "被告人在网上发布虚假广告骗取货款。"),
        ("weapon", "被告人持刀将被害人捅伤。"),
        ("firearm", "被告人非法持有火药枪一支。"),
        ("restraint", "三被告人将罗某捆绑后限制其人身自由。"),
        ("group", "被告人伙同他人实施盗窃。"),
        ("premeditated", "二人预谋后前往作案。"),
        ("serious_injury", "经鉴定，被害人的损伤程度为重伤二级。"),
        ("official_victim", "被告人用拳头殴打民警，阻碍民警依法执行职务。"),
        ("unlicensed", "被告人无证驾驶摩托车。"),
        ("fled", "肇事后驾车逃逸。"),
        ("full_responsibility", "经认定，被告人负此事故的全部责任。"),
        ("mental_illness", "经鉴定，被告人患有精神分裂症，系限制刑事责任能力。"),
        ("child_victim", "被害人刘某（女，12岁）被猥亵。"),
        ("elderly_victim", "被害人王某（男，71岁）被骗。"),
        ("repeated", "被告人先后四次盗窃电动车。"),
        ("many_victims", "骗取被害人赵某、钱某、孙某现金。"),
        ("forgiveness", "被告人取得了被害人的谅解。"),
    ],
)
def test_a_stated_factor_is_found(factor: str, text: str) -> None:
    assert factor in names("fact", text)


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        ("surrender", "被告人的行为不构成自首。"),
        ("surrender", "关于辩护人提出被告人系自首的辩护意见，经查，与事实不符，本院不予采纳。"),
        ("accessory", "被告人并非从犯。"),
        ("principal", "本案不宜区分主从犯，被告人不是主犯。"),
        ("recidivist", "依照《中华人民共和国刑法》第六十五条累犯的规定，判决如下："),
        ("prior_record", "被告人没有前科。"),
        ("prior_record", "被告人曾祥坤对指控的事实没有异议。"),
        ("full_responsibility", "被告人并不是主要责任。"),
        ("minor_injury", "被害人的伤情为轻伤以下。"),
        ("forgiveness", "被告人未取得被害人的谅解。"),
        ("merit", "被告人不具有立功表现。"),
        ("compensation", "原告人请求赔偿医疗费。"),
        ("confession", "被告人到案后未如实供述。"),
        ("victim_fault", "被害人在案发起因上不具有过错。"),
        ("night", "2018年3月5日11时许，被告人来到该店。"),
        ("self_defence", "被告人的行为不属于正当防卫。"),
    ],
)
def test_a_denied_quoted_or_rejected_factor_is_not_found(factor: str, text: str) -> None:
    assert factor not in names("reasoning", text)
    assert factor not in names("text", text)


def test_a_claim_that_the_court_accepts_counts() -> None:
    assert "surrender" in names("reasoning", "辩护人提出被告人系自首的辩护意见，与事实相符，本院予以采纳。")


def test_a_denial_in_the_reasoning_overrules_the_prosecution() -> None:
    sections = {"fact": "公诉机关认为，被告人系自首。", "reasoning": "被告人的行为不构成自首。"}
    assert "surrender" not in {factor.name for factor in find_factors(sections)}


@pytest.mark.parametrize(
    ("factor", "text", "value"),
    [
        ("amount", "被告人窃得手机一部，价值3500元；又窃得现金，共计价值人民币1.2万元。", 12_000),
        ("amount", "被告人骗取被害人现金二十五万元。", 250_000),
        ("amount", "骗取李某16.1万元。", 61_000),
        ("drugs", "民警查获甲基苯丙胺（冰毒）0.64克。", 0.64),
        ("drugs", "净重1.2千克，检出海洛因成分。", 1200),
        ("alcohol", "被告人血液中酒精含量为195．8mg／100ml。", 195.8),
        ("alcohol", "血液中的乙醇含量为1.49mg／ml。", 149),
        ("death", "造成五人死亡、一人重伤的严重后果。", 5),
        ("death", "致王某当场死亡。", 1),
    ],
)
def test_values_are_read(factor: str, text: str, value: float) -> None:
    [found] = [one for one in find_query_factors(text) if one.name == factor]
    assert found.value == pytest.approx(value)


def test_money_for_the_victim_is_no_amount_of_the_offence() -> None:
    assert "amount" not in names("fact", "被告人赔偿被害人家属经济损失，共计8万元。")


def test_a_factor_has_its_place_in_the_section() -> None:
    text = "案发后，被告人主动投案，系自首。"
    found = [one for one in find_factors({"fact": "某日。", "reasoning": text}) if one.name == "surrender"]
    assert [text[one.start : one.end] for one in found] == ["主动投案", "自首"]
    assert {one.section for one in found} == {"reasoning"}


@pytest.mark.parametrize(("yuan", "band"), [(500, (0, 1000)), (3000, (3000, 10_000)), (9_000_000, (3_000_000, None))])
def test_an_amount_has_a_band(yuan: float, band: tuple[int, int | None]) -> None:
    assert Factor("amount", "fact", 0, 1, yuan).band == band


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_factor_has_a_name_in_every_language(language: str) -> None:
    assert {*texts("factors", language).entries} == {*factor_names()}


def test_a_damaged_text_is_read_all_the_same() -> None:
    [found] = [one for one in find_query_factors("\ud800被告人持刀威胁。") if one.name == "weapon"]
    assert (found.start, found.end) == (4, 6)


def test_a_text_without_a_crime_has_no_factors() -> None:
    assert find_query_factors("今天天气很好，我们去公园散步。") == []
