"""Extraction of the date of the act: 2019年3月5日, 同年4月, 次日. Births, arrests and trials do not count."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Any

from lexgear.law.numerals import chinese_number


class Precision(StrEnum):
    """Part of the calendar that a date names."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class ActDate:
    """Date of an act, with its place in the text if it was read there."""

    day: date
    """Last possible day: 2019-03-31 for 2019年3月."""
    precision: Precision = Precision.DAY
    start: int | None = None
    end: int | None = None

    def to_row(self) -> dict[str, Any]:
        """Return plain values for JSON; a date without a day is `YYYY-MM` or `YYYY`."""
        length = {Precision.YEAR: 4, Precision.MONTH: 7, Precision.DAY: 10}[self.precision]
        return {"date": self.day.isoformat()[:length], "start": self.start, "end": self.end}


_NUMBER = r"[0-9０-９〇○零一二三四五六七八九十]"
_MENTION = re.compile(
    rf"""
    (?:(?P<year>(?:[12１２][0-9０-９]{{3}}|[一二][〇○零一二三四五六七八九]{{3}}))\s*年(?!龄|级)
      |(?P<relative_year>同年|当年|次年|翌年))
      (?:(?:\s*{_NUMBER}{{1,3}}[、至到-])?\s*(?P<month>{_NUMBER}{{1,3}})\s*月份?
        (?:(?:\s*{_NUMBER}{{1,3}}[、至到-])?\s*(?P<day>{_NUMBER}{{1,3}})\s*[日号])?)?
    |(?P<iso_year>(?:19|20)\d\d)[-./](?P<iso_month>\d{{1,2}})[-./](?P<iso_day>\d{{1,2}})(?!\d)
    |(?P<same_month>同月|当月|该月)(?:\s*(?P<month_day>{_NUMBER}{{1,3}})\s*[日号])?
    |(?P<same_day>同日|当日|当天|当晚)|(?P<next_day>次日|翌日|第二天)
    |(?<!{_NUMBER})(?P<bare_month>{_NUMBER}{{1,3}})\s*月(?:份|\s*(?P<bare_month_day>{_NUMBER}{{1,3}})\s*[日号])
    |(?<=[、和及至到])(?P<listed_month>{_NUMBER}{{1,3}})\s*月
    |(?<=[、和及至到])(?P<bare_day>{_NUMBER}{{1,3}})\s*日(?!元)
    """,
    re.VERBOSE,
)
_EVIDENCE = re.compile(r"(?:上述|以上|前述)(?:犯罪)?事实|本院认为|认定(?:上述|以上)")
"""Beginning of what follows the facts: evidence and reasoning."""
_BEFORE = re.compile(
    r"(?:生于|出生日期[：:为]?|截[至止]|曾因[^，。；]*|前科[^，。；]*|有效期[至为]?|(?:抢救|医治|治疗)无效[，后]?于?)$"
)
"""End of the clause before a date that is not the date of an act."""
_NOT_AN_ACT = re.compile(
    r"出生|^生[，（(]|^止|抓获|抓捕|捉获|归案|投案|自首|到案|传唤|拘留|刑拘|逮捕|取保候审|监视居住|羁押|刑满|释放|假释"
    r"|判处|判决|被判|裁定|行政处罚|治安处罚|罚款|劳动教养|强制戒毒|戒毒所|起诉|公诉|立案|受理|开庭|庭审|审理|侦破|移送|侦查"
    r"|报案|报警|举报|控告|鉴定|检验|评估|勘验|勘查|检查笔录|辨认|出具|作出|谅解|赔偿(?!款)|赔付|退赃|退还|退赔|退缴|归还|还清|偿还(?!能力|的?情况)|调解(?:协议|书)|达成调解"
    r"|抢救无效|医治无效|治疗无效|证言|供述|供认|笔录|案发|打捞|指认|电话通知|询问|交代|自行[至到]|主动[至到]|纪委|纪律检查|催要|退给|^死亡|陪同下|陪伴下|规劝|和解|达成了?协议|印发|被发现后|协议离婚|被骗后|发现被骗|(?:被害人|失主)[^，]{0,8}发现|发还|追回|缴获|扣押|冻结|施行|生效|发布"
)
_FOLLOWS_ACT = re.compile("抓获|抓捕|捉获|查获|归案|投案|到案|传唤|起诉|案发|报案|报警")
"""Steps of the proceedings that follow the act; an earlier conviction is none."""
_ARREST = re.compile(r"[^，]{0,12}(?:公安|民警|警察|侦查人员)[^，]*，[^，]{0,6}(?:抓获|将(?:被告人|犯罪嫌疑人))")
"""Beginning of a sentence in which the police arrest somebody."""
_WITHOUT_PREDICATE = re.compile(
    r"""[\s（(）)]*(?:
      (?:左右|许|间|期间|前后|初|底|末|中旬|上旬|下旬|[早晚]上?|凌晨|上午|中午|下午|傍晚|夜间|深夜|夜里|的?一天|某日|起|以来|[×xX*Ⅹ某]日)
      |[0-9０-９〇零一二三四五六七八九十]+[时点分](?:许|左右|钟)?
      |[0-9０-９〇零一二三四五六七八九十]+[:：][0-9]{2}|(?:被告人|犯罪嫌疑人|被告单位)[^，。；被在因将到]{1,12}$
    )*[\s（(）)]*""",
    re.VERBOSE,
)
"""Clause that only says when or who."""
_ACT_FIRST = re.compile(r"(?<![0-9０-９一二三四五六七八九十案])(?:后|时|过程中|途中|之际)[^，]{0,4}[被由]")
"""Link between an act and the arrest that followed it in the same clause: 盗窃手机时被当场抓获."""
_OPEN_RANGE = re.compile(r"[^，。；]{0,4}(?:以来|至今|开始)|起[，,]")
"""Continuation of a date that only begins a series of acts; the last of them is not dated."""
_IN_BRACKETS = re.compile(r"[（(][^（()）]*[)）]")
"""Remark on a person, such as （已判刑）."""
_RANGE_END = re.compile(r"[至到]$")
_CONNECTOR = re.compile(r"[\s至到、和及—\-~～－起间]*")


