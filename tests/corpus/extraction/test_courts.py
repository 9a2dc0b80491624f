import pytest

from lexgear.corpus.extraction import courts

HEAD = "江西省南昌市青山湖区人民法院 刑 事 判 决 书 （2018）赣0199刑初8071号 公诉机关南昌市青山湖区人民检察院。"


def test_court_and_number_are_read_from_the_head() -> None:
    assert courts.read_court(HEAD) == "江西省南昌市青山湖区人民法院"
    assert courts.read_number(HEAD) == "（2018）赣0199刑初8071号"


def test_a_title_before_the_head_is_not_part_of_the_court() -> None:
    assert courts.read_court("白木盗窃一审刑事判决书 " + HEAD) == "江西省南昌市青山湖区人民法院"


def test_a_court_that_only_convicted_somebody_earlier_is_not_the_court() -> None:
    assert courts.read_court("公诉机关某县人民检察院。" + "。" * 30 + "被告人白木曾被乙县人民法院判处拘役。") == ""


@pytest.mark.parametrize(
    ("court", "level"),
    [
        ("中华人民共和国最高人民法院", "supreme"),
        ("湖南省高级人民法院", "high"),
        ("北京市第一中级人民法院", "intermediate"),
        ("陕西省西安市碑林区人民法院", "basic"),
        ("武汉铁路运输中级法院", "special"),
        ("吉林省敦化林区基层法院", "special"),
        ("", ""),
    ],
)
def test_levels(court: str, level: str) -> None:
    assert courts.court_level(court) == level


@pytest.mark.parametrize(
    ("court", "number", "verdict", "region"),
    [
        ("内蒙古自治区包头市昆都仑区人民法院", "", "", "内蒙古"),
        ("海丰县人民法院", "（2016）粤1521刑初9063号", "", "广东"),
        ("某院", "（2013）沪一中刑终字第12号", "", "上海"),
        ("新县人民法院", "（2012）新刑初字第3号", "", ""),
        ("烈山区人民法院", "（2014）烈刑初字第48号", "直接向安徽省淮北市中级人民法院提出上诉", "安徽"),
        ("深圳市罗湖区人民法院", "（2015）深罗法刑一初字第1号", "", "广东"),
        ("最高人民法院", "（2016）最高法刑再2号", "", ""),
    ],
)
def test_regions_from_court_number_appeal_or_city(court: str, number: str, verdict: str, region: str) -> None:
    assert courts.read_region(court, number, verdict) == region


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("审判长甲 人民陪审员乙 二〇一八年六月十二日 书记员丙 附：相关法律条文", "2018-06-12"),
        ("审判员甲 二○一七年十一月三十日 书记员丙", "2017-11-30"),
        ("审判员甲 二O一一年九月一日 代书记员丙", "2011-09-01"),
        ("审判员甲 2019年3月5日 书记员丙", "2019-03-05"),
        ("审判员甲 二〇一六年十月二八日 书记员丙", "2016-10-28"),
        ("二〇一五年二月三十日 书记员丙", ""),
        ("被告人于二〇一五年二月三日被逮捕。", ""),
    ],
)
def test_the_date_under_the_judgment(text: str, date: str) -> None:
    assert courts.read_date(text) == date
