"""Detection of persons whom a Chinese text names without their full name: 赵某, 钱某甲, 王1某, 李×, 甲.

No decision depends on which surname stands before 某: a character is taken as the surname unless it is one that is
never a surname.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lexgear.corpus.extraction.factors.anchors import beginnings, matches_at
from lexgear.privacy.name_matching import Mention, NameMatcher
from lexgear.privacy.surnames import COMPOUND_SURNAMES, HAN, NEVER_SURNAMES, SINGLE_SURNAMES, SURNAME

_STEMS = "甲乙丙丁戊己庚辛壬癸"
_STEMS_ALONE = _STEMS.replace("丁", "")
_SUBSTANCE = "基苯醇醛酸酯酮胺烯烷炔酰氧硫醚烃钠钾腈酚"
_NO_LETTER = f"{_SUBSTANCE}肝级方型类状壳板骨鱼沟床子午亥"
"""Characters after 甲 or 乙 that make a word of it: 甲基苯丙胺, 乙醇, 甲方."""
_GIVEN = (
    "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚英华玉兰鹏飞波斌辉宇浩凯健俊帆帅旭林峰龙兴云海文国宝春红梅琴燕玲萍雪莹倩婷丹慧娥"
    "凤莲香珍珠美秀良才德贵荣福根江阳晨晶鑫森淼彬彪武雄豪威虎义仁智忠伦昌盛祥瑞庆喜康宁泰翔翰毅恒永顺洁雅琳琪瑶瑾瑜璐莉莎菲蕾"
    "薇芬芝芹苗菊萌蓉琼珊娇妍妮媛延奎奋银缘儒生锋渊"
)
"""Last characters of given names: 陈某杰."""
_NOT_BARE = f"0123456789０１２３４５６７８９ABCDEFGHIJKLMNOPQRSTUVWXYZ{_GIVEN}"
"""Characters that belong to a name only after a surname."""
_WITHIN = f"{_STEMS_ALONE}{''.join(sorted(set(_GIVEN) - SINGLE_SURNAMES))}建学志小大阿一二三四五六七八九十"
"""Characters between a surname and what hides the rest of a name: 李甲某, 陈建某, 汪二×."""
_NO_GIVEN = "和与及从向家址处地段参涉波车房钱款货酒店厂方侧身脸腿胸腹背脚嘴眼耳肩颈"
"""Characters that often follow 赵某 before a comma and are part of no name, as those that are never a surname."""
_MARK = re.compile(
    rf"某{{1,3}}(?:[{_STEMS}](?![{_SUBSTANCE}])|[0-9０-９]{{1,2}}(?![0-9０-９.．,%年月日时点分元万千百余多次个名人岁克米号楼室])"
    rf"|[A-Z](?![A-Za-z0-9座栋区])|[{_GIVEN}](?=[的与和及等犯、，,。；：（）(]))?"
)
_TIME = re.compile("日(?![前常后])|月(?!薪)|年(?![满龄幼纪约仅])|天|晚(?![上饭间])|夜(?![间里])|时[许间段]|罪")
"""Words after 某 that no person precedes: 某日, 某罪."""
_BUSINESS = (
    "有限|股份|国际|贸易|商贸|投资|房地产|置业|实业|进出口|科技|信息|网络|电子|数码|文化|传媒|咨询|担保|小额贷款|物流|运输|汽车|"
    "建材|建筑|装饰|工程|钢材|矿业|农业|村镇|服装|塑料|食品|化工|机械|电器|家具|珠宝|手机|医药|保健|美容|足疗|休闲|电玩|餐饮|便利|快捷"
)
_PLACE = re.compile(
    f"(?:{_BUSINESS}).{{0,6}}(?:公司|集团|中心|银行|支行|酒店|宾馆|厂|店)|"
    "公司|集团|银行|支行|信用社|合作社|协会|工厂|[厂店]|工地|单位|部门|部队|机关|法院|检察院|派出所|公安|"
    "(?:教育|税务|工商|财政|国土|林业|水利|民政|卫生|城管|交通)?局|宾馆|酒店|饭店|酒[吧楼]|餐[厅馆]|茶楼|会所|网[吧站]|平台|论坛|群(?!殴)|"
    "超市|商[场店城行]|市场|小区|花园|广场|公园|大厦|楼|室|号(?!称)|栋|幢|学校|[小中大]学|学院|医院|诊所|品牌|项目|KTV|"
    "个(?!人)|些|种(?!植)|类|项|周(?![围末边转])|[市县镇乡村街巷省州国](?!场)|区(?!别)|路(?![过经上边])|地(?!下)"
)
"""Words after 某 that make it an adjective: 某公司, 某小区."""
_HIDDEN = re.compile(
    rf"(?:(?<!{HAN})|(?<=[人与和向从将被对给由让致及把经见同叫找骗]))(?<![0-9])(?![路门])({SURNAME}[{_WITHIN}]?(?:[×＊*]{{1,2}}|[xXＸ]{{1,2}}))"
    rf"(?:[{_STEMS}]|[0-9]{{1,2}}(?![0-9])|[{_GIVEN}])?(?![×＊*xXＸA-Za-z0-9罪元年月日号室市区县路村镇街至以追])(?!公司)"
)
_HIDING = re.compile("[×＊*xXＸ]")
_LETTER = re.compile(
    rf"(?<![{_STEMS}{HAN[1:-1]}])[{_STEMS}](?![{_NO_LETTER}{_STEMS}某])"
    rf"|(?<=[人与和将被对向给由让致从及把])[{_STEMS}](?![{_NO_LETTER}{_STEMS}某{_GIVEN}])"
)
_STEM = re.compile(f"[{_STEMS}]")
_OFTEN_WORDS = frozenset("和从向于应")
"""Surnames that are mostly prepositions, conjunctions or verbs."""
_SURNAME_AND_STEM = re.compile(
    rf"(?:(?<!{HAN})|(?<=[人与和将被对给由让致从及把见同叫]))(?![{''.join(sorted(_OFTEN_WORDS))}])({SURNAME})([{_STEMS}])(?![{_NO_LETTER}{_STEMS}某])"
)
_SURNAME_AHEAD = re.compile(SURNAME)
_BEFORE_NAME = frozenset("人与和将被对给由让致从及把向同叫到在找儿子夫妻友弟妹哥姐")
_ENDS_GIVEN = frozenset("、，,。；：（）()的和犯")
_PREPOSITIONS = frozenset(f"{one}于" for one in "关由对基鉴位至属终敢")
_BEFORE_PERSONS = frozenset({"由于", "对于"})
"""Prepositions, or a preposition before the surname 于: 由于某出具."""
_ONE_HAN = re.compile(HAN)
_BEGINS_TIME, _BEGINS_PLACE = (frozenset(word[0] for word in beginnings(one.pattern)) for one in (_TIME, _PLACE))
_BEFORE_PERSON = frozenset("人给与将对由让打找叫被友把跟致骗")
_ROLE_WITH_LETTER = re.compile(rf"[告害证伤]人[{_STEMS}](?![{_NO_LETTER}{_STEMS}])")


class _Marked(NamedTuple):
    """An occurrence of 某 with what belongs to it: a surname, repetitions, a number."""

    surname: str
    start: int
    end: int
    bare: bool
    """True if no surname precedes it."""
    alone: bool
    """True if a person seems to be called just 某."""
    adjective: bool
    """True if a time, a place or an institution follows: a person only if others have this surname."""


def find_anonymised(text: str) -> Iterator[Mention]:
    """Yield the anonymised persons of a text, in no particular order.

    >>> text = "被告人赵某甲在某小区将钱某打伤，欧阳某某报警。"
    >>> [text[start:end] for start, end in find_anonymised(text)]
    ['赵某甲', '钱某', '欧阳某某']
    """
    if "某" in text:
        yield from _find_marked(text)
    if hidden := {match[0] for match in _hidden(text)}:
        yield from NameMatcher(sorted(hidden)).find(text)
    if stemmed := set(_stemmed(text)):
        yield from NameMatcher(sorted(stemmed)).find(text)
    has_role = _ROLE_WITH_LETTER.search(text) is not None
    if has_role or ("甲" in text and "乙" in text):
        letters = list(_letters(text))
        if has_role or {"甲", "乙"} <= {match[0] for match in letters}:
            yield from (Mention(*match.span()) for match in letters)


def _hidden(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of `_HIDDEN`."""
    before = {max(sign.start() - length, 0) for sign in _HIDING.finditer(text) for length in (1, 2, 3)}
    return matches_at(_HIDDEN, text, sorted(before))


