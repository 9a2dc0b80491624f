"""Legal factors of accusations, acquittals and arguments: what the court does not find does not count."""

import pytest

from lexgear.corpus.extraction.factors.find import find_factors


def names(**sections: str) -> set[str]:
    return {factor.name for factor in find_factors(sections)}


def test_of_an_acquittal_only_the_findings_of_the_court_count() -> None:
    fact = "检察院指控，被告人杨某骗取货款后逃匿。 经审理查明，被告人杨某借款50万元，未能归还。"
    assert names(fact=fact, verdict="被告人杨某犯合同诈骗罪，判处有期徒刑三年。") >= {"deception", "fled"}
    acquitted = names(fact=fact, verdict="被告人杨某无罪。")
    assert "amount" in acquitted
    assert acquitted.isdisjoint({"deception", "fled"})
    assert names(fact=fact, verdict="一、被告人姜某犯盗窃罪，判处拘役三个月。二、被告人杨某无罪。").isdisjoint({"fled"})


def test_the_accusation_counts_if_an_appeal_refers_to_it() -> None:
    fact = "原判认定，被告人杨某骗取货款后逃匿。 经二审审理查明的事实与一审相同。"
    assert "fled" in names(fact=fact, verdict="原审被告人姜某无罪。上诉人杨某犯诈骗罪，判处有期徒刑三年。")


def test_the_reasoning_of_an_acquittal_states_no_act() -> None:
    reasoning = "公诉机关指控被告人杨某虚构事实骗取财物，证据不足。被告人杨某向三人借款，未能归还。"
    assert "deception" not in names(reasoning=reasoning, verdict="被告人杨某无罪。")


def test_what_the_court_does_not_find_of_the_accusation_does_not_count() -> None:
    reasoning = "公诉机关指控被告人姜某携带凶器，现有证据不能形成链条，不予认定。被告人姜某盗窃数额较大。"
    assert "weapon" not in names(reasoning=reasoning)


@pytest.mark.parametrize(
    ("factor", "reasoning"),
    [
        ("recovered", "根据《关于自首的意见》第四条规定：“赃物全部追缴的，可以从轻处罚。”"),
        ("preparation_or_desistance", "根据刑法第二十四条，在犯罪过程中，自动放弃犯罪的，是犯罪中止。"),
        ("preparation_or_desistance", "他从犯罪预备至实施阶段都很坚决。"),
        ("merit", "被告人供述并揭发主犯的犯罪行为。"),
        ("deception", "他以被害人赌博骗取钱财为由殴打对方。"),
        ("repeated", "被告人多次对上述行为供认不讳。"),
        ("employee_capacity", "被告人赵某送给张某现金，张某利用职务上的便利给予关照。"),
        ("attempt", "并不存在因意志以外的原因而未得逞的情形。"),
        ("self_defence", "本院不予采纳；所提姜某系防卫过当的辩护意见，不能成立。"),
    ],
)
def test_quotations_arguments_and_other_persons_state_nothing(factor: str, reasoning: str) -> None:
    assert factor not in names(reasoning=reasoning)


def test_a_proposal_to_another_is_no_claim_of_the_defence() -> None:
    fact = (
        "检察院指控，被告人姜某贩毒。 经审理查明，2016年8月，胡某向被告人姜某提出购买毒品，被告人姜某卖给他1克冰毒。"
        "2016年9月8日凌晨，被告人姜某驾车送去海洛因。 上述事实，有供述等证据证实。"
    )
    assert names(fact=fact) >= {"night", "vehicle_used"}


def test_a_claim_ends_where_the_sentence_answers_it() -> None:
    fact = "原审法院认为，辩护人提出情节较轻的辩护意见，不予采纳。被告人姜某自愿认罪，退缴违法所得三万元。"
    assert names(fact=fact) >= {"admits", "restitution"}
    fact = "被告人姜某提出证件有效的辩解意见，经查，其证件均为虚假证件，该意见本院不予采纳。"
    assert "forged_papers" in names(fact=fact)


@pytest.mark.parametrize("count", ["（二）2012年9月20日，被告人姜某", "二、2012年9月20日凌晨，同案犯冯某"])
def test_the_next_count_ends_a_list_of_evidence_in_other_forms(count: str) -> None:
    fact = f"被告人姜某盗窃。 认定上述事实的证据有： 1、被害人贺某的陈述。 {count}驾驶面包车盗窃。"
    assert "vehicle_used" in names(fact=fact)


