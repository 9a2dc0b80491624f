"""Legal factors: what a sentence states counts, what it denies, quotes or only claims does not."""

import re
from pathlib import Path

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
        ("instigator", "被告人刘某受张某（已判决）指使，伙同他人非法拘禁被害人。"),
        ("victim_fault", "何某骑车逆行，承担这次碰撞的次要责任。"),
        ("plea", "被告人表示起诉的内容属实，同意量刑建议，已签字具结。"),
        ("admits", "被告人蒋某及其辩护人对公诉方所控事实、所定罪名都没有异议。"),
        ("forged_papers", "被告人为他人虚开增值税专用发票8份。"),
        ("break_in", "被告人将防盗窗剪断后进入室内，盗走铜器。"),
        ("for_profit", "公诉机关认为：被告人为谋取个人私利，擅自采伐林木。"),
        ("drugs", "经检验，药水含有磷酸可待因0.108克。"),
        ("amount", "被告人借养老公寓之名吸收存款金额人民币260余万元。"),
        ("minor_victim", "2018年1月25日，被告人将被害人韦某（2001年9月9日出生）骗至出租房。"),
        ("elderly_victim", "2019年8月16日，被告人骗取被害人唐某某（女，1957年11月3日生）现金。"),
        ("alcohol", "经鉴定，许某静脉血的血醇含量为146.20mg／lOOml。"),
        ("public_place", "被告人醉酒后驾驶轿车沿人民大道由北向南行驶到某厂门口处时被执勤民警查获。"),
        ("full_responsibility", "经交通警察大队认定，被告人闯红灯撞上货车，应承担该起事故的全部责任。"),
        ("crowd", "陈某遂打电话纠集被告人叶某与吴某、周某、林某（均另案）等人来到现场。"),
    ],
)
def test_a_stated_factor_is_found(factor: str, text: str) -> None:
    assert factor in names("fact", text)


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        ("surrender", "被告人的行为不构成自首。"),
        ("surrender", "关于辩护人提出周某系自首的意见，经查，不符合事实，不予采纳。"),
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
        ("night", "2018年4月7日11时许，被告人来到该店。"),
        ("self_defence", "被告人的行为不属于正当防卫。"),
    ],
)
def test_a_denied_quoted_or_rejected_factor_is_not_found(factor: str, text: str) -> None:
    assert factor not in names("reasoning", text)
    assert factor not in names("text", text)


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        ("home_entry", "被告人将1000元汇入户名为吴某的账户。"),
        ("home_entry", "被告人进入某厂员工宿舍，盗走手机一部。"),
        ("break_in", "被告人敲开被害人家门后与其聊天。"),
        ("public_place", "被告人在某宾馆大厅旁的KTV203包厢内将被害人打伤。"),
        ("public_place", "被告人在厦门市某路的家中贩卖毒品。"),
        ("online", "被告人通过微信与吸毒人员联系，约定毒品交易。"),
        ("premeditated", "被告人与购毒人员商定毒品交易地点和价格。"),
        ("repeated", "国土部门多次制止，被告人仍继续开采。"),
        ("unlicensed", "被告人驾驶无号牌摩托车。"),
        ("firearm", "被告人举报邻居非法持有枪支，已经核实。"),
        ("violence", "被告人将上述杨树砍伐并销售。"),
        ("deception", "被告人驾驶伪造车牌的轿车。"),
        ("group", "被告人认罪、悔罪，系初犯。"),
        ("vehicle_used", "被告人乘坐滴滴司机余某驾驶的轿车。"),
        ("official_capacity", "被告人利用担任第三村民小组组长职务上的便利，私自借出组里的钱。"),
        ("disability", "被告人系视力四级残疾。"),
        ("drug_user", "证据有抓获经过、扣押清单、强制隔离戒毒决定书、户籍证明。"),
        ("mental_illness", "经鉴定，被害人程某为轻度精神发育迟滞，没有性自我防卫能力。"),
        ("elderly_offender", "对怀孕的妇女和已满七十五周岁的人，应当宣告缓刑。"),
        ("death", "刘某家被毒死的三头母牛价值35100元。"),
        ("minor_offender", "被告人王某和方某（系未成年人，分案处理）在包厢唱歌。"),
        ("compensation", "关于民事赔偿部分，被告人表示愿意赔偿。"),
        ("prior_record", "且有户籍证明、前科查证确认表等证据。"),
        ("minor_victim", "2018年1月25日，被告人骗取被害人韦某（1981年9月9日出生）现金。"),
        (
            "recovered",
            "原审判决：一、被告人犯诈骗罪，判处有期徒刑三年。二、责令退赔，发还被害人。 宣判后，被告人上诉。",
        ),
        ("crowd", "被告人伙同姚某等三人预谋后盗走猪仔四头。"),
        ("night", "当日22时许，民警到场，将被害人解救。"),
    ],
)
def test_what_the_definitions_leave_out_is_not_found(factor: str, text: str) -> None:
    assert factor not in names("fact", text)