def _stemmed(text: str) -> Iterator[str]:
    """Yield the names of persons that a text tells apart by stems after a surname: 姚甲, 姚乙."""
    before = {max(stem.start() - length, 0) for stem in _STEM.finditer(text) for length in (1, 2)}
    found = [(match[1], match[0]) for match in matches_at(_SURNAME_AND_STEM, text, sorted(before))]
    stems = Counter(surname for surname, _ in dict.fromkeys(found))
    return (name for surname, name in found if stems[surname] > 1)


def _letters(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of `_LETTER`."""
    return matches_at(_LETTER, text, (stem.start() for stem in _STEM.finditer(text)))


def _find_marked(text: str) -> Iterator[Mention]:
    marked = [one for match in _MARK.finditer(text) if (one := _marked(text, match)) is not None]
    marked = list(_with_given_names(text, marked))
    persons = [one for one in marked if not one.adjective]
    named = {one.surname for one in persons if not one.bare}
    if (alone := sum(one.alone for one in persons)) and alone >= sum(not one.bare for one in persons):
        named = set()  # the text calls its persons just 某
    for one in marked:
        if one.surname in named or (one.bare and not one.adjective and one.end - one.start > 1):
            yield Mention(one.start, one.end)


def _with_given_names(text: str, marked: Sequence[_Marked]) -> Iterator[_Marked]:
    """Yield the occurrences, with the last character of a given name (陈某坤) if a text shows that it is one.

    The character stands there twice or more before a sign or word that ends a name, and seldom before others.
    """
    counts, ends = Counter[str](), Counter[str]()
    for one in marked:
        named = text[one.start : one.end + 1]
        if not one.bare and one.end - one.start == len(one.surname) + 1 and _ONE_HAN.match(named[-1:]):
            counts[named] += 1
            ends[named] += text[one.end + 1 : one.end + 2] in _ENDS_GIVEN
    for one in marked:
        named = text[one.start : one.end + 1]
        given = 1 < ends[named] >= 0.3 * counts[named] and named[-1] not in NEVER_SURNAMES | set(_NO_GIVEN)
        yield one._replace(end=one.end + 1, adjective=False) if given else one


def _marked(text: str, match: re.Match[str]) -> _Marked | None:
    start, end = match.span()
    after = text[end : end + 1]
    is_time = after in _BEGINS_TIME and _TIME.match(text, end) is not None
    surname_end = start
    while surname_end and text[surname_end - 1].isdigit() and start - surname_end < 2:
        surname_end -= 1  # 王1某
    surname = text[max(0, surname_end - 2) : surname_end]
    if (whole := _hides_last(text, surname_end)) is not None:
        surname, surname_end = whole, surname_end - 1
    elif surname not in COMPOUND_SURNAMES:
        surname = surname[-1:]
    adjective = is_time or (after in _BEGINS_PLACE and _PLACE.match(text, end) is not None)
    two = text[start - 2 : start]
    ambiguous = two in _BEFORE_PERSONS
    preposition = two in _PREPOSITIONS and not (ambiguous and not adjective)
    bare = surname in NEVER_SURNAMES or not _ONE_HAN.match(surname) or preposition
    before = text[surname_end - len(surname) - 1 : surname_end - len(surname)]
    if is_time and (bare or after == "罪" or (before not in _BEFORE_NAME and _ONE_HAN.match(before))):
        return None
    if bare:
        end = start + len(match[0].rstrip(_NOT_BARE))
        alone = end - start == 1 and (surname in _BEFORE_PERSON or not surname.isalnum())
        return _Marked("", start, end, True, alone, adjective)
    return _Marked(surname, surname_end - len(surname), end, False, False, adjective or ambiguous)


def _hides_last(text: str, end: int) -> str | None:
    """Return the surname of a name that ends here with the first character of a given name: 李甲 of 李甲某."""
    for length in (1, 2):
        start = end - 1 - length
        if start < 0 or text[end - 1] not in _WITHIN:
            return None
        ahead = _SURNAME_AHEAD.match(text, start, end - 1)
        before = text[start - 1 : start] if start else ""
        certain = text[end - 1] in _STEMS_ALONE and ahead and ahead[0] not in _OFTEN_WORDS
        if ahead and ahead.end() == end - 1 and (certain or before in _BEFORE_NAME or not _ONE_HAN.match(before)):
            return ahead[0]
    return None
