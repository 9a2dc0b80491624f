"""Legal factors in long judgments: testimony, other persons, quoted law and words with a second meaning."""

import pytest

from lexgear.corpus.extraction.factors.find import find_factors


def names(**sections: str) -> set[str]:
    return {factor.name for factor in find_factors(sections)}


@pytest.mark.parametrize(
    "announcement",
    [
        "公诉机关当庭出示了下列证据： 1、",
        "本案综合证据： 1、",
        "检察机关提交的证据如下：1、",
        "",
    ],
)
def test_testimony_states_no_facts_however_it_is_announced(announcement: str) -> None:
    text = f"被告人吴某偷走一辆自行车。 {announcement}证人孙某的证言，证实那天深夜有人骑摩托车在他家门前逃跑。"
    assert names(fact=text).isdisjoint({"night", "vehicle_used", "fled"})


def test_numbered_statements_of_defendants_and_victims_are_evidence() -> None:
    text = "被告人石某打伤被害人贺某。 7、被害人贺某的陈述：他们拿着铁锹追我。 8、被告人石某的供述，我没有拿刀。"
    assert "weapon" not in names(fact=text)


def test_the_next_count_ends_a_list_of_evidence() -> None:
    text = (
        "一、2016年3月1日，被告人高某盗窃电缆。 上述事实，有被害人的陈述、照片等证据证实。 "
        "二、2016年4月2日，被告人高某驾驶面包车盗窃电缆。 上述事实，有被害人的陈述、照片等证据证实。 "
        "3、2016年5月3日凌晨，被告人高某盗窃电缆。"
    )
    assert names(fact=text) >= {"vehicle_used", "night"}
    assert "weapon" in names(fact="被告人李某赌博。 上述事实，有供述等证据证实。 二、抢劫罪 被告人李某持刀抢劫。")


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        ("prior_record", "被告人魏某收购赃物。 判决书证实，贺某因犯盗窃罪被判处有期徒刑一年。"),
        ("prior_record", "被告人魏某收购赃物。 同案犯贺大年因犯盗窃罪被判处有期徒刑一年。"),
        ("intoxicated", "被告人康某上前劝架，后段某酒后与其发生争吵。"),
        ("mental_illness", "被告人康某与她发生关系。经鉴定，段某患有轻度精神发育迟滞。"),
        ("relative_victim", "被告人康某发现，段某与被害人申某建立情人关系。"),
        ("fled", "被告人康某行骗时，其同伙逃跑。"),
        ("vehicle_used", "被告人康某走到买主驾驶的轿车旁。"),
        ("weapon", "被害人申某捡起一块石头将被告人康某打伤。"),
    ],
)
def test_what_other_persons_are_or_did_does_not_count(factor: str, text: str) -> None:
    assert factor not in names(fact=text)


