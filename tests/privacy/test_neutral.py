"""Neutral texts: other names give the same text, and spans map back to the original."""

import pytest

from lexgear.corpus.records import Defendant, Document
from lexgear.privacy.neutral import neutral_document, neutralise
from lexgear.privacy.surnames import COMPOUND_SURNAMES

SURNAMES = (*"赵钱孙李周吴郑王冯陈欧于方安时曾许成万文常和应向从连明国全平尚左单蹇郇丁区", *sorted(COMPOUND_SURNAMES))
UNLISTED = ("䶮", "啜", "妥")
ANONYMISED = (
    "{0}某持刀将{1}某拦在巷口，逼其交出手机和现金三千元，{1}某某报警后{0}某被抓获。",
    "被告人{0}某某酒后驾驶小轿车与被害人{1}某驾驶的电动车相撞，致{1}某死亡，{0}某某弃车逃离。",
    "{0}某甲与{1}某乙因债务发生争吵，{0}某甲用酒瓶打伤{1}某乙头部，经鉴定为轻伤一级。",
    "{0}某谎称能办理入学，先后骗取{1}某人民币五万元后失去联系。",
    "被告人{0}某1、{1}某2在某小区内盗窃，{0}某1等人被抓获。",
    "证人{0}某杰、{1}1某的证言，某日{0}某杰到{1}1某家中。",
)
FULL = (
    "被告人{0}小明伙同{1}建国于2018年5月1日盗窃，{0}小明到案后如实供述。",
    "被害人{0}志强陈述，{1}丽萍（另案处理）将其打伤。",
    "上诉人（原审被告人）{0}海鹏不服，被告人{1}晓东、{0}海鹏的供述。",
)
HALF = (
    "证人{0}某某、{0}甲某、{1}乙某的证言，{1}某的女儿{0}丙某在场。",
    "被告人{0}建某伙同{1}小某到{0}建某家中。",
    "发现{0}甲、{0}乙在其看管的游戏机旁，被害人{0}甲、{0}乙死亡。",
    "一名{0}姓男子与{1}姓女子争吵，那人姓{0}，是司机。",
)
LAY = (
    "我跟包工头老{0}因为工钱打起来，用铁锹把老{0}的头打破了，小{1}看见了。",
    "{0}老板欠我们三个月工资，{1}师傅去要，被{0}老板的司机打伤。",
    "我们公司的{0}经理收了供应商{1}总二十万回扣，{1}女士把钱送去。",
    "邻居{0}志强偷了我同事{1}建国的三头牛，{0}志强说不知道。",
    "村里的{0}大爷把树卖给了{1}家，收了六千块。",
    "{0}建国、{1}小红夫妻二人冒充客服骗钱，由{0}建国和{1}小红等十二人分了。",
    "我叫{0}敏，会计{1}会计把公司的钱转到{0}总的卡里。",
    "小{0}偷了邻居{1}大妈家的电动车，卖给{0}老三。",
)
LAY_SURNAMES = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭田董袁潘蒋蔡余杜叶苏魏吕丁沈姚卢"


@pytest.mark.parametrize("template", HALF)
def test_names_of_which_a_part_is_left_give_the_same_text_for_other_surnames(template: str) -> None:
    expected = neutralise(template.format("赵", "钱"), "zh").text
    assert "赵" not in expected
    assert "钱" not in expected
    for first, second in zip(LAY_SURNAMES, LAY_SURNAMES[1:] + LAY_SURNAMES[:1], strict=True):
        assert neutralise(template.format(first, second), "zh").text == expected


@pytest.mark.parametrize("template", ANONYMISED)
def test_other_surnames_before_a_mask_give_the_same_text(template: str) -> None:
    expected = neutralise(template.format("赵", "钱"), "zh").text
    assert "赵" not in expected
    assert "钱" not in expected
    names = (*SURNAMES, *UNLISTED)
    for first, second in zip(names, names[1:] + names[:1], strict=True):
        assert neutralise(template.format(first, second), "zh").text == expected, (first, second)


@pytest.mark.parametrize("template", FULL)
def test_other_surnames_of_full_names_give_the_same_text(template: str) -> None:
    expected = neutralise(template.format("王", "李"), "zh").text
    assert "王" not in expected
    assert "李" not in expected
    for first, second in zip(SURNAMES, SURNAMES[1:] + SURNAMES[:1], strict=True):
        assert neutralise(template.format(first, second), "zh").text == expected, (first, second)


@pytest.mark.parametrize("template", LAY)
def test_other_surnames_in_lay_words_give_the_same_text(template: str) -> None:
    expected = neutralise(template.format("王", "李"), "zh").text
    assert "王" not in expected
    assert "李" not in expected
    for first, second in zip(LAY_SURNAMES, LAY_SURNAMES[1:] + LAY_SURNAMES[:1], strict=True):
        assert neutralise(template.format(first, second), "zh").text == expected, (first, second)


@pytest.mark.parametrize(
    "text",
    [
        "小区门口，老师和老板说小时候的事，小麦卖了，老家来人。",
        "由于老板拖欠工资，对方经理不认账，向主任行贿，原局长受贿，任局长期间收钱。",
        "武警官兵，富婆，师姐，石家庄，张家港，全家，国家，会计师事务所",
        "安徽、江苏等人口大省，黄金、白银等人民币资产，这笔钱总的来说不少，收到总的款项。",
        "妻子高兴地说，朋友高考结束，老板应当赔偿，儿子常年在外，同事代打卡，邻居家的狗",
    ],
)
def test_words_that_begin_like_forms_of_address_stay(text: str) -> None:
    assert neutralise(text, "zh").text == text