def test_the_definitions_name_every_factor_once() -> None:
    definitions = (Path(__file__).parents[3] / "docs" / "factors.md").read_text("utf-8")
    cells = [row.split("|")[1] for row in definitions.splitlines() if row.startswith("| `")]
    defined = [name for cell in cells for name in re.findall("`([a-z_]+)`", cell)]
    assert sorted(defined) == sorted(factor_names())


def test_a_claim_that_the_court_accepts_counts() -> None:
    assert "surrender" in names("reasoning", "辩护人提出黄某系自首的辩护意见，符合事实，本院予以采纳。")


def test_a_denial_in_the_reasoning_overrules_the_prosecution() -> None:
    sections = {"fact": "公诉机关认为，被告人系自首。", "reasoning": "被告人的行为不构成自首。"}
    assert "surrender" not in {factor.name for factor in find_factors(sections)}


def test_giving_oneself_up_is_no_surrender_if_the_sentence_denies_it() -> None:
    assert "surrender" not in names("reasoning", "王某自动投案之后再次逃走，不能认定为自首。")


def test_the_answer_to_a_claim_is_the_words_of_the_court() -> None:
    text = "关于辩护人提出郑某系从犯的辩护意见，经查，郑某在分赃中起主要作用，是主犯，该意见不予采纳。"
    assert names("reasoning", text) >= {"principal"}
    assert "accessory" not in names("reasoning", text)


def test_each_claim_of_a_sentence_has_its_own_answer() -> None:
    text = "辩护人提出郑某系自首的意见，予以采纳；关于郑某系从犯的意见，不符合事实，不予采纳。"
    assert "surrender" in names("reasoning", text)
    assert "accessory" not in names("reasoning", text)


def test_a_defendant_who_admits_is_heard_after_the_defence_of_another() -> None:
    text = "辩护人提出被告人张某系从犯。 被告人李某对起诉指控的事实无异议。 经审理查明，二人预谋贩毒。"
    assert "admits" in names("fact", text)
    assert "accessory" not in names("fact", text)


def test_an_employee_who_is_convicted_as_such_holds_no_office() -> None:
    sections = {"fact": "公诉机关认为，被告人利用职务便利挪用公款。", "reasoning": "其行为已构成挪用资金罪。"}
    found = {factor.name for factor in find_factors(sections)}
    assert "employee_capacity" in found
    assert "official_capacity" not in found


@pytest.mark.parametrize(
    ("factor", "text", "value"),
    [
        ("amount", "被告人窃得手机一部，价值3500元；又窃得现金，共计价值人民币1.2万元。", 12_000),
        ("amount", "被告人骗取被害人现金二十五万元。", 250_000),
        ("amount", "骗取李某16.1万元。", 61_000),
        ("drugs", "民警查获甲基苯丙胺（冰毒）0.64克。", 0.64),
        ("drugs", "净重1.2千克，检出海洛因成分。", 1200),
        ("alcohol", "被告人血液中酒精含量为207．3mg／100ml。", 207.3),
        ("alcohol", "血液中的乙醇含量为1.67mg／ml。", 167),
        ("death", "造成五人死亡、一人重伤的严重后果。", 5),
        ("death", "致王某当场死亡。", 1),
    ],
)
def test_values_are_read(factor: str, text: str, value: float) -> None:
    [found] = [one for one in find_query_factors(text) if one.name == factor]
    assert found.value == pytest.approx(value)


def test_money_for_the_victim_is_no_amount_of_the_offence() -> None:
    assert "amount" not in names("fact", "被告人赔偿伤者的家属，共计8万元。")


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
