"""Circumstances that make a threshold unnecessary: how a text shows each of them.

Keys are the words of the charge book (`Threshold.unless`). A circumstance that is not listed here cannot be looked for,
so that the threshold never lowers a charge.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Circumstance:
    """Signs of a circumstance: one is enough. It is rather seen too often than overlooked."""

    factors: frozenset[str] = frozenset()
    words: re.Pattern[str] | None = None

    def shown(self, text: str, factors: Collection[str]) -> bool:
        """Return whether the text may describe the circumstance."""
        found = self.words is not None and self.words.search(text) is not None
        return found or not self.factors.isdisjoint(factors)


def _signs(*factors: str, words: str = "") -> Circumstance:
    return Circumstance(frozenset(factors), re.compile(words) if words else None)


_COUNTED_ELSEWHERE = Circumstance()
"""The charge has another threshold for it, which is checked by itself."""
_REPEATED = _signs("repeated", words="多次|[三四五六七八九十数几]次|[3-9]次|先后|屡|经常|每[天周月]|再次|又")

CIRCUMSTANCES: Mapping[str, Circumstance] = {
    "多次盗窃": _REPEATED,
    "多次抢夺": _REPEATED,
    "多次敲诈勒索": _REPEATED,
    "入户盗窃": _signs("home_entry", words="入户|入室|家[中里内门]|[住屋]|宿舍|卧室|户"),
    "携带凶器盗窃": _signs("weapon", "firearm", words="刀|凶器|棍|枪"),
    "扒窃": _signs("pickpocketing", words="扒|口袋|衣兜|裤兜|钱包|随身|公交|地铁|背包|挎包"),
    "数额较大": _COUNTED_ELSEWHERE,
    "以数额巨大的财物为目标而未遂": _signs("attempt", words="未遂|未得逞|没有得逞|未能得逞"),
    "数额难以查证但发送信息、拨打电话达到规定数量": _signs(words="短信|群发|拨打|话术|电话"),
    "拨打诈骗电话五百人次以上": _COUNTED_ELSEWHERE,
    "发送诈骗信息五千条以上": _COUNTED_ELSEWHERE,
    "有其他较重情节且满一万元": _COUNTED_ELSEWHERE,
    "有规定的从重情形且满一万元": _COUNTED_ELSEWHERE,
    "追逐竞驶情节恶劣": _signs(words="追逐|竞驶|飙车|赛车|竞速"),
    "校车、客运严重超员或者超速": _signs(words="校车|客车|客运|超员|载客|乘客"),
    "违规运输危险化学品危及公共安全": _signs(words="危险化学品|危化品|运输"),
    "死亡一人以上": _COUNTED_ELSEWHERE,
    "重伤三人以上": _COUNTED_ELSEWHERE,
    "重伤一人以上且有酒驾、无证、逃逸等情形": _COUNTED_ELSEWHERE,
    "无力赔偿的财产损失达到标准": _COUNTED_ELSEWHERE,
    "负全部或者主要责任的按较低标准": _COUNTED_ELSEWHERE,
}