@pytest.mark.parametrize(
    ("text", "neutral"),
    [
        ("被告人赵某某", "被告人某"),
        ("赵某、钱某、孙某", "某、某、某"),
        ("被害人赵某报警，与王某某争吵，致钱某死亡。", "被害人某报警，与某争吵，致某死亡。"),
        ("某某公司在某市某小区，某日，某种药品", "某某公司在某市某小区，某日，某种药品"),
        ("于某日在某酒店，被告人赵某某公司的车", "于某日在某酒店，被告人赵某某公司的车"),
        ("赵某成立公司，赵某公司破产。", "某成立公司，某公司破产。"),
        ("被告人甲将乙打伤，乙报警。", "被告人某将某打伤，某报警。"),
        ("被告人赵某贩卖甲基苯丙胺，乙醇含量，甲方，甲级", "被告人某贩卖甲基苯丙胺，乙醇含量，甲方，甲级"),
        ("被告人张×、李XX在××路，豫A×××××号车", "被告人某、某在××路，豫A×××××号车"),
        ("被告人应当赔偿，被害人家属谅解，证人证言。", "被告人应当赔偿，被害人家属谅解，证人证言。"),
        ("犯某罪，应追究", "犯某罪，应追究"),
        ("被告人李一×骗汪二×上车，肖一×报警。", "被告人某骗某上车，某报警。"),
        ("于某作证。关于某矿业公司，由于某种原因，在于某家中", "某作证。关于某矿业公司，由于某种原因，在某家中"),
        ("被告人陈某坤、陈某坤的弟弟", "被告人某、某的弟弟"),
        ("内容丁某供述一致，丁某供述", "内容某供述一致，某供述"),
        ("在茶楼姓邹的与会计姓“吴”的说姓名", "在茶楼姓某的与会计姓“吴”的说姓名"),
        ("赵某家的车，赵某家、舒某参与，舒某参与", "某家的车，某家、某参与，某参与"),
        ("李某签字，李某签订合同，李某车，李某车的", "某签字，某签订合同，某车，某车的"),
        ("我和董某时间长了，董某说。某日，某时许", "我和某时间长了，某说。某日，某时许"),
        ("王在稳（已判刑）与张三见面，王在稳供述", "某（已判刑）与张三见面，某供述"),
    ],
)
def test_persons_are_replaced_and_nothing_else(text: str, neutral: str) -> None:
    assert neutralise(text, "zh").text == neutral


@pytest.mark.parametrize(
    ("text", "neutral"),
    [
        ("M. Dupont a vendu sa maison à Mme Z. Elle refuse.", "M. X a vendu sa maison à Mme X. Elle refuse."),
        ("Madame Anne de La Tour et Monsieur A. B.", "Madame X et Monsieur X."),
        ("Maître Durand plaide. Durand gagne.", "Maître X plaide. X gagne."),
        ("Monsieur le juge, Le Code civil", "Monsieur le juge, Le Code civil"),
        ("Madame la Présidente et M. le Maire", "Madame la Présidente et M. le Maire"),
        ("Me Le Goff et M. Maire plaident. Me voilà.", "Me X et M. X plaident. Me voilà."),
        ("MM. Petit, Le Goff et Roche", "MM. X, X et X"),
        ("Les époux Peeters et le Tribunal", "Les époux X et le Tribunal"),
        ("Veuve Durand, née Le Goff; le docteur Roche", "Veuve X, née X; le docteur X"),
    ],
)
def test_french_names_after_a_title_are_replaced(text: str, neutral: str) -> None:
    assert neutralise(text, "fr").text == neutral


def test_a_neutral_text_stays_as_it_is() -> None:
    for template in (*ANONYMISED, *FULL):
        once = neutralise(template.format("赵", "钱"), "zh").text
        assert neutralise(once, "zh").text == once


def test_spans_map_to_the_original_and_back() -> None:
    text = "被告人欧阳某某与钱某甲争吵，欧阳某某逃离。"
    neutral = neutralise(text, "zh")
    start = neutral.text.index("争吵")
    first, last = neutral.original(start, start + 2)
    assert text[first:last] == "争吵"
    assert neutral.span(first, last) == (start, start + 2)
    first, last = neutral.original(3, 6)
    assert text[first:last] == "欧阳某某与钱某甲"
    assert neutral.original(0, len(neutral.text)) == (0, len(text))


def test_a_name_found_in_one_section_is_replaced_in_all() -> None:
    sections = {"fact": "被告人王小明翻墙。", "reasoning": "王小明认罪，李四五谅解。"}
    document = Document("1", sections, title="王小明盗窃案", defendants=(Defendant("李四五"),))
    neutral = neutral_document(document, "zh")
    assert dict(neutral.sections) == {"fact": "被告人某翻墙。", "reasoning": "某认罪，某谅解。"}
    assert neutral.title == "某盗窃案"


def test_statutory_articles_stay_as_they_are() -> None:
    article = Document("1", {"text": "被告人王小明"}, node="刑法/264")
    assert neutral_document(article, "zh") is article
