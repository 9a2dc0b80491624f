"""Denial of what a clause says: 不构成自首, 没有前科, 是否属于主犯, 认定为从犯的依据不足."""

from __future__ import annotations

import re

_BEFORE = re.compile(
    r"(?:不(?![满顾慎服法等久料断同仅但幸治明知特锈少轨配影])|未(?![经成婚遂满届取])|没(?!收)有?|无(?![证牌视故锡业理名为照力期法])|非(?![法机])"
    r"|否认|是否|缺乏|尚?难以|排除|有无|拒绝|谈不上|避免|防止|免受|如果|若|假如)[^，。；：]{0,9}$"
    r"|(?:不能证[实明]|无法证[实明]|不足以证[实明]|不能确定|不存在|(?:未能?|不能|没有)举证|未能?证实|(?:没有|无)证据|不属于|不构成|不应认定|不能认定|不符合|并非|不具有)[^，。；：]{0,20}$"
)
_AFTER = re.compile(
    r"[^，。；]{0,12}(?:不成立|不能成立|不予认定|不予采纳|不予采信|不予支持|证据不足|依据不足|不符|不予确认|无事实|没有(?:事实|法律)|缺乏)"
    r"|(?:(?!故|因此|所以|经查|该|辩护人|不认定)[^。；]){0,25}(?:的?(?:辩护|辩解|上诉|指控|公诉)?(?:意见|理由|观点))[^。；]{0,30}(?:不予|不能|不成立|不符|不当)|的?(?:成立|构成)?(?:要件|条件|特征)"
    r"|[^，。；]{0,6}的指控[^。；]{0,30}(?:不予|不能|不成立|不符|不当|缺乏)|罪?的?(?:罪名|定性)(?:不当|有误|错误)"
    r"|[^，。；]{0,4}(?:应当|必须)?(?:具备|是指)|的(?:规定|标准|界限|区别)"
)

_INSIDE = re.compile("不(?!讳|法|当|服|满|慎|予追究|再追究|追究)|未(?!成|遂|满|得逞|能得逞)|没有|无(?!证|故)|是否")


def denied(text: str, start: int, end: int) -> bool:
    """Return True if the clause around a match denies it.

    >>> denied("其行为不构成自首", 6, 8), denied("被告人系自首", 4, 6)
    (True, False)
    """
    return _BEFORE.search(text, max(0, start - 26), start) is not None or _AFTER.match(text, end) is not None


def denies(words: str) -> bool:
    """Return True if the words of a match contain their own denial, as in 被害人不存在过错."""
    return _INSIDE.search(words) is not None
