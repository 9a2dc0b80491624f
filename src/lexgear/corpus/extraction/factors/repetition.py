"""Three or more acts: stated with their number, or listed one by one."""

from __future__ import annotations

import re

from lexgear.corpus.extraction.factors.factor import Factor
from lexgear.corpus.extraction.factors.passages import Passages
from lexgear.law.numerals import chinese_number

_NUMBER = "([三四五六七八九十百]{1,4}|[3-9]|[1-9][0-9]{1,3})"
_TIMES = re.compile(
    rf"(?:先后|分别|共|连续|作案|参与|实施|盗窃|诈骗|抢劫|抢夺|贩卖|贩毒|抓获|行贿|受贿|收受|共计|合计|出售|容留|购买|分)[^，。；0-9]{{0,10}}?{_NUMBER}余?[次起](?!事故|交通)"
)
_COUNTED = re.compile(
    rf"虚开[^，。；]{{0,30}}?{_NUMBER}余?份|{_NUMBER}起(?!诉|交通|事故|纠纷)|{_NUMBER}次(?:容留|贩卖|盗窃|诈骗|强奸|猥亵|抢|收受|送|组织|殴打)"
)
_THIRD = re.compile(
    r"(?:[。；：\s]|^)(?:3|３|三|（三）|\(三\)|（3）|\(3\)|⑶|③|第三[次起笔])[、.．，,：:]?\s*(?:被告人[^，。；]{0,12}(?:于|在)\s*)?(?:(?:20|19)[0-9×xX]{2}年|同年|同月|当日|次日|[0-9]{1,2}月)"
)
_MANY = re.compile(r"多次|数次|屡次|多起|数起|数十[次起]")
_NO_ACT = re.compile(
    r"催|讯问|询问|通知|传唤|劝|供述|协商|报警|报案|劝阻|要求|联系|治疗|住院|通话|电话|前科|受过|曾|辨认|上访|信访|警告|鉴定|手术|到庭|调解|还款|追讨|索要|拨打|讨要|行政|处罚|判|找到|看到"
)
_MINIMUM = 3


def listed_acts(section: str, passage: Passages) -> list[Factor]:
    """Return the places that state or list three or more acts."""
    text = passage.stated
    found = [
        Factor("repeated", section, *match.span())
        for match in _TIMES.finditer(text)
        if chinese_number(match[1]) >= _MINIMUM and not _NO_ACT.search(text, max(0, match.start() - 8), match.end() + 4)
    ]
    found += [
        Factor("repeated", section, *match.span())
        for match in _COUNTED.finditer(text)
        if chinese_number(match[match.lastindex or 1]) >= _MINIMUM
    ]
    found += [
        Factor("repeated", section, *match.span())
        for match in _MANY.finditer(text)
        if not _NO_ACT.search(text, _clause_start(text, match.start()), match.end() + 6)
    ]
    if third := _THIRD.search(text):
        found.append(Factor("repeated", section, *third.span()))
    return found


def _clause_start(text: str, place: int) -> int:
    return max(text.rfind(sign, 0, place) for sign in "，。；") + 1