def test_a_list_of_defendants_who_confess_is_no_group() -> None:
    assert "group" not in names(fact="被告人唐某、吴某、邓某能如实供述自己的罪行。")
    assert "group" not in names(fact="被告人唐某协助公安机关抓获被告人吴某、邓某以及胡某。")
    assert "group" in names(fact="被告人唐某、吴某、邓某窜至该村盗窃。")


def test_evidence_that_agrees_with_the_findings_does_not_end_the_list() -> None:
    fact = "上述事实，有下列证据证实： 1、记账笔记本，与审理查明的一致。 2、收条，证明姜某将现金用于赔偿村民。"
    assert "compensation" not in names(fact=fact)


def test_an_appellant_who_does_not_dispute_the_facts_admits_them() -> None:
    assert "admits" in names(fact="上诉人姜某上诉称：其对原判认定的盗窃事实和罪名均无异议，但量刑畸重。")


def test_a_place_where_nothing_of_the_act_happens_does_not_count() -> None:
    assert "public_place" not in names(fact="2012年春节前，姜某在某小区停车场送给周某现金10万元。")
    assert "public_place" in names(fact="2012年春节前，姜某在某小区停车场殴打周某。")


@pytest.mark.parametrize(
    ("factor", "fact"),
    [
        ("fled", "被告人姜某持刀追赶，贺某逃离。"),
        ("repeated", "被告人姜某不在家，贺某多次报复他。"),
        ("prior_record", "被告人姜某毁坏财物。 《刑事判决书》证实，贺大年因犯盗窃罪被判处有期徒刑一年。"),
        ("deception", "经鉴定，该批卷烟均系假冒卷烟。"),
        ("deception", "被告人姜某假借贺某偷东西为由要钱。"),
        ("repeated", "烟草专卖局先后三次在被告人姜某处查扣卷烟。"),
        ("night", "至当晚11时许，该赌场被公安机关查获。"),
        ("compensation", "残疾赔偿金194271元。"),
        ("death", "被告人姜某非法猎捕、杀害、出售国家一级保护动物。"),
        ("public_place", "被告人姜某携带毒品途经大莫古收费站时，被民警查获。"),
        ("recovered", "未追回的赃款继续追缴发还被害人贺某6万元，发还被害人冯某3万元。"),
        ("premeditated", "被告人姜某与其丈夫共同商议，修建房屋一栋。"),
        ("threat", "民警以调查一起敲诈勒索案件为由通知被告人姜某。"),
        ("slight_injury", "被告人姜某打伤贺某。经鉴定，姜某的损伤程度为轻微伤。"),
        ("instigator", "被告人姜某怀疑是贺某指使。"),
        ("hired", "被告人姜某雇佣被害人贺某做饭。"),
        ("property_damage", "扎啤杯被打碎，被告人姜某被贺某朝头上砸了一下。"),
    ],
)
def test_acts_of_others_and_sums_of_law_do_not_count(factor: str, fact: str) -> None:
    assert factor not in names(fact=fact)


@pytest.mark.parametrize(
    ("factor", "fact"),
    [
        ("weapon", "被告人姜某持玻璃扎啤杯将贺某打伤。"),
        ("slight_injury", "被告人姜某打人。经鉴定，贺某的损伤程度为轻微伤。"),
        ("intoxicated", "被告人姜某等人在酒吧喝酒时遇到贺某，追上去殴打。"),
        ("prior_record", "前罪判决书证明：2013年被告人姜某被判处缓刑。"),
        ("prior_record", "被告人姜某因寻衅滋事，2014年10月9日被行政拘留五日。"),
        ("drug_user", "被告人姜某因吸食毒品、盗窃，2015年8月5日被行政拘留二十日。"),
        ("instigator", "被告人姜某打电话通知被告人贺某为其出气。"),
        ("death", "三名工人被掩埋，当日医院确认其死亡。"),
        ("prior_record", "行政处罚决定书，证实被告人姜某分别于2012年6月2日、2013年1月11日因赌博被处以罚款500元。"),
        ("prior_record", "刑事判决书证实被告人姜某的前科情况。"),
        ("drug_user", "现场检测报告书，经尿液检测，被告人姜某呈吗啡阳性。"),
        ("confession", "被告人姜某虽有所辩解，但均能如实供述。"),
        ("for_profit", "他们为取得经济利益，围堵工地大门。"),
    ],
)
def test_further_ways_to_state_a_factor_are_found(factor: str, fact: str) -> None:
    assert factor in names(fact=fact)
