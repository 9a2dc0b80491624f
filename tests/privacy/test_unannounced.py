"""Names that nothing announces are replaced, whichever they are."""

import json
import lzma
from itertools import islice, pairwise

import pytest

from lexgear.privacy.neutral import neutralise
from shared_data import SHARED, needs_shared

NAMES = ("李建国", "向东升", "高志强", "黄晓明", "石丽军", "关云飞", "欧阳振华", "孙秀英", "时春燕", "方海涛", "马永红")
TOLD = (
    "昨天晚上{0}拿刀闯进我家，把我爸砍伤了，{0}现在还没被抓。",
    "我和{0}是2015年结婚的，婚后{0}经常打我。",
    "村主任{0}把征地补偿款装进自己腰包了，大家都很气愤。",
    "有个叫{0}的人加我微信，说投资稳赚不赔，房子是{1}的。",
    "{0}因为琐事与{1}发生口角，{0}一拳打在{1}眼睛上。",
    "网友{0}约我见面，趁我喝醉拿走了我的手机。",
    "原告{0}诉称，其与被告{1}于2010年登记结婚。",
    "{0}称，{1}曾向其借款十万元，有借条为证。",
)
SURNAMES = ("王", "赵", "欧阳", "黄", "石", "金", "马", "关", "段", "易")
FORMS = (
    "{0}家村的几个人半夜把我们厂里的电缆偷走卖了。",
    "被告人在其经营的{0}记饭店内摆放赌博机。",
    "{0}氏兄弟在镇上收保护费。",
    "小区保安{0}师傅抓小偷的时候被捅了一刀。",
    "我们班主任{0}老师打了我儿子一巴掌。",
)


@pytest.mark.parametrize("told", TOLD)
def test_other_full_names_give_the_same_text(told: str) -> None:
    texts = [neutralise(told.format(one, other), "zh").text for one, other in pairwise(NAMES)]
    assert set(texts) == {told.format("某", "某")}


@pytest.mark.parametrize("form", FORMS)
def test_other_surnames_of_families_and_titles_give_the_same_text(form: str) -> None:
    assert {neutralise(form.format(surname), "zh").text for surname in SURNAMES} == {form.format("某")}


@pytest.mark.parametrize(
    "form", ["小{0}借了我三万块钱，说好年底还。", "{0}老板拖欠我们十几个工人的工资。", "{0}总让我在假发票上签字。"]
)
def test_surnames_that_are_mostly_prepositions_are_found_where_only_a_person_can_stand(form: str) -> None:
    assert {neutralise(form.format(surname), "zh").text for surname in ("王", "向", "应")} == {form.format("某")}


def test_given_names_alone_are_replaced_once_the_full_name_is_known() -> None:
    told = "我和李{0}是2015年结婚的，婚后{0}经常打我。"
    names = ("建国", "志强", "秀英", "晓燕")
    assert {neutralise(told.format(name), "zh").text for name in names} == {"我和某是2015年结婚的，婚后某经常打我。"}
    assert neutralise("李胜利领着大家庆祝胜利。", "zh").text == "某领着大家庆祝胜利。"


def test_familiar_given_names_keep_what_precedes_them() -> None:
    assert neutralise("我弟弟阿强跟人打架，小芳看见了。", "zh").text == "我弟弟阿某跟人打架，小某看见了。"


def test_nicknames_and_names_of_several_parts_are_replaced() -> None:
    assert neutralise("他外号“大炮”，买买提·艾力也叫他大炮。", "zh").text == "他外号“某”，某也叫他某。"


@pytest.mark.parametrize(
    "text",
    [
        "应当加强安全检查，查明事实，齐全的应予从宽。",
        "他向海洋排放废水，和学生一起从广州出发。",
        "王国的文明，高兴地庆祝，马上付清，方便时才来。",
        "老师在家才说，天亮了雪花飘，红旗和温泉都在山洪里。",
        "从老板处领取，向老师请教，和会计核对。",
        "石家庄市、张家口市、张家界的国家大院。",
    ],
)
def test_words_that_look_like_names_stay(text: str) -> None:
    assert neutralise(text, "zh").text == text


@needs_shared
def test_statutes_hardly_ever_name_a_person() -> None:
    with lzma.open(SHARED / "stard" / "articles.jsonl.xz", "rt", encoding="utf-8") as lines:
        articles = [json.loads(line)["text"] for line in islice(lines, 0, 6_000, 6)]
    changed = [text for text in articles if neutralise(text, "zh").replaced]
    assert len(changed) <= 0.01 * len(articles)