def test_an_earlier_conviction_of_a_defendant_named_in_the_text_counts() -> None:
    text = "被告人魏某、贺某盗窃。 判决书证实，贺某因犯盗窃罪被判处有期徒刑一年。"
    assert "prior_record" in names(fact=text)
    assert "prior_record" in names(fact="证实被告人姜某2005年因盗窃罪被判有期徒刑一年。")


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        ("surrender", "被告人虽不具有《中华人民共和国刑法》第六十七条前两款规定的自首情节，但是如实供述罪行。"),
        ("threat", "应当适用刑法第二百六十九条关于“为抗拒抓捕而以暴力相威胁”的规定。"),
        ("merit", "经查，他协助公安机关抓获的只是自己的债务人，其行为不构成立功。"),
        ("admits", "被告人到案后拒不承认自己的犯罪事实。"),
        ("admits", "被告人认罪、悔罪态度恶劣。"),
        ("prior_record", "被告人因与本案同一犯罪事实已被公安机关行政拘留十日。"),
        ("full_responsibility", "他邀人打架，对全案负主要责任。"),
        ("forged_papers", "他审核多年，对虚假申报材料有辨识能力。"),
        ("weapon", "被告人以持刀抢劫之类的话吓唬她。"),
        ("restitution", "被告人的行为造成损失，依法应予退赔。"),
    ],
)
def test_the_reasoning_denies_quotes_or_speaks_of_something_else(factor: str, text: str) -> None:
    assert factor not in names(reasoning=text)


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        ("violence", "被告人把收购的生猪宰杀后出售。"),
        ("violence", "民警查获一把黑色手柄长砍刀。"),
        ("weapon", "被告人持铁锤对铲车进行打砸。"),
        ("weapon", "被告人携带一把液压剪、一把螺丝刀进入仓库。"),
        ("weapon", "被告人所持射钉枪能够击发。"),
        ("online", "被告人通过网络学会制造枪支。"),
        ("online", "有人在网上反映河水发红。"),
        ("crowd", "被告人与邻居发生纠纷，后双方互殴。"),
        ("crowd", "该款汇入聚众投资有限公司的账户。"),
        ("hired", "他以工厂需要发放工资为由骗得现金。"),
        ("hired", "司机与车主系雇佣关系。"),
        ("home_entry", "被告人将车开到县城入户。"),
        ("home_entry", "被告人把她拖进一处闲置的厂房，进入厂房内将其打伤。"),
        ("public_place", "被告人到县医院复诊。"),
        ("public_place", "被告人在高速收费站被查获。"),
        ("public_place", "被告人携带毒品驾驶轿车在国道上行驶。"),
        ("repeated", "两人认识后有过多次接触。"),
        ("repeated", "公诉机关指控的第三起事实证据不足。"),
        ("property_damage", "被告人把车窗玻璃砸烂，盗走车内现金。"),
        ("restraint", "他们把毒品用胶带封装好寄出。"),
        ("minor_victim", "他在少年儿童图书馆前倒车。"),
        ("group", "被告人赵某、钱某违反交通运输管理法规，各自驾车先后撞上行人。"),
        ("group", "被告人指使证人作伪证。"),
        ("many_victims", "该行向42名客户发放了信用卡。"),
    ],
)
def test_words_with_another_meaning_are_not_found(factor: str, text: str) -> None:
    assert factor not in names(fact=text)


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        ("admits", "被告人对起诉指控的事实和罪名不表异议。"),
        ("admits", "被告人辩称，对公诉机关指控的犯罪事实供认不讳。"),
        ("elderly_victim", "2018年2月1日，被告人撞倒一人。被害人于某出生于1950年3月4日，后死亡。"),
        ("night", "2014年11月11日24时许，被告人来到酒吧。"),
        ("forgiveness", "被害人亲属接受补偿并请求对被告人从轻判决。"),
        ("restitution", "案发前，被告人的女友代其向梁某还款2000元。"),
        ("break_in", "被告人用剪刀剪接摩托车线路时被人发现。"),
        ("plea", "上述事实，有供述等证据证实，被告人自愿认罪认罚并签字具结。"),
        ("public_place", "被告人在阳光新村门口贩卖毒品。"),
        ("online", "被告人在微信群里发布广告，出售香烟。"),
        ("weapon", "被告人用螺丝刀捅伤被害人。"),
    ],
)
def test_other_ways_to_state_a_factor_are_found(factor: str, text: str) -> None:
    assert factor in names(fact=text)


def test_sums_of_civil_claims_are_no_amount_of_the_offence() -> None:
    text = "原告人的损失有医疗费、护理费2000元、交通费300元。以上共计人民币53210元。"
    assert "amount" not in names(reasoning=text)
    assert "amount" not in names(fact="被告人先行垫付了16万元。")


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        ("violence", "被告人何某雇人上山，陆续砍了十多天，共计砍伐林木162株。"),
        ("violence", "2014年1月，被告人因债务问题被债权人打伤住院。"),
        ("amount", "被告人何某以每立方280元的价格雇佣胡某砍伐林木。"),
        ("prior_record", "身边的同事曾因发现大量疑点被重奖，被告人却不能察觉。"),
        ("hired", "事故发生时，被告人是在从事雇佣活动。"),
        ("group", "被害人的家属请求被告人黎林新、黎林新驾驶的货车的所有人赔偿损失。"),
        ("premeditated", "被告人与王某经商议，在某大厦设立分公司从事贵金属交易，该公司没有资质。"),
        ("for_profit", "被告人挪用公款给他人使用，进行营利活动。"),
        ("for_profit", "被告人盗走三张唐卡，拉到鹤庆销赃，获利2000元。"),
        ("deception", "由于被告人隐瞒了曾被法院判刑的事实，未撤销缓刑。"),
        ("crowd", "肖某纠集被告人郑某、王某、何某四人驾驶渔船前往香港运油。"),
        ("repeated", "被告人多次和村委会主任主持召开班子会议，决定建楼。"),
        ("repeated", "缉私局在追击过程中多次向该船喊话。"),
        ("alcohol", "被告人的静脉血中未检出乙醇成分，被害人的心脏血中检出乙醇成分的含量为242.4mg／100ml。"),
    ],
)
def test_words_about_another_matter_or_person_do_not_count(factor: str, text: str) -> None:
    assert factor not in names(fact=text)


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        ("violence", "被告人持菜刀朝被害人砍了两刀。"),
        ("for_profit", "被告人挪用公款归个人使用，进行营利活动。"),
        ("crowd", "祝某纠集罗某、邓某、吴某等十人到酒吧门口殴打对方。"),
        ("alcohol", "被告人与被害人相撞，经检测，被告人血液中乙醇含量为142.4mg／100ml。"),
        ("confession", "认定上述事实的证据有证人证言、账册等。 案发后，被告人华某如实供述了犯罪事实。"),
    ],
)
def test_words_about_the_act_of_a_defendant_count(factor: str, text: str) -> None:
    assert factor in names(fact=text)


