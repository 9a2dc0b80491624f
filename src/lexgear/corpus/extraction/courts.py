"""Extraction of court, court level, region, date and case number."""

from __future__ import annotations

import re
from datetime import date as calendar_date

from lexgear.law.numerals import chinese_number

_SIGNS = (
    "京北京 津天津 冀河北 晋山西 内内蒙古 辽辽宁 吉吉林 黑黑龙江 沪上海 苏江苏 浙浙江 "
    "皖安徽 闽福建 赣江西 鲁山东 豫河南 鄂湖北 湘湖南 粤广东 桂广西 琼海南 渝重庆 "
    "川四川 黔贵州 云云南 藏西藏 陕陕西 甘甘肃 青青海 宁宁夏 新新疆 兵新疆"
)
_BY_SIGN = {entry[0]: entry[1:] for entry in _SIGNS.split()}
# 0.8% of 9,088 courts omit their province; most of these are in a large city.
_CITIES = (
    "河北:石家庄 唐山 保定 邯郸;山西:太原 大同;内蒙古:呼和浩特 包头 赤峰 鄂尔多斯 达拉特;"
    "辽宁:沈阳 大连 鞍山 盘锦;吉林:长春;黑龙江:哈尔滨 齐齐哈尔 大庆 七台河;"
    "江苏:南京 无锡 徐州 常州 苏州 南通;浙江:杭州 宁波 温州 嘉兴 绍兴 金华;安徽:合肥 芜湖;"
    "福建:福州 厦门 泉州 漳州;江西:南昌 九江 赣州;山东:济南 青岛 淄博 烟台 潍坊;"
    "河南:郑州 开封 洛阳 安阳 新乡 南阳;湖北:武汉 黄石 宜昌 襄阳;湖南:长沙 株洲 湘潭 衡阳;"
    "广东:广州 深圳 珠海 汕头 佛山 东莞 中山 河源 湛江;广西:南宁 柳州 桂林;海南:海口 三亚;"
    "四川:成都 绵阳 德阳;贵州:贵阳 遵义;云南:昆明 大理;西藏:拉萨;陕西:西安 宝鸡 延安;"
    "甘肃:兰州;青海:西宁;宁夏:银川;新疆:乌鲁木齐 昌吉"
)
_BY_CITY = {
    city: region for region, cities in (entry.split(":") for entry in _CITIES.split(";")) for city in cities.split()
}
_REGION = re.compile("|".join(sorted(set(_BY_SIGN.values()))))
_CITY = re.compile("|".join(_BY_CITY))

_HEAD = 800
_HEAD_END = re.compile("公诉机关|公诉人|抗诉机关|自诉人|被告人|上诉人")
_KIND = "人民|铁路运输|铁路运输中级|铁路运输基层|军事|海事|知识产权|互联网|农垦|农垦中级|林区基层|林区中级|林业|油田"
_COURT = re.compile(rf"[^\s，。：:；、（）()《》〉0-9书]{{0,30}}(?:{_KIND})法院")
_SPECIAL = re.compile(
    "(?:铁路运输|军事|海事|知识产权|互联网|农垦|林区|林业|油田)(?:中级|基层)?(?:法院|人民法院)(?<!林区人民法院)$"
)
_GAP = r"\s{0,20}"
_OPENING, _CLOSING = r"[（(〔\[［【]", r"[）)〕\]］】]"
_NUMBER = re.compile(
    rf"{_OPENING}?{_GAP}((?:19|2[0O])[0-9O]{{2}}){_GAP}{_CLOSING}?{_GAP}((?:[^\s，。；：年（）()]|（[^\s（）]{{1,4}}）){{2,30}}?号)"
)
_NUMERALS = "〇○ΟO0０Ｏo零一二三四五六七八九１-９1-9"
_DATE = (
    rf"([一二1-2１２][{_NUMERALS}]{{3}}){_GAP}年{_GAP}([{_NUMERALS}十元]{{1,3}}){_GAP}月"
    rf"{_GAP}([{_NUMERALS}十]{{1,3}}){_GAP}日"
)
_SIGNED = re.compile(
    rf"(?:审判长|审判员|陪审员)[^。；]{{1,80}}?{_DATE}|{_DATE}{_GAP}(?:代理?|见习)?(?:书记员|法官助理)"
)


def read_court(full: str) -> str:
    """Return the deciding court from the head of the judgment; empty if not found."""
    for match in _COURT.finditer(_head(full)):
        name = re.sub("^.*(?:判决书|裁定书|中华人民共和国)", "", match[0])
        if len(name) >= 6:
            return name
    return ""


def court_level(court: str) -> str:
    """Return `supreme`, `high`, `intermediate`, `basic` or `special`; empty if the court is unknown.

    >>> court_level("江西省南昌市中级人民法院")
    'intermediate'
    """
    if not court:
        return ""
    if "最高人民法院" in court:
        return "supreme"
    if _SPECIAL.search(court):
        return "special"
    return "high" if "高级" in court else "intermediate" if "中级" in court else "basic"


def read_number(full: str) -> str:
    """Return the case number in the head of the judgment, with its brackets as （）."""
    for match in _NUMBER.finditer(_head(full)):
        if re.search("[刑民执行再监申邢]", match[2]):
            return f"（{match[1].replace('O', '0')}）{match[2]}"
    return ""


def read_region(court: str, number: str, verdict: str) -> str:
    """Return the province-level region, from the court, the case number or the court of appeal.

    >>> read_region("海丰县人民法院", "（2016）粤1521刑初263号", "")
    '广东'
    """
    if court.startswith("最高人民法院"):
        return ""
    if named := _REGION.match(court):
        return named[0]
    # 粤1521, 沪一中, 鲁高; 新刑初 may be any county whose name begins with 新
    if (sign := number[6:7]) in _BY_SIGN and re.match("[0-9]{2}|[高一二三四五]", number[7:]):
        return _BY_SIGN[sign]
    for appeal in _COURT.finditer(verdict):
        if named := _REGION.search(appeal[0]):
            return named[0]
    city = _CITY.match(court)
    return _BY_CITY[city[0]] if city else ""


def read_date(text: str) -> str:
    """Return the date of the signature, next to the names of the judges, as `YYYY-MM-DD`.

    >>> read_date("审判长甲某 二〇一八年六月十二日 书记员乙某")
    '2018-06-12'
    """
    for match in reversed(list(_SIGNED.finditer(text))):
        year, month, day = (_count(part) for part in match.groups() if part)
        try:
            return calendar_date(year, month, day).isoformat()
        except ValueError:
            continue
    return ""


def _head(full: str) -> str:
    head = full[:_HEAD]
    end = _HEAD_END.search(head, 30)  # a title that names the parties may come first
    return head[: end.start()] if end else head


def _count(written: str) -> int:
    return chinese_number(re.sub("[ΟＯo]", "0", written).replace("元", "一"))
