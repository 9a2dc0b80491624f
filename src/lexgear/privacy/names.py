"""Detection of person names in Chinese texts: after roles such as 被告人, 被害人, 证人, and in titles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial

from lexgear.corpus.extraction.parties import ROLE, split_names
from lexgear.law.charges import shipped_charges

_COMPOUND = (
    "欧阳 上官 司马 诸葛 司徒 皇甫 夏侯 东方 尉迟 公孙 慕容 令狐 长孙 宇文 端木 百里 东郭 南宫 "
    "呼延 闻人 独孤 轩辕 淳于 单于 太史 申屠 公羊 澹台 钟离 完颜 拓跋 第五 赫连"
)
_SINGLE = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳"
    "酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊"
    "纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯昝管卢莫房裘缪干解应宗丁贲邓郁单"
    "杭洪包诸左石崔吉钮龚程嵇邢滑裴陆荣翁荀羊惠甄曲家封芮羿储靳汲邴糜松井段富巫乌焦巴弓牧隗山谷车侯宓蓬全郗班秋仲伊宫宁仇"
    "栾暴甘厉戎祖武符刘景詹龙叶幸司韶郜黎蓟薄印宿白怀蒲邰从鄂索咸籍赖卓蔺屠蒙池乔阴胥苍双闻莘党翟谭贡劳逄姬申冉宰郦雍"
    "璩桑桂濮牛寿边扈燕冀郏浦尚农温庄晏柴瞿阎慕连茹习宦艾鱼容向古易慎戈廖庾暨衡步耿弘匡国文寇广禄阙东殴殳沃蔚"
    "夔师巩厍聂晁勾敖融冷訾辛阚那简饶曾毋沙乜鞠丰巢关蒯查荆红游竺权逯盖桓岳帅缑亢况琴商牟佘佴伯墨哈谯笪"
    "阳佟肖闫付代覃兰苑仝邸揭禤粟涂亓迟展初原候户苟矫隋佀撒拉缐芦盘邝朴楚门虎"
)
_AMBIGUOUS = frozenset(
    "应曾于从向时连全方和常家强单许成容管那钱万明师代原初展平安元国文广东双支皮尚查商权索户拉阴左暨戴花"
)
"""Surnames that often begin a common word (应当, 曾因, 向他人): for these a tagger has to confirm the name."""
_SURNAME = f"(?:{'|'.join(_COMPOUND.split())}|[{_SINGLE}])"
_HAN = "[\u3400-\u4dbf\u4e00-\u9fff]"
_ROLE = (
    rf"(?:{ROLE}|被害人|受害人|证人|自诉人|(?:附带民事诉讼)?原告人?|(?:犯罪)?嫌疑人|同案(?:人|犯|被告人)|同伙|死者|伤者|"
    r"法定代理人|第三人|被执行人|申请执行人|伙同|又名|曾用名|别名)"
)
_AT_ROLE = re.compile(rf"{_ROLE}(?:（[^（）]{{0,12}}）)?[“\"：:\s]?")
_BEFORE_SEX = re.compile(rf"(?<!{_HAN})({_SURNAME}{_HAN}{{1,2}})(?=[，,（(]\s*[男女][，,性。；）)])")
_PERSON = re.compile(rf"({_SURNAME})({_HAN}{{1,2}})")
_WITH_DOT = re.compile(rf"{_HAN}{{1,10}}(?:[·•．]({_HAN}{{1,10}}))+")
_AND = re.compile(r"\s*[、，,和与及]\s*")
_MASKED = re.compile(rf"{_HAN}{{0,2}}[某×xX*＊ＸA-Za-z0-9甲乙丙丁][某×xX*＊Ｘ甲乙丙丁戊己庚辛0-9０-９A-Za-z]*")
_INSTITUTION = re.compile(
    "[公厂店社院局所会部站校区县省府团委矿场馆行处](?:司)?$|中心|公司|学校|银行|企业|医院|集团|委员"
)
_ENDS_NAME = frozenset("犯与和及于在因的系对将为等向至到以把被从均未已曾还又经持并伙称供不是有也提辩驾窜趁采之其")
"""Characters that often follow a name and are seldom its last character."""
_ENDS_DOTTED = frozenset("犯与和及于在因的系对将等")
_RARE_END, _MIN_MENTIONS = 0.15, 3
_AHEAD = 10
"""Number of characters from the beginning of a name that the tagger sees."""
_EVIDENCE = 50_000
"""Number of characters searched for other mentions of a name: three times the longest judgment of LeCaRD's sample."""
_NO_NAMES = frozenset({"陈述", "陈诉", "钱财", "从宽", "花卉", "支付"})
"""Words that the tagger mistakes for persons."""


def is_masked(name: str) -> bool:
    """Return whether a name is already masked: 张某, 李某某, 王×, 陈AA."""
    return _MASKED.search(name) is not None and not name.isascii()


def is_institution(name: str) -> bool:
    """Return whether a party is a company or an office rather than a person."""
    return len(name) > 3 and _INSTITUTION.search(name) is not None


def surname(name: str) -> str:
    """Return the surname that a name begins with, or its first character.

    >>> surname("欧阳明"), surname("王强"), surname("买吾拉·麦麦提")
    ('欧阳', '王', '买')
    """
    known = re.match(_SURNAME, name)
    return known[0] if known and len(known[0]) < len(name) else name[:1]