@pytest.mark.parametrize(
    ("factor", "fact"),
    [
        ("public_place", "被告人孙某在商城县某村盗窃。"),
        ("public_place", "被告人孙某被带至医院检查身体。"),
        ("night", "工人日夜轮流看守。"),
        ("online", "被告人孙某担任某互联网宣传管理办公室主任，发布了虚假消息。"),
        ("fled", "被告人孙某欲乘车逃离，被当场抓获。"),
        ("hired", "经会议研究决定，聘用孙某为财务部部长。"),
        ("intoxicated", "被告人孙某发现冯某醉酒躺在地上。"),
        ("compensation", "土地按每亩三万元的标准进行补偿。"),
        ("compensation", "被告人孙某对民事赔偿部分，愿意依法承担。"),
        ("restitution", "被告人孙某要求退还5000元。"),
        ("death", "被告人孙某非法杀害珍贵、濒危野生动物。"),
        ("weapon", "被告人孙某用电焊机焊接出枪管。"),
        ("violence", "孙某用石头砸了冯某家的玻璃窗。"),
        ("group", "公司召集中层管理人员开会。"),
        ("merit", "警察局在派出所的协助下在该区将被告人抓获。"),
        ("forged_papers", "被告人孙某提供虚假证言。"),
        ("prior_record", "有户籍证明、前科资料等书证证实。"),
        ("public_place", "他们将王某安排在一诊所内住宿。"),
        ("weapon", "被告人孙某用石头砸车玻璃。"),
        ("threat", "该物质对健康造成重大威胁和危害。"),
        ("threat", "因被害人贺某威胁要叫人来，被告人孙某离开。"),
        ("attempt", "贺某身边只有二百元，未遂愿。"),
        ("child_victim", "被告人孙某盗走婴儿尿不湿一件。"),
        ("compensation", "双方对民事赔偿协商不一致。"),
        ("premeditated", "贺某拿出事先准备好的10万元现金放在车上。"),
    ],
)
def test_words_that_only_look_like_a_factor_are_not_found(factor: str, fact: str) -> None:
    assert factor not in names(fact=fact)


@pytest.mark.parametrize(
    ("factor", "fact"),
    [
        ("confession", "被告人孙某归案后供认不讳。"),
        ("fled", "被告人孙某趁机逃脱。"),
        ("restitution", "案发后，公司已补足注册资金。"),
        ("restraint", "孙某等人将冯某拉至山上继续殴打。"),
        ("prior_record", "2、行政处罚决定书载明：被告人孙某因无证运输烟草于2014年被烟草专卖局作出没收的行政处罚。"),
        ("compensation", "二被告人将车辆归还公司并对公司进行补偿。"),
        ("night", "2014年1月10日夜，被告人孙某盗窃。"),
        ("prior_record", "行政处罚决定书，证实被告人孙某因吸毒，于2017年6月5日被公安局行政拘留五日。"),
        ("prior_record", "刑事判决书，证明2011年被告人孙某因犯盗窃罪，被判处管制二年。"),
        ("relative_victim", "被告人孙某殴打被害人王某（前妻）。"),
        ("relative_victim", "被告人孙某与其前妻即被害人王某发生争执。"),
        ("forged_papers", "被告人孙某准备假车牌。"),
        ("property_damage", "造成植被全部破坏。"),
        ("fled", "被告人孙某驾驶摩托车离开现场。"),
        ("premeditated", "被告人孙某与冯某共同商议，拟向公众融资。"),
    ],
)
def test_more_ways_to_state_a_factor_are_found(factor: str, fact: str) -> None:
    assert factor in names(fact=fact)
