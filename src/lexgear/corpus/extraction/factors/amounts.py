"""Amounts of money that concern the offence: 价值人民币3.5万元, 共计61000元, 二十万元."""

from __future__ import annotations

import re

from lexgear.corpus.extraction.factors.factor import Factor
from lexgear.corpus.extraction.factors.passages import Passages
from lexgear.law.numerals import chinese_number

_NUMBER = re.compile(
    r"(?:([0-9０-９][0-9０-９,，.．]*)\s*[余多]?(亿|千万|百万|十万|万|千|百)?"
    r"|([一二三四五六七八九十百千万亿零两壹贰叁肆伍陆柒捌玖拾佰仟]{2,20}))[余多]?$"
)
"""Number before 元: reading backwards from the sign takes a fifth of the time of a search for all numbers."""
_LONGEST_NUMBER = 30
_YUAN = re.compile("元(?!／|/|钱以|以[上下]|股)")
_OTHER = re.compile(
    r"罚金|罚款|垫付|扬言|悬赏|赔偿|抚慰金|丧葬|医疗费|医药费|误工|护理费|营养费|伙食|交通费|鉴定费|生活费|扶养|抚养费|保险|诉讼费|保证金|谅解|工资|月薪|注册资本|退赃|退赔|退缴|退还|退出|预交|缴纳"
    r"|补偿|调解(?!为名|为由)|没收|附带民事|诉讼请求|以上项目|被扶养|住院|数额较大|起点|标准|每[克吨斤公次天月人]|借款本金|归还"
)
_CIVIL = re.compile("赔偿|误工费|医疗费|医药费|护理费|营养费|伙食补助|抚慰金|丧葬费|因受伤|各项(?:经济)?损失|判令")
_SUM = re.compile("(?:以上|上述)?[^，。；]{0,6}(?:共计|合计|总计)")
_OFFENCE = re.compile(
    r"价值|共计|合计|总计|累计|总额|金额|数额|骗|盗|窃|抢|劫|贪|贿|受|送|侵占|挪用|销售|出售|贩卖|卖|购|获利|赃|损失|损毁|毁|索|敲诈|勒索|要|现金|款|收取|非法|违法所得|赌|抽头|存款|吸收|透支|逃税|税|走私"
    r"|欠|价|得|给|付|转"
)
_TOTAL = re.compile(r"共计|合计|总计|累计|总价值|总额|总金额|共价值|共[^，。；]{0,4}$|数额|金额|价值")
_UNITS = {"亿": 100_000_000, "千万": 10_000_000, "百万": 1_000_000, "十万": 100_000}
_UNITS |= {"万": 10_000, "千": 1_000, "百": 100}
_WIDE = str.maketrans("０１２３４５６７８９．", "0123456789.", ",，")


def amounts(section: str, passage: Passages) -> list[Factor]:
    """Return the total amount of the offence that a section states, or its largest amount; at most one factor."""
    text = passage.stated
    best: tuple[bool, float, int, int] | None = None
    end = 0
    for sign in _YUAN.finditer(text):
        match = _NUMBER.search(text, max(end, sign.start() - _LONGEST_NUMBER), sign.start())
        end = sign.end()
        yuan = match and _yuan(match)
        if not match or not yuan:
            continue
        first = max(text.rfind(sign, 0, match.start()) for sign in "。；") + 1
        clause = text[max(first, text.rfind("，", 0, match.start()) + 1, match.start() - 40) : match.start()]
        after = re.split("[，。；]", text[end : end + 10])[0]
        if _OTHER.search(clause) or re.match(r"的?(?:罚金|罚款|赔偿|保证金|补偿|谅解)|[^，。；]{0,6}雇[佣请用]", after):
            continue
        if _CIVIL.search(text, max(0 if _SUM.match(clause) else first, match.start() - 120), match.start()):
            continue
        if not _OFFENCE.search(text, max(first, match.start() - 60), min(len(text), end + 12)):
            continue
        candidate = (_TOTAL.search(clause) is not None, yuan, match.start(), end)
        best = max(best, candidate) if best else candidate
    return [Factor("amount", section, best[2], best[3], best[1])] if best else []


def _yuan(match: re.Match[str]) -> float | None:
    figures, unit, numerals = match.groups()
    try:
        if numerals:
            return float(chinese_number(numerals))
        if match.string[match.start() - 1 : match.start()] == "某":  # 李某16.1万元: 6.1万元 of 李某1
            figures = figures[1:]
        return round(float(figures.translate(_WIDE).strip(".")) * _UNITS.get(unit or "", 1), 2)
    except ValueError:
        return None