def filter_persons(known: Iterable[str], texts: Sequence[str]) -> tuple[str, ...]:
    """Return the parties known to an index that are persons with an unmasked name; extraction may have erred."""
    whole = "\n".join(texts)
    return tuple(dict.fromkeys(name for name in known if _is_person(name, whole)))


def _is_person(name: str, whole: str) -> bool:
    if len(name) < 2 or is_masked(name) or is_institution(name):
        return False
    if not re.fullmatch(f"{_HAN}+", name):
        return _WITH_DOT.fullmatch(name) is not None
    return (
        _PERSON.fullmatch(name) is not None
        or re.search(f"{_ROLE}(?:（[^（）]*）)?{re.escape(name)}", whole) is not None
    )


def find_names(texts: Sequence[str], title: str = "") -> tuple[str, ...]:
    """Return the unmasked names where a judgment names a person, in the order of the texts.

    >>> find_names(["被告人李明辉、王强于夜间翻墙，被害人陈某报案。李明辉供述。"])
    ('李明辉', '王强')
    """
    name_at = cache(partial(_name_ahead, whole="\n".join(texts)[:_EVIDENCE]))
    found = dict.fromkeys(find_title_names(title))
    for text in texts:
        for role in _AT_ROLE.finditer(text):
            found.update(dict.fromkeys(_names_from(text, role.end(), name_at)))
        found.update((match[1], None) for match in _BEFORE_SEX.finditer(text))
    return tuple(name for name in found if not is_masked(name) and not is_institution(name))


def find_title_names(title: str) -> Iterator[str]:
    """Yield the names that a title begins with, before its charge: 张三、李四盗窃一审刑事判决书."""
    charge = next(iter(shipped_charges().find(title, bare=True)), None)
    if charge is not None:
        for name in split_names(re.split("犯|涉嫌|被控|等", title[: charge.start])[0]):
            if _PERSON.fullmatch(name):
                yield name


def _names_from(text: str, start: int, name_at: Callable[[str], str]) -> Iterator[str]:
    """Yield the names of the list that begins at `start`."""
    while True:
        if masked := _MASKED.match(text, start):
            end = masked.end()
        elif dotted := _WITH_DOT.match(text, start):
            end = _end_of_dotted(text, dotted.start(1), dotted.end())
            yield text[start:end]
        elif name := name_at(text[start : start + _AHEAD]):
            yield name
            end = start + len(name)
        else:
            return
        if not (joint := _AND.match(text, end)):
            return
        start = joint.end()


def _end_of_dotted(text: str, start: int, end: int) -> int:
    """Return the end of a dotted name such as 买吾拉·麦麦提, whose last part begins at `start`."""
    for place in range(start + 2, end):
        if text[place] in _ENDS_DOTTED or _begins_word(text[place : place + _AHEAD]):
            return place
    return end


def _name_ahead(ahead: str, whole: str) -> str:
    """Return the person name that a piece of text begins with; empty if there is none."""
    match = _PERSON.match(ahead)
    if match is None or match[0][:2] in _NO_NAMES:
        return ""
    long = match[0]
    short = long[: len(match[1]) + 1]
    tagged = _tagged_person(ahead)
    if (long[0] in _AMBIGUOUS and tagged not in {short, long}) or _begins_word(ahead, longer_than=len(match[1])):
        return ""
    if long == short or whole.count(long) == whole.count(short) >= _MIN_MENTIONS:
        return long
    ends_short, ends_long = _end_share(short, whole), _end_share(long, whole)
    if ends_short != ends_long:
        often = 2 * whole.count(long) >= whole.count(short) or ends_short < _RARE_END
        return long if ends_long > ends_short and often else short
    return _choose_length(ahead, short, long, tagged)


def _choose_length(ahead: str, short: str, long: str, tagged: str) -> str:
    """Choose between two lengths of a name by the tagger's segmentation, if the rest of the text does not decide."""
    if tagged in {short, long}:
        return tagged
    return short if _begins_word(ahead[len(short) :]) else long


def _end_share(name: str, whole: str) -> float:
    """Return the share of the occurrences of these characters that are followed as names are."""
    after = [whole[at + len(name) : at + len(name) + 1] for at in _occurrences(name, whole)]
    return sum(sign in _ENDS_NAME or not re.match(_HAN, sign) for sign in after) / max(len(after), 1)


def _tagged_person(text: str) -> str:
    """Return the person that a text begins with according to the tagger; empty if there is none."""
    import rjieba

    tagged = rjieba.tag(text)
    return tagged[0][0] if tagged and tagged[0][1].startswith("nr") else ""


def _begins_word(text: str, longer_than: int = 1) -> bool:
    """Return whether a text begins with a dictionary word that is not a name."""
    import rjieba

    tagged = rjieba.tag(text, False)
    return bool(tagged) and len(tagged[0][0]) > longer_than and not tagged[0][1].startswith("nr")


def _occurrences(part: str, whole: str) -> Iterator[int]:
    at = whole.find(part)
    while at >= 0:
        yield at
        at = whole.find(part, at + len(part))