@dataclass(frozen=True, slots=True)
class _Mention:
    day: date
    precision: Precision
    start: int
    end: int

    @property
    def act_date(self) -> ActDate:
        """The date as that of an act."""
        return ActDate(self.day, self.precision, self.start, self.end)

    @property
    def first_day(self) -> date:
        """First possible day; a day is later than the month or year it lies in."""
        month = 1 if self.precision is Precision.YEAR else self.day.month
        return self.day if self.precision is Precision.DAY else date(self.day.year, month, 1)


def read_act_date(text: str) -> ActDate | None:
    """Return the date of the last act that the facts date, or None if they date none.

    >>> read_act_date("被告人生于1985年3月5日。2019年3月5日，其在商场盗窃手机，同年4月被抓获。").to_row()
    {'date': '2019-03-05', 'start': 15, 'end': 24}
    """
    evidence = _EVIDENCE.search(text)
    facts = text[: evidence.start()] if evidence else text
    acts = [mention for mention, end in _mentions_with_ends(facts) if _dates_an_act(facts, mention, end)]
    return max(acts, key=lambda one: (one.first_day, -one.start)).act_date if acts else None


def read_latest_date(text: str) -> ActDate | None:
    """Return the last date of a step that follows the act, such as an arrest: the act is not later.

    >>> read_latest_date("2014年6月，民警抓获正在组织考试作弊的李某。").to_row()["date"]
    '2014-06'
    """
    steps = [
        mention
        for mention, end in _mentions_with_ends(text)
        if _FOLLOWS_ACT.search(re.split(r"[。；;\n]", text[mention.end : end], maxsplit=1)[0])
        and not _BEFORE.search(text, max(0, mention.start - 30), mention.start)
    ]
    return max(steps, key=lambda one: one.day).act_date if steps else None


def _mentions_with_ends(text: str) -> list[tuple[_Mention, int]]:
    """Return every date with the end of what is said after it: the place of the next date."""
    mentions = list(_mentions(text))
    return list(zip(mentions, (*(one.start for one in mentions[1:]), len(text)), strict=False))


def _mentions(text: str) -> Iterator[_Mention]:
    """Yield every date; incomplete ones are completed by the one before them."""
    previous: _Mention | None = None
    for match in _MENTION.finditer(text):
        if (mention := _mention(match, previous)) is not None:
            yield mention
            previous = mention


def _mention(match: re.Match[str], previous: _Mention | None) -> _Mention | None:
    parts = {name: value for name, value in match.groupdict().items() if value}

    def number(*names: str) -> int | None:
        return next((chinese_number(parts[name]) for name in names if name in parts), None)

    year = number("year", "iso_year")
    month = number("month", "iso_month", "bare_month", "listed_month")
    day = number("day", "iso_day", "month_day", "bare_month_day", "bare_day")
    if year is None:
        if previous is None:
            return None
        if "same_day" in parts or "next_day" in parts:
            later = timedelta(days="next_day" in parts)
            return _Mention(previous.day + later, previous.precision, match.start(), match.end())
        year = previous.day.year + (parts.get("relative_year") in ("次年", "翌年"))
        if "same_month" in parts or "bare_day" in parts:
            if previous.precision is Precision.YEAR:
                return None
            month = previous.day.month
    return _mention_of(year, month, day, match)


def _mention_of(year: int, month: int | None, day: int | None, match: re.Match[str]) -> _Mention | None:
    precision = Precision.YEAR if month is None else Precision.MONTH if day is None else Precision.DAY
    if not 1949 <= year <= 2100 or not 1 <= (month or 12) <= 12:
        return None
    last = calendar.monthrange(year, month or 12)[1]
    if not 1 <= (day or last) <= last:
        return None
    return _Mention(date(year, month or 12, day or last), precision, match.start(), match.end())


def _dates_an_act(text: str, mention: _Mention, end: int) -> bool:
    """Return whether the first thing said after a date is an act, not a birth or a step of the proceedings."""
    if _BEFORE.search(text, max(0, mention.start - 30), mention.start):
        return False
    said = _IN_BRACKETS.sub("", re.split(r"[。；;\n]", text[mention.end : end], maxsplit=1)[0])
    # Of several dates in a row, the last one counts.
    if _OPEN_RANGE.match(said) or _CONNECTOR.fullmatch(said) or _ARREST.match(re.sub("^[^，]{0,8}许，", "", said)):
        return False
    in_range = _RANGE_END.search(text, max(0, mention.start - 2), mention.start) is not None
    for clause in re.split("[，,]", said):
        step = _NOT_AN_ACT.search(f"{clause}，")
        if step is None and _WITHOUT_PREDICATE.fullmatch(clause):
            continue
        if step is None or (in_range and step[0] == "案发"):
            return True
        return _ACT_FIRST.search(clause, 0, step.start()) is not None
    return end < len(text) or in_range
